import {expect, test} from 'vitest';
import {startBranch} from './start-branch.ts';

test('--previous prints the instances before, and nothing of the present ones', async () => {
  const {double, pods, run} = await startBranch({replicas: 3});
  const [crashed, looping, steady = crashed] = pods;
  for (const pod of [crashed, looping ?? crashed, steady]) {
    double.pods.write(pod, 'php', {text: `first ${pods.indexOf(pod)}`});
  }
  double.pods.restart(crashed, 'php');
  double.pods.write(crashed, 'php', {text: 'second 0'});
  double.pods.crash(looping ?? crashed, 'php', 'CrashLoopBackOff');
  double.pods.startAgain(looping ?? crashed, 'php');
  double.pods.crash(looping ?? crashed, 'php', 'CrashLoopBackOff');
  for (const flag of ['--previous', '-p']) {
    const {code, stdout} = await run(`logs --kube shop web ${flag} --timestamps none`);
    expect([code, stdout]).toEqual([0, 'first 0\n']);
  }
});

test('--previous of a branch that never restarted ends with 4 and a sentence', async () => {
  const {run} = await startBranch();
  expect(await run('logs --kube shop web --previous')).toEqual({
    code: 4,
    stdout: '',
    stderr: 'branchlog: No container of branch web has a previous instance whose log still exists\n',
  });
});

test('--previous cannot be combined with --follow', async () => {
  const {double, run} = await startBranch();
  const before = double.requests.length;
  expect(await run('logs --kube shop web --previous --follow')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      '--previous cannot be combined with --follow: an instance that has ended writes no more lines',
    ),
  });
  expect(double.requests).toHaveLength(before);
});
