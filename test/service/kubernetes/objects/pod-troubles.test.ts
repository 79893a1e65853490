import {expect, test} from 'vitest';
import {readPodTroubles, readTroubleMessage} from '#service/kubernetes/objects/pod-troubles.ts';

const noon = '2026-11-22T12:00:00Z';
const noonMs = Date.UTC(2026, 10, 22, 12);
const later = '2026-11-22T12:30:00Z';
const laterMs = noonMs + 30 * 60_000;

const read = (status: object, phase = 'Running', metadata: object = {}) =>
  readPodTroubles({metadata: {name: 'web-0', creationTimestamp: noon, ...metadata}, status}, phase);

const php = (fields: object) => ({containerStatuses: [{name: 'php', ready: true, ...fields}]});
const killed = {exitCode: 137, reason: 'OOMKilled', message: 'too large', finishedAt: later};
const running = {running: {startedAt: noon}};

const trouble = (fields: object) => ({
  state: 'now',
  pod: 'web-0',
  container: 'php',
  message: undefined,
  sinceMs: undefined,
  ...fields,
});

test.each<readonly [what: string, status: object, troubles: unknown]>([
  ['it runs', php({state: running}), []],
  [
    'it runs again after a good end',
    php({restartCount: 1, state: running, lastState: {terminated: {exitCode: 0}}}),
    [],
  ],
  [
    'it runs again after a bad one',
    php({restartCount: 1, state: running, lastState: {terminated: killed}}),
    [trouble({state: 'past', reason: 'restarted ×1, OOMKilled exit 137', message: 'too large', sinceMs: laterMs})],
  ],
  ['it has ended well', php({state: {terminated: {exitCode: 0}}}), []],
  [
    'it has ended badly',
    php({state: {terminated: killed}}),
    [trouble({reason: 'OOMKilled exit 137', message: 'too large', sinceMs: laterMs})],
  ],
  [
    'it has ended badly without a reason, again',
    php({restartCount: 2, state: {terminated: {exitCode: 1}}}),
    [trouble({reason: 'Error exit 1 ×2'})],
  ],
  [
    'it is being started',
    php({state: {waiting: {reason: 'ContainerCreating'}}}),
    [trouble({state: 'starting', reason: 'ContainerCreating', sinceMs: noonMs})],
  ],
  [
    'its image cannot be pulled',
    php({state: {waiting: {reason: 'ImagePullBackOff', message: 'not found'}}}),
    [trouble({reason: 'ImagePullBackOff', message: 'not found', sinceMs: noonMs})],
  ],
  [
    'it crashes: what it said last, not how long the kubelet waits',
    php({
      restartCount: 7,
      state: {waiting: {reason: 'CrashLoopBackOff', message: 'back-off 5m0s'}},
      lastState: {terminated: killed},
    }),
    [trouble({reason: 'CrashLoopBackOff ×7, OOMKilled exit 137', message: 'too large', sinceMs: laterMs})],
  ],
  ['it waits and nobody says why', php({state: {waiting: {}}, lastState: {terminated: killed}}), []],
])('of a container: %s', (_, status, troubles) => {
  expect(read({...status})).toEqual(troubles);
});

const conditions = (...types: readonly object[]) => ({conditions: types});
const pod = (fields: object) => [trouble({container: undefined, ...fields})];

test.each<readonly [what: string, status: object, phase: string, troubles: unknown]>([
  ['its node is lost', {reason: 'NodeLost', message: 'gone'}, 'Running', pod({reason: 'node lost', message: 'gone'})],
  ['nothing is known of it', {}, 'Unknown', pod({reason: 'node lost'})],
  [
    'it was evicted',
    {reason: 'Evicted', message: 'low on memory', startTime: noon},
    'Failed',
    pod({reason: 'Evicted', message: 'low on memory', sinceMs: noonMs}),
  ],
  [
    'it was evicted, and it is known when',
    {reason: 'Evicted', startTime: noon, ...conditions({type: 'DisruptionTarget', lastTransitionTime: later})},
    'Failed',
    pod({reason: 'Evicted', sinceMs: laterMs}),
  ],
  ['a reason of a pod that runs is none', {reason: 'Whatever'}, 'Running', []],
  [
    'it is about to be evicted',
    conditions({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: 'm',
      lastTransitionTime: later,
    }),
    'Running',
    pod({reason: 'PreemptionByScheduler', message: 'm', sinceMs: laterMs}),
  ],
  [
    'it is about to be, for no reason',
    conditions({type: 'DisruptionTarget', status: 'True'}),
    'Running',
    pod({reason: 'disrupted'}),
  ],
  ['it is not any more', conditions({type: 'DisruptionTarget', status: 'False'}), 'Running', []],
  [
    'no node takes it',
    conditions({
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/3 nodes',
      lastTransitionTime: later,
    }),
    'Pending',
    pod({reason: 'Pending, Unschedulable', message: '0/3 nodes', sinceMs: laterMs}),
  ],
  ['no node takes it yet', conditions({type: 'PodScheduled', status: 'False'}), 'Pending', pod({reason: 'Pending'})],
  ['a node has taken it', conditions({type: 'PodScheduled', status: 'True'}), 'Pending', []],
  ['it runs, whatever was before', conditions({type: 'PodScheduled', status: 'False'}), 'Running', []],
])('of a pod: %s', (_, status, phase, troubles) => {
  expect(read(status, phase)).toEqual(troubles);
});

