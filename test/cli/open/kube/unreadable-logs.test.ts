import {expect, test} from 'vitest';
import type {CommandOptions} from '../../run-command.ts';
import {startBranch} from './start-branch.ts';

/** A log counts as unreadable after five seconds: here they take one. */
const clock = {monotonicMs: () => performance.now() * 5};

/** Two pods, each with a line. */
const startPods = async () => {
  const {double, pods, run} = await startBranch({replicas: 2});
  for (const pod of pods) {
    double.pods.write(pod, 'php', {text: `of ${pod.name}`});
  }
  const [first, second = first] = pods;
  return {double, first, second, run: (line: string, options: CommandOptions = {}) => run(line, {clock, ...options})};
};

test('a log that is printed once says which pods it lacks, each once', async () => {
  const {double, first, second, run} = await startPods();
  double.setNodeDown(first.node ?? '', true);
  const {code, stdout, stderr} = await run('logs --kube shop web --timestamps none');
  expect([code, stdout]).toEqual([0, `of ${second.name}\n`]);
  expect(stderr.match(/container php, cannot be read/g)).toHaveLength(1);
  expect(stderr).toMatch(new RegExp(`^branchlog: 1 of 2 pods unreadable: .*pod ${first.name}, container php, cannot`));
});

test('where no pod can be read, the command says so and ends with 5', async () => {
  const {double, first, second, run} = await startPods();
  for (const {node = ''} of [first, second]) {
    double.setNodeDown(node, true);
  }
  const {code, stdout, stderr} = await run('logs --kube shop web');
  expect([code, stdout]).toEqual([5, '']);
  expect(stderr.match(/container php, cannot be read/g)).toHaveLength(1);
});

test('while a log is followed, a pod that cannot be read is told once', async () => {
  const {double, second, run} = await startPods();
  double.pods.collect(second, 'php');
  const {stderr} = await run('logs --kube shop web --follow --until ready', {
    onStderr: text => {
      if (text.includes('unreadable')) {
        const [first] = double.pods.all();
        if (first) {
          double.pods.write(first, 'php', {text: 'ready'});
        }
      }
    },
  });
  expect(stderr.match(/unable to retrieve container logs/g)).toHaveLength(1);
});

test('an incident is not called calm while a pod cannot be read, and the verdict says so', async () => {
  const {double, first, run} = await startPods();
  double.setNodeDown(first.node ?? '', true);
  const {code, stdout} = await run('incident --kube shop web');
  expect(code).toBe(7);
  expect(stdout).toMatch(/^cannot tell: 1 of 2 pods unreadable: /);
  expect(stdout).not.toContain('calm');
});

test('a log that could not be read at last ends with 7 and a record, and does not pass for a quiet one', async () => {
  const {double, first, second, run} = await startPods();
  const {code, stdout, stderr} = await run('logs --kube shop web --follow --duration 60s --format json', {
    onStdout: () => {
      for (const pod of [first, second]) {
        double.pods.collect(pod, 'php');
      }
      for (const stream of double.streams('log')) {
        stream.cut();
      }
    },
  });
  const records = stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row));
  expect(records.at(-1)).toEqual({kind: 'blind', why: expect.stringContaining('unable to retrieve container logs')});
  expect([code, records.filter(({kind}) => kind === 'line').length]).toEqual([7, 2]);
  expect(stderr).toContain('branchlog: ended while the log could not be read: ');
}, 30_000);
