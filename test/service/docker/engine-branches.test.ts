import {expect, test} from 'vitest';
import {
  decodeContainer,
  type EngineContainer,
  groupContainers,
  makeEngineBranch,
} from '#service/docker/engine-container.ts';

const container = (name: string, parts: Partial<EngineContainer> = {}): EngineContainer => {
  const decoded = decodeContainer({Id: `${name}-id`, Name: name, State: {Status: 'running'}});
  return {...(decoded ?? expect.unreachable('it is one')), ...parts};
};

const branchOf = (containers: readonly EngineContainer[]) =>
  makeEngineBranch({siteId: 'shop', id: 'shop/web', name: 'web', containers}, undefined);

test.each<readonly [what: string, parts: Partial<EngineContainer>, trouble: unknown]>([
  ['it runs', {}, undefined],
  ['it restarted once', {restartCount: 1}, {state: 'past', reason: 'restarted ×1'}],
  ['it is unhealthy', {isUnhealthy: true, restartCount: 1}, {state: 'now', reason: 'unhealthy'}],
  [
    'it restarts',
    {state: 'restarting', restartCount: 3, exitCode: 1},
    {state: 'now', reason: 'restarting ×3, exited (1)'},
  ],
  ['it restarts the first time', {state: 'restarting', exitCode: 1}, {state: 'now', reason: 'restarting, exited (1)'}],
  ['it has ended well', {state: 'exited', restartCount: 1}, undefined],
  ['it was stopped', {state: 'exited', exitCode: 143}, undefined],
  [
    'it was killed',
    {state: 'exited', exitCode: 137, isOomKilled: true},
    {state: 'now', reason: 'exited (137, OOMKilled)'},
  ],
  ['it is dead', {state: 'dead', exitCode: 1}, {state: 'now', reason: 'exited (1)'}],
  ['it was created', {state: 'created', exitCode: 1}, undefined],
])('the trouble of a container: %s', (_, parts, trouble) => {
  const {record} = branchOf([container('web-1', parts)]);
  expect(record.troubles).toEqual(trouble === undefined ? undefined : [{...(trouble as object), pod: 'web-1'}]);
});

test('what does not work now is told before what did not', () => {
  const troubles = branchOf([container('a', {restartCount: 1}), container('b', {isUnhealthy: true})]).record.troubles;
  expect(troubles).toMatchObject([{pod: 'b'}, {pod: 'a'}]);
});

test.each([
  [['exited', 'running'], 'running'],
  [['running', 'restarting'], 'restarting'],
  [['exited', 'created'], 'created'],
  [['exited', 'paused'], 'paused'],
  [['dead'], 'dead'],
  [['removing', 'exited'], 'exited'],
  [[], 'gone'],
])('containers that are %j are a branch that is %s', (states, status) => {
  const {record} = branchOf(states.map((state, index) => container(`web-${index}`, {state})));
  expect(record.status).toBe(status);
});

test('a branch was created with its first container, and changed with the newest start', () => {
  const {record} = branchOf([
    container('a', {createdAtMs: 2_000, startedAtMs: 3_000}),
    container('b', {createdAtMs: 1_000, startedAtMs: 5_000}),
    container('c', {createdAtMs: 4_000, startedAtMs: 4_000, state: 'exited'}),
  ]);
  expect(record).toMatchObject({
    name: 'web',
    applicationName: 'web',
    replicas: 2,
    createdAt: '1970-01-01T00:00:01.000Z',
    updatedAt: '1970-01-01T00:00:05.000Z',
  });
});

test.each([
  ['created', 'waiting', undefined],
  ['running', 'running', undefined],
  ['paused', 'running', undefined],
  ['restarting', 'running', undefined],
  ['stopping', 'running', undefined],
  ['exited', 'terminated', 9],
  ['dead', 'terminated', 9],
])('the log of a container that is %s is one that is %s', (engineState, state, finishedAtMs) => {
  const {places, pods} = branchOf([
    container('web-1', {state: engineState, finishedAtMs: 9, startedAt: 'then', createdAtMs: 5, project: 'shop'}),
  ]);
  const expectedEnd = engineState === 'created' ? 9 : finishedAtMs;
  expect(places).toEqual([
    {
      namespace: 'shop',
      podName: 'web-1',
      podUid: 'web-1-id',
      container: '',
      containerKind: 'app',
      instanceId: 'web-1-id then',
      restartCount: 0,
      state,
      finishedAtMs: expectedEnd,
      isFinished: false,
      podCreatedAtMs: 5,
      isSeenFromStart: false,
    },
  ]);
  expect(pods.map(({name}) => name)).toEqual(state === 'running' ? ['web-1'] : []);
});

test('what has not changed is the same object', () => {
  const group = (parts: Partial<EngineContainer>) => ({
    siteId: 'shop',
    id: 'shop/web',
    name: 'web',
    containers: [container('web-1', parts)],
  });
  const before = makeEngineBranch(group({}), undefined);
  const same = makeEngineBranch(group({}), before);
  expect(
    [same.record, same.pods, same.places].map(
      (each, index) => each === [before.record, before.pods, before.places][index],
    ),
  ).toEqual([true, true, true]);
  const unhealthy = makeEngineBranch(group({isUnhealthy: true}), before);
  expect([
    unhealthy.record === before.record,
    unhealthy.pods === before.pods,
    unhealthy.places === before.places,
  ]).toEqual([false, true, true]);
});

test('containers are grouped by project and service, in the order of their names', () => {
  const groups = groupContainers(
    [
      container('shop-web-2', {project: 'shop', service: 'web'}),
      container('shop-web-1', {project: 'shop', service: 'web'}),
      container('blog-web-1', {project: 'blog', service: 'web'}),
      container('alone'),
    ],
    (siteId, name) => `${siteId}|${name}`,
  );
  expect(groups.map(({siteId, id, name, containers}) => [siteId, id, name, containers.map(each => each.name)])).toEqual(
    [
      ['no project', 'no project|alone', 'alone', ['alone']],
      ['blog', 'blog|web', 'web', ['blog-web-1']],
      ['shop', 'shop|web', 'web', ['shop-web-1', 'shop-web-2']],
    ],
  );
});