const unready = (since: string | undefined, statuses: readonly object[]) => ({
  containerStatuses: statuses,
  ...conditions({type: 'Ready', status: 'False', lastTransitionTime: since}),
});
const web = {name: 'web', ready: true, state: {running: {startedAt: noon}}};
const api = {name: 'api', ready: false, state: {running: {startedAt: noon}}};

test.each<readonly [what: string, status: object, troubles: unknown]>([
  [
    'it was ready before',
    unready(later, [web, api]),
    [trouble({container: 'api', reason: 'no longer ready', sinceMs: laterMs})],
  ],
  [
    'not since it started',
    unready(noon, [web, api]),
    [trouble({state: 'starting', container: 'api', reason: 'not ready yet', sinceMs: noonMs})],
  ],
  [
    'since when is not known',
    unready(undefined, [web, api]),
    [trouble({state: 'starting', container: 'api', reason: 'not ready yet'})],
  ],
  [
    'one has not started',
    unready(later, [web, {name: 'api', ready: false, state: {}}]),
    [trouble({state: 'starting', container: 'api', reason: 'not ready yet', sinceMs: laterMs})],
  ],
  [
    'all containers are, but not the pod',
    unready(later, [web]),
    [trouble({container: undefined, reason: 'no longer ready', sinceMs: laterMs})],
  ],
  ['it is ready', {containerStatuses: [api], ...conditions({type: 'Ready', status: 'True'})}, []],
])('of a pod that takes no requests: %s', (_, status, troubles) => {
  expect(read(status)).toEqual(troubles);
});

test('only a pod that runs is waited for to be ready', () => {
  expect(read(unready(later, [web, api]), 'Pending')).toEqual([]);
});

const crash = (name: string) => ({name, state: {waiting: {reason: 'CrashLoopBackOff'}}});
const starting = (name: string) => ({name, state: {waiting: {reason: 'PodInitializing'}}});
const past = (name: string) => ({name, restartCount: 1, state: running, lastState: {terminated: killed}});

test.each<readonly [what: string, init: readonly object[], app: readonly object[], told: readonly string[]]>([
  ['what does not work now is told alone', [], [starting('a'), past('b'), crash('c'), crash('d')], ['c now', 'd now']],
  ['init containers come first', [crash('init')], [crash('a')], ['init now', 'a now']],
  ['of those that start, the first stands for all', [starting('init')], [starting('a'), past('b')], ['init starting']],
  ['what ended badly before is told where all works', [], [past('a'), past('b')], ['a past', 'b past']],
])('of several containers, %s', (_, init, app, told) => {
  const troubles = read({initContainerStatuses: init, containerStatuses: app});
  expect(troubles.map(({container, state}) => `${container} ${state}`)).toEqual(told);
});

test('what ended badly before follows what is not ready, in a pod that runs', () => {
  const status = {containerStatuses: [past('a')], ...conditions({type: 'Ready', status: 'False'})};
  expect(read(status).map(({reason}) => reason)).toEqual(['not ready yet', 'restarted ×1, OOMKilled exit 137']);
  expect(read(status, 'Pending').map(({reason}) => reason)).toEqual(['restarted ×1, OOMKilled exit 137']);
});

test('a pod that has ended as it should, or leaves, has none', () => {
  const status = php({state: {terminated: killed}});
  expect(read(status, 'Succeeded')).toEqual([]);
  expect(read(status, 'Running', {deletionTimestamp: later})).toEqual([]);
  expect(read(status, 'Failed')).toHaveLength(1);
});

test.each([
  ['300 characters are kept', 'x'.repeat(300), 300],
  ['more are cut', 'x'.repeat(301), 300],
  ['blanks around them do not count', ` ${'x'.repeat(299)} `, 299],
])('of a message, %s', (_, message, length) => {
  expect(readTroubleMessage({message})).toBe('x'.repeat(length));
});
