import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {doneStatus, makeDeployment, makePod, runningContainer} from '../cluster-objects.ts';
import {startTestDirectory} from '../start-directory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const killed = {terminated: {exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-11-22T11:00:00Z'}};
const waiting = (reason: string, message?: string) => ({waiting: {reason, message}});

const troublesOf = async (
  pod: Parameters<typeof makePod>[1],
  status: Readonly<Record<string, unknown>> = doneStatus(1),
): Promise<unknown> => {
  const {records} = await startTestDirectory({
    deployments: [makeDeployment('shop-master', {status})],
    pods: pod === undefined ? [] : [makePod('web-1', pod)],
  });
  return records()[0]?.troubles;
};

test('a branch that works has no field for it', async () => {
  expect(await troublesOf({})).toBeUndefined();
});

test('a container that crashes: how often, and how it ended, since then', async () => {
  const state = waiting('CrashLoopBackOff', 'back-off 5m0s restarting failed container');
  expect(await troublesOf({statuses: [{name: 'php', restartCount: 7, state, lastState: killed}]})).toEqual([
    {
      state: 'now',
      pod: 'web-1',
      container: 'php',
      reason: 'CrashLoopBackOff ×7, OOMKilled exit 137',
      since: '2026-11-22T11:00:00.000Z',
    },
  ]);
});

test('a container that runs again after it was killed, and one that has just been', async () => {
  expect(await troublesOf({statuses: [{...runningContainer('php', 2), lastState: killed}]})).toMatchObject([
    {state: 'past', reason: 'restarted ×2, OOMKilled exit 137', since: '2026-11-22T11:00:00.000Z'},
  ]);
  expect(await troublesOf({statuses: [{name: 'php', restartCount: 0, state: killed}]})).toMatchObject([
    {state: 'now', reason: 'OOMKilled exit 137', since: '2026-11-22T11:00:00.000Z'},
  ]);
});

test('an image that cannot be pulled, with the words of the registry, cut', async () => {
  const state = waiting('ImagePullBackOff', `Back-off pulling image: ${'x'.repeat(1000)}`);
  const troubles = await troublesOf({phase: 'Pending', statuses: [{name: 'php', restartCount: 0, state}]});
  expect(troubles).toMatchObject([
    {state: 'now', container: 'php', reason: 'ImagePullBackOff', message: expect.stringMatching(/^Back-off .{291}$/)},
  ]);
});

test('an init container that fails is the reason that the others wait', async () => {
  const init = {name: 'migrate', restartCount: 3, state: waiting('CrashLoopBackOff')};
  const php = {name: 'php', restartCount: 0, state: waiting('PodInitializing')};
  expect(await troublesOf({phase: 'Pending', statuses: [php], status: {initContainerStatuses: [init]}})).toMatchObject([
    {container: 'migrate', reason: 'CrashLoopBackOff ×3'},
  ]);
});

test('a pod that finds no node, one that was evicted, one whose node is lost', async () => {
  const message = '0/3 nodes are available: 3 Insufficient memory.';
  const unscheduled = [{type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message}];
  expect(await troublesOf({phase: 'Pending', statuses: [], status: {conditions: unscheduled}})).toMatchObject([
    {state: 'now', reason: 'Pending, Unschedulable', message},
  ]);
  const evicted = {reason: 'Evicted', message: 'The node was low on resource: memory.'};
  expect(await troublesOf({phase: 'Failed', statuses: [], status: evicted})).toMatchObject([
    {state: 'now', reason: 'Evicted', message: 'The node was low on resource: memory.'},
  ]);
  expect(await troublesOf({status: {reason: 'NodeLost'}})).toMatchObject([{state: 'now', reason: 'node lost'}]);
});

test('a pod that is not ready: not yet, or no longer', async () => {
  const unready = (lastTransitionTime: string) => ({
    status: {conditions: [{type: 'Ready', status: 'False', lastTransitionTime}]},
  });
  expect(await troublesOf(unready('2026-11-22T09:59:59Z'))).toMatchObject([
    {state: 'starting', reason: 'not ready yet'},
  ]);
  expect(await troublesOf(unready('2026-11-22T10:30:00Z'))).toMatchObject([{state: 'now', reason: 'no longer ready'}]);
});

test('a pod that leaves is not ready and has no trouble', async () => {
  const metadata = {deletionTimestamp: '2026-11-22T11:00:00Z'};
  const status = {conditions: [{type: 'Ready', status: 'False', lastTransitionTime: '2026-11-22T11:00:00Z'}]};
  expect(await troublesOf({metadata, status})).toBeUndefined();
});

test('a quota that keeps a workload from making pods, before those of its pods', async () => {
  const message = 'pods "web" is forbidden: exceeded quota';
  const status = {
    ...doneStatus(0),
    conditions: [{type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message}],
  };
  expect(await troublesOf(undefined, status)).toMatchObject([{state: 'now', reason: 'FailedCreate', message}]);
});

test('the worst come first, and follow the pods', async () => {
  const {records, send} = await startTestDirectory({
    deployments: [makeDeployment('shop-master')],
    pods: [makePod('a', {statuses: [{...runningContainer('php', 2), lastState: killed}]}), makePod('b')],
  });
  const reasons = () =>
    (records()[0]?.troubles as {pod: string; state: string}[] | undefined)?.map(({pod, state}) => `${pod} ${state}`);
  expect(reasons()).toEqual(['a past']);
  send(
    'pods',
    'MODIFIED',
    makePod('b', {statuses: [{name: 'php', restartCount: 1, state: waiting('CrashLoopBackOff')}]}),
  );
  await vi.advanceTimersByTimeAsync(1000);
  expect(reasons()).toEqual(['b now', 'a past']);
  send('pods', 'MODIFIED', makePod('b'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(reasons()).toEqual(['a past']);
});
