import {expect, test} from 'vitest';
import {startBranch} from './start-branch.ts';

const print = 'logs --kube shop web --timestamps none';

test('prints the log of a container that restarted, with that of the instance before', async () => {
  const {double, pods, run} = await startBranch();
  const [pod] = pods;
  double.pods.write(pod, 'php', {text: 'first life'});
  double.pods.restart(pod, 'php');
  double.pods.write(pod, 'php', {text: 'second life'});
  expect(await run(print)).toEqual({code: 0, stdout: 'first life\nsecond life\n', stderr: ''});
});

test('prints the log of a container that waits to be started again', async () => {
  const {double, pods, run} = await startBranch();
  const [pod] = pods;
  for (const life of ['first', 'second', 'third']) {
    double.pods.write(pod, 'php', {text: `${life} life`});
    double.pods.write(pod, 'php', {text: `panic in the ${life}`});
    double.pods.crash(pod, 'php', 'CrashLoopBackOff');
    if (life !== 'third') {
      double.pods.startAgain(pod, 'php');
    }
  }
  expect(await run(print)).toMatchObject({code: 0, stdout: 'third life\npanic in the third\n'});
  expect(await run(`${print} --tail 1`)).toMatchObject({code: 0, stdout: 'panic in the third\n'});
});

test('prints the last line of a container that ended although no newline ends it', async () => {
  const {double, pods, run} = await startBranch();
  const [pod] = pods;
  const stampNs = BigInt(Date.now()) * 1_000_000n;
  double.pods.write(pod, 'php', {text: 'starting', stampNs});
  double.pods.append(pod, 'php', {
    stampNs: stampNs + 1n,
    zone: 'Z',
    stream: 'stderr',
    tag: 'P',
    bytes: 'panic: last words',
  });
  double.pods.crash(pod, 'php', 'terminated');
  expect(await run(print)).toMatchObject({code: 0, stdout: 'starting\npanic: last words\n'});
});
