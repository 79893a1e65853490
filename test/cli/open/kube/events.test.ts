import {expect, test} from 'vitest';
import {doubleUser} from '../../../support/kubernetes/start-kube-double.ts';
import {startBranch} from './start-branch.ts';

const fail = {type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container'} as const;

const withoutTimes = (stdout: string): readonly string[] =>
  stdout
    .trim()
    .split('\n')
    .map(row => row.slice(row.indexOf(' ') + 1));

const start = async () => {
  const cluster = await startBranch();
  const {double, pods} = cluster;
  const [pod] = pods;
  const event = {...fail, object: {kind: 'Pod', ...pod}};
  double.pods.write(pod, 'php', {text: 'one'});
  return {...cluster, pod, event};
};

test('events are lines only where they are asked for, in their place and with their level', async () => {
  const {double, web, pod, event, run} = await start();
  double.events.record({
    ...event,
    stampNs: BigInt(Date.now() - 60_000) * 1_000_000n,
    fieldPath: 'spec.containers{php}',
  });
  double.events.record({reason: 'ScalingReplicaSet', message: 'Scaled up', object: web, isNewStyle: true});
  double.events.record({reason: 'Scheduled', message: 'elsewhere', object: {...web, name: 'other', uid: 'other'}});
  expect(withoutTimes((await run('logs --kube shop web --format raw')).stdout)).toEqual(['one']);
  expect(double.requests.some(({path}) => path.includes('/events'))).toBe(false);
  const all = await run('logs --kube shop web --events');
  expect([all.code, all.stderr]).toEqual([0, '']);
  const [backOff, ...rest] = withoutTimes(all.stdout);
  expect(backOff).toBe(`Warning BackOff pod/${pod.name}/php: Back-off restarting failed container`);
  expect(rest.toSorted()).toEqual(['Normal ScalingReplicaSet deployment/web: Scaled up', 'one']);
  const chosen = await run('logs --kube shop web --events --level warn --prefix --timestamps none');
  expect(chosen.stdout).toBe(`[/events] ${backOff}\n`);
  const json = await run('logs --kube shop web --events --format json -c ^events$ --level warn');
  expect(JSON.parse(json.stdout)).toMatchObject({kind: 'line', container: 'events'});
});

test('while a log is followed, an event that is seen again is one more line', async () => {
  const {double, event, run} = await start();
  double.events.record(event);
  const {stdout} = await run('logs --kube shop web --follow --events --format raw --until ×3', {
    onStdout: text => {
      if (/container( \(×2\))?\n/.test(text)) {
        double.events.record(event);
      }
    },
  });
  const counts = withoutTimes(stdout)
    .filter(line => line.startsWith('Warning'))
    .map(line => /×\d|$/.exec(line)?.[0]);
  expect(counts).toEqual(['', '×2', '×3']);
});

test('whoever may not read events is told once, and gets the log', async () => {
  const {double, run} = await start();
  double.access.setRules(doubleUser, [
    {
      verbs: ['get', 'list', 'watch'],
      resources: ['pods', 'pods/log', 'deployments', 'statefulsets'],
      namespaces: ['shop'],
    },
  ]);
  const {code, stdout, stderr} = await run('logs --kube shop web --events --format raw');
  expect([code, withoutTimes(stdout)]).toEqual([0, ['one']]);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^branchlog: The events of namespace shop cannot be listed\. No right to list events .* Logs go on without them\.$/,
    ),
  ]);
});

test('a log without lines says by its events why nothing starts', async () => {
  const {double, run} = await startBranch({startsAs: 'pending'});
  const [pod] = double.pods.all();
  double.events.record({
    type: 'Warning',
    reason: 'FailedScheduling',
    message: '0/3 nodes are available: 3 Insufficient cpu.',
    object: {kind: 'Pod', namespace: 'shop', name: pod?.name ?? '', uid: pod?.uid ?? ''},
  });
  const {code, stdout, stderr} = await run('logs --kube shop web --events --format raw');
  expect([code, stderr, withoutTimes(stdout)]).toEqual([
    0,
    `branchlog: branch web: ${pod?.name}: Pending, Unschedulable\n`,
    [`Warning FailedScheduling pod/${pod?.name}: 0/3 nodes are available: 3 Insufficient cpu.`],
  ]);
});
