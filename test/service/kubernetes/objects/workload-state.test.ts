import {expect, test} from 'vitest';
import {joinRollouts, readWorkloadState, type WatchedKind} from '#service/kubernetes/objects/workload-state.ts';

const read = (kind: WatchedKind, spec: object, status: object, generation?: number) => {
  const {rollout, isInUse, wanted, existing} = readWorkloadState(kind, {metadata: {generation}, spec, status});
  return [rollout, isInUse, wanted, existing];
};

const two = {replicas: 2};
const allDone = {replicas: 2, availableReplicas: 2, updatedReplicas: 2};
const condition = (type: string, status: string, reason?: string) => ({conditions: [{type, status, reason}]});

test.each<readonly [what: string, spec: object, status: object, state: readonly unknown[]]>([
  ['all are there', two, allDone, ['done', true, 2, 2]],
  [
    'one replica is wanted if nothing is said',
    {},
    {replicas: 1, availableReplicas: 1, updatedReplicas: 1},
    ['done', true, 1, 1],
  ],
  ['one is not available', two, {...allDone, availableReplicas: 1}, ['progressing', false, 2, 2]],
  ['one is of the version before', two, {...allDone, updatedReplicas: 1}, ['progressing', false, 2, 2]],
  ['one of the version before is left over', two, {...allDone, replicas: 3}, ['progressing', false, 2, 3]],
  [
    'enough serve meanwhile',
    two,
    {...allDone, updatedReplicas: 1, ...condition('Available', 'True')},
    ['progressing', true, 2, 2],
  ],
  [
    'too few serve',
    two,
    {...allDone, updatedReplicas: 1, ...condition('Available', 'False')},
    ['progressing', false, 2, 2],
  ],
  [
    'the last roll-out came to its end',
    two,
    {...allDone, availableReplicas: 1, ...condition('Progressing', 'True', 'NewReplicaSetAvailable')},
    ['progressing', true, 2, 2],
  ],
  [
    'it takes too long',
    two,
    {...allDone, updatedReplicas: 1, ...condition('Progressing', 'False', 'ProgressDeadlineExceeded')},
    ['failed', false, 2, 2],
  ],
  ['pods cannot be made', two, {replicas: 0, ...condition('ReplicaFailure', 'True')}, ['failed', false, 2, 0]],
  ['pods can be made again', two, {replicas: 0, ...condition('ReplicaFailure', 'False')}, ['progressing', false, 2, 0]],
  ['none are wanted', {replicas: 0}, {}, ['done', true, 0, 0]],
])('a Deployment: %s', (_, spec, status, state) => {
  expect(read('deployment', spec, status)).toEqual(state);
});

test.each([
  ['a number that is reached', {observedGeneration: 3}, 'done'],
  ['one that is passed', {observedGeneration: 4}, 'done'],
  ['one that is not', {observedGeneration: 2}, 'progressing'],
  ['none', {}, 'progressing'],
  ['a text of Argo', {observedGeneration: '3'}, 'done'],
  ['a hash of an older Argo', {observedGeneration: '5f6'}, 'done'],
])('a controller has seen the specification: %s', (_, status, rollout) => {
  expect(read('deployment', two, {...allDone, ...status}, 3)[0]).toBe(rollout);
});

test('a failure of a specification that is not the newest is none of it', () => {
  const failed = {replicas: 1, observedGeneration: 2, ...condition('ReplicaFailure', 'True')};
  expect([read('deployment', two, failed, 3)[0], read('deployment', two, failed, 2)[0]]).toEqual([
    'progressing',
    'failed',
  ]);
  const degraded = {phase: 'Degraded', observedGeneration: '2'};
  expect([read('rollout', two, degraded, 3)[0], read('rollout', two, degraded, 2)[0]]).toEqual([
    'progressing',
    'failed',
  ]);
  const daemons = {desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1, observedGeneration: 2};
  expect([read('daemonset', {}, daemons, 3)[0], read('daemonset', {}, daemons, 2)[0]]).toEqual(['progressing', 'done']);
});

const partition = (count: number) => ({replicas: 3, updateStrategy: {rollingUpdate: {partition: count}}});
const three = {replicas: 3, availableReplicas: 3};

test.each<readonly [what: string, spec: object, status: object, state: readonly unknown[]]>([
  ['all are of the newest version', {replicas: 3}, {...three, updatedReplicas: 3}, ['done', true, 3, 3]],
  ['one is not', {replicas: 3}, {...three, updatedReplicas: 2}, ['progressing', true, 3, 3]],
  [
    'one more than the partition leaves is not',
    partition(1),
    {...three, updatedReplicas: 1},
    ['progressing', true, 3, 3],
  ],
  ['all that the partition leaves are', partition(1), {...three, updatedReplicas: 2}, ['done', true, 3, 3]],
  ['a partition beyond all leaves none', partition(9), {...three, updatedReplicas: 0}, ['done', true, 3, 3]],
  ['somebody deletes them by hand', {replicas: 3, updateStrategy: {type: 'OnDelete'}}, three, ['done', true, 3, 3]],
  [
    'an older cluster counts those that are ready',
    {},
    {replicas: 1, readyReplicas: 1, updatedReplicas: 1},
    ['done', true, 1, 1],
  ],
  [
    'none is available',
    {},
    {replicas: 1, readyReplicas: 1, availableReplicas: 0, updatedReplicas: 1},
    ['progressing', false, 1, 1],
  ],
])('a StatefulSet: %s', (_, spec, status, state) => {
  expect(read('statefulset', spec, status)).toEqual(state);
});

