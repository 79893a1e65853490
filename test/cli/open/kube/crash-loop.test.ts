import {expect, test} from 'vitest';
import {waitFor} from '../../../support/wait-for.ts';
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

test('follows a crash loop and the end of its pod without a gap, and doubles no line', async () => {
  const {double, pods, start} = await startBranch({}, {statusLagMs: 300});
  const [pod] = pods;
  const expected: string[] = [];
  const write = (text: string): void => {
    double.pods.write(pod, 'php', {text});
    expected.push(text);
  };
  write('first life');
  const running = start(`${print} --follow --fail-on-gap`);
  const wait = (count: number) =>
    waitFor(() => running.stdout().split('\n').length > count, {what: `${count} lines`, deadlineMs: 15_000});
  await wait(1);
  for (const life of ['second', 'third', 'fourth']) {
    write(`end before the ${life}`);
    await wait(expected.length);
    double.pods.crash(pod, 'php', life === 'third' ? 'terminated' : 'CrashLoopBackOff');
    double.pods.startAgain(pod, 'php');
    write(`${life} life`);
    double.pods.crash(pod, 'php', 'CrashLoopBackOff');
    await wait(expected.length);
    double.pods.startAgain(pod, 'php');
    write(`after the ${life}`);
    await wait(expected.length);
  }
  write('goodbye');
  double.pods.finish(pod);
  await wait(expected.length);
  double.pods.remove(pod);
  await waitFor(() => running.stderr().includes('gone'), {what: 'the end of the pod', deadlineMs: 15_000});
  running.signal('SIGINT');
  expect({code: await running.code, lines: running.stdout().trim().split('\n')}).toEqual({code: 130, lines: expected});
}, 60_000);
