import {expect, test} from 'vitest';
import {CallError} from '#service/backend/errors.ts';
import {KubeError} from '#service/kubernetes/kube-client.ts';
import {
  findOutage,
  firstReflectorState,
  type ReflectorEvent,
  type ReflectorState,
  step,
} from '#service/kubernetes/watch/reflector-step.ts';

const moment = (atMs: number, isNeeded = true) => ({atMs, random: 0, name: 'pods of namespace shop', isNeeded});
const down = new KubeError('connection', 'The cluster does not answer.');
const refusedList = new KubeError('status', 'The cluster refuses to list pods (403).', {status: 403});
const listed: ReflectorEvent = {kind: 'listed', version: '42', startedMs: 900};
const bookmark: ReflectorEvent = {kind: 'told', told: {kind: 'bookmark', version: '43'}};
const added: ReflectorEvent = {
  kind: 'told',
  told: {kind: 'changed', isAdded: true, object: {name: 'a'}, version: '44'},
};
const ended: ReflectorEvent = {kind: 'watchEnded', end: {kind: 'ended'}};

/** What follows from the last of some events, each at its time. */
const after = (...events: readonly (readonly [number, ReflectorEvent])[]) => {
  let [state, effects]: [ReflectorState, readonly unknown[]] = [firstReflectorState, []];
  for (const [atMs, event] of events) {
    ({state, effects} = step(state, event, moment(atMs)));
  }
  return {state, effects};
};

test('watches from the version of the list', () => {
  const {state, effects} = after([1_000, listed]);
  expect(state).toMatchObject({isListed: true, version: '42', heardMs: 900, listedMs: 1_000});
  expect(effects).toEqual([{kind: 'tell'}, {kind: 'settle'}, {kind: 'watch'}]);
});

test('a list that failed is repeated after a pause, and readers are told why there is none', () => {
  const {state, effects} = after([1_000, {kind: 'listFailed', error: down}]);
  expect(effects).toEqual([{kind: 'tell'}, {kind: 'settle'}, {kind: 'pause', ms: 500}]);
  expect(state.failure).toBe(down);
  expect(step(state, {kind: 'rested'}, moment(1_500)).effects).toEqual([{kind: 'list'}]);
});

test('a server that asks to wait has not failed yet', () => {
  const busy = new KubeError('status', 'Too many requests (429).', {status: 429, retryAfterMs: 3_000});
  expect(after([1_000, {kind: 'listFailed', error: busy}]).effects).toEqual([
    {kind: 'tell'},
    {kind: 'pause', ms: 3_000},
  ]);
});

test('a refusal of what is not needed goes without a word', () => {
  const warned = {
    kind: 'warn',
    message: 'The pods of namespace shop cannot be listed. The cluster refuses to list pods (403).',
  };
  const effectsIf = (isNeeded: boolean) =>
    step(firstReflectorState, {kind: 'listFailed', error: refusedList}, moment(0, isNeeded)).effects;
  expect(effectsIf(true)).toContainEqual(warned);
  expect(effectsIf(false)).not.toContainEqual(warned);
});

test('a change moves the version on, and clears the failures before it', () => {
  const {state, effects} = after(
    [1_000, {kind: 'listFailed', error: down}],
    [1_500, listed],
    [3_000, {kind: 'opened'}],
    [3_100, added],
  );
  expect(state).toMatchObject({version: '44', failures: 0, failedTries: 0, heardMs: 3_100});
  expect(effects).toEqual([{kind: 'put', object: {name: 'a'}, isFromStart: false}]);
});

test.each([
  ['two seconds after the list at most', 2_900, 2_900, true],
  ['later: it may have come during the pause', 2_901, 2_901, false],
  ['once what happened during the pause has come', 2_901, 4_901, true],
])('an object is seen from its start if the watch opens %s', (_, openedMs, atMs, isFromStart) => {
  const {effects} = after([1_000, listed], [openedMs, {kind: 'opened'}], [atMs, added]);
  expect(effects).toEqual([{kind: 'put', object: {name: 'a'}, isFromStart}]);
});