test('a StatefulSet names its newest version', () => {
  const {revision, failure} = readWorkloadState('statefulset', {status: {updateRevision: 'web-5f6'}});
  expect([revision, failure]).toEqual(['web-5f6', undefined]);
});

const daemons = {desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2};

test.each<readonly [what: string, spec: object, status: object, state: readonly unknown[]]>([
  ['all nodes have it', {}, daemons, ['done', true, 2, 2]],
  ['one has the version before', {}, {...daemons, updatedNumberScheduled: 1}, ['progressing', true, 2, 2]],
  [
    'which is how it should be',
    {updateStrategy: {type: 'OnDelete'}},
    {...daemons, updatedNumberScheduled: 1},
    ['done', true, 2, 2],
  ],
  ['one is not available', {}, {...daemons, numberAvailable: 1}, ['progressing', true, 2, 2]],
  ['none is', {}, {...daemons, numberAvailable: 0}, ['progressing', false, 2, 2]],
  ['no node wants it', {}, {}, ['done', true, 0, 0]],
])('a DaemonSet: %s', (_, spec, status, state) => {
  expect(read('daemonset', spec, status)).toEqual(state);
});

test.each<readonly [what: string, spec: object, status: object, state: readonly unknown[]]>([
  ['it runs', {parallelism: 2}, {active: 2}, ['progressing', true, 2, 2]],
  ['it has not begun', {}, {}, ['progressing', false, 1, 0]],
  ['it is complete', {}, condition('Complete', 'True'), ['done', true, 1, 0]],
  ['it has failed', {}, condition('Failed', 'True', 'BackoffLimitExceeded'), ['failed', false, 1, 0]],
  ['it has not', {}, {active: 1, ...condition('Failed', 'False')}, ['progressing', true, 1, 1]],
])('a Job: %s', (_, spec, status, state) => {
  expect(read('job', spec, status)).toEqual(state);
});

test('a CronJob is under way while a Job of it is', () => {
  expect(read('cronjob', {}, {active: [{name: 'nightly-1'}]})).toEqual(['progressing', true, 0, undefined]);
  expect(read('cronjob', {}, {active: []})).toEqual(['done', true, 0, undefined]);
});

test.each<readonly [what: string, status: object, state: readonly unknown[]]>([
  ['healthy', {phase: 'Healthy', replicas: 2}, ['done', true, 2, 2]],
  ['degraded, but some serve', {phase: 'Degraded', availableReplicas: 1}, ['failed', true, 2, 0]],
  ['degraded', {phase: 'Degraded'}, ['failed', false, 2, 0]],
  ['paused', {phase: 'Paused', availableReplicas: 1}, ['progressing', true, 2, 0]],
  ['nothing said', {}, ['progressing', false, 2, 0]],
])('a Rollout of Argo: %s', (_, status, state) => {
  expect(read('rollout', two, status)).toEqual(state);
});

const failureOf = (kind: WatchedKind, status: object) => readWorkloadState(kind, {status}).failure;

const told = {
  type: 'ReplicaFailure',
  status: 'True',
  reason: 'FailedCreate',
  message: 'exceeded quota',
  lastTransitionTime: '2026-11-22T12:00:00Z',
};
const quota = {
  isTrue: true,
  reason: 'FailedCreate',
  message: 'exceeded quota',
  updatedAtMs: Date.UTC(2026, 10, 22, 12),
};

test('what a workload says of its failure', () => {
  expect(failureOf('deployment', {conditions: [told]})).toEqual(quota);
  expect(failureOf('deployment', {conditions: [{...told, lastUpdateTime: '2026-11-22T12:00:01Z'}]})?.updatedAtMs).toBe(
    quota.updatedAtMs + 1_000,
  );
  expect(failureOf('deployment', {conditions: [{...told, status: 'False'}]})).toBeUndefined();
  expect(failureOf('job', {conditions: [{...told, type: 'Failed'}]})).toEqual(quota);
  expect(failureOf('job', {conditions: [{...told, type: 'Failed', status: 'False'}]})).toBeUndefined();
  expect(failureOf('rollout', {phase: 'Degraded'})).toEqual({
    isTrue: true,
    reason: 'Degraded',
    message: undefined,
    updatedAtMs: undefined,
  });
  const progressing = {...told, type: 'Progressing', status: 'False'};
  expect(failureOf('rollout', {phase: 'Degraded', conditions: [progressing]})).toEqual(quota);
  expect(failureOf('rollout', {phase: 'Degraded', message: 'aborted', conditions: [progressing]})?.message).toBe(
    'aborted',
  );
  expect(failureOf('rollout', {phase: 'Healthy', conditions: [progressing]})).toBeUndefined();
});

test.each([
  [['done', 'failed', 'progressing'], 'failed'],
  [['done', 'progressing'], 'progressing'],
  [['done'], 'done'],
  [[], 'done'],
] as const)('of %j, %s is the worst', (rollouts, worst) => {
  expect(joinRollouts(rollouts)).toBe(worst);
});