test('a watch that told something goes on from there when it ends', () => {
  const {state, effects} = after([1_000, listed], [1_001, {kind: 'opened'}], [2_000, bookmark], [41_000, ended]);
  expect([effects, state.version, state.watch.lastHeardMs]).toEqual([[{kind: 'watch'}], '43', 41_000]);
});

test('after a silent watch the cluster is asked for its version, and listed again if that went back', () => {
  const silent = after([1_000, listed], [1_001, {kind: 'opened'}], [41_000, ended]);
  expect(silent.effects).toEqual([{kind: 'readVersion'}]);
  const answered = (event: ReflectorEvent) => {
    const {state, effects} = step(silent.state, event, moment(41_100));
    return [effects, state.outages];
  };
  expect(answered({kind: 'versionRead', version: '41'})).toEqual([[{kind: 'list'}], 1]);
  expect(answered({kind: 'versionRead', version: '42'})).toEqual([[{kind: 'watch'}], 0]);
  expect(answered({kind: 'versionRead', version: 'opaque'})).toEqual([[{kind: 'watch'}], 0]);
  expect(answered({kind: 'versionFailed', error: down})).toEqual([[{kind: 'watch'}], 0]);
});

test('versions that are no numbers are not compared', () => {
  const {state} = after([1_000, {...listed, version: 'opaque'}], [1_001, {kind: 'opened'}], [41_000, ended]);
  expect(step(state, {kind: 'versionRead', version: '41'}, moment(41_100)).effects).toEqual([{kind: 'watch'}]);
});

test('a watch that ends at once is no success, and the next one waits', () => {
  expect(after([1_000, listed], [1_001, {kind: 'opened'}], [1_900, ended]).effects).toEqual([{kind: 'pause', ms: 500}]);
});

test('a version that is too old ends the watch, and the list that follows counts an outage if it comes late', () => {
  const events = [
    [1_000, listed],
    [1_001, {kind: 'opened'}],
    [9_000, {kind: 'told', told: {kind: 'failed', status: 410, reason: 'Expired', message: 'too old'}}],
  ] as const;
  expect(after(...events).effects).toEqual([{kind: 'endWatch', end: {kind: 'gone'}}]);
  const {state, effects} = after(...events, [9_000, {kind: 'watchEnded', end: {kind: 'gone'}}]);
  expect(effects).toEqual([{kind: 'list'}]);
  expect(step(state, {...listed, startedMs: 9_001}, moment(9_002)).state.outages).toBe(1);
});

test('whoever may not watch any more lists at once, but twice a minute at most', () => {
  const refusal: ReflectorEvent = {kind: 'watchEnded', end: {kind: 'failed', error: refusedList}};
  const opened = [
    [1_000, listed],
    [1_001, {kind: 'opened'}],
  ] as const;
  expect(after(...opened, [31_000, refusal]).effects).toEqual([{kind: 'list'}]);
  const {state, effects} = after(...opened, [30_999, refusal]);
  expect(effects).toEqual([
    {kind: 'warn', message: 'The pods of namespace shop cannot be watched. The cluster refuses to list pods (403).'},
    {kind: 'pause', ms: 30_000},
  ]);
  expect(state.next).toBe('list');
});

test('credentials that a watch shows to be refused are a failure of the list, too', () => {
  const error = new CallError('status', 'The cluster does not accept the token (401).', {status: 401});
  expect(after([1_000, listed], [2_000, {kind: 'watchEnded', end: {kind: 'failed', error}}]).state.failure).toBe(error);
});

test('changes that have not come for ten seconds are an outage', () => {
  const {state} = after([1_000, listed], [2_000, {kind: 'watchEnded', end: {kind: 'failed', error: down}}]);
  expect([findOutage(state, 11_999), findOutage(state, 12_000)]).toEqual([undefined, down]);
  expect(findOutage(step(state, {kind: 'opened'}, moment(12_000)).state, 12_000)).toBeUndefined();
});
