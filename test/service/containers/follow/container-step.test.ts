import {describe, expect, test} from 'vitest';
import {CallError} from '#service/backend/errors.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';
import {
  beginContainer,
  type ContainerEvent,
  type ContainerState,
  isFinishing,
  isShared,
  step,
} from '#service/containers/follow/container-step.ts';
import {unopenedLog} from '#service/containers/log/log-end.ts';
import type {LogReadEnd} from '#service/containers/log/log-read.ts';

const place: ContainerPlace = {
  namespace: 'shop',
  podName: 'web',
  podUid: 'uid',
  container: 'php',
  containerKind: 'app',
  instanceId: 'one',
  restartCount: 0,
  state: 'running',
  finishedAtMs: undefined,
  isFinished: false,
  podCreatedAtMs: 0,
  isSeenFromStart: true,
};
const terminated = {...place, state: 'terminated'} as const;
const finished = {...terminated, isFinished: true};
const restarted = {...place, instanceId: 'two', restartCount: 1};

/** The last line seen before a read that did not bring it again, as far as anybody can tell. */
const lastBefore = {stamp: 1n, line: '1970-01-01T00:00:00.000000001Z seen'};

const began: ContainerEvent = {kind: 'began', asOf: place, isFirst: true, unseen: undefined};
const clean: LogReadEnd = {kind: 'clean', rest: []};
const notFound: LogReadEnd = {kind: 'failed', error: new CallError('status', 'Not found.', {status: 404})};
const atEnd: ContainerEvent = {kind: 'readEnded', end: clean, isAtEnd: true, isJoined: true};
const tick: ContainerEvent = {kind: 'ticked', silentMs: 0, isAuditDue: true};
const turned = (asOf: ContainerPlace, end: LogReadEnd): ContainerEvent => ({kind: 'turned', asOf, end});

const at = (atMs: number, ...events: readonly ContainerEvent[]) => events.map(event => [atMs, event] as const);

/** What follows from the last of some events, each at its time. */
const stepped = (begun: ContainerPlace, ...events: readonly (readonly [number, ContainerEvent])[]) => {
  const first = beginContainer(begun, unopenedLog({readsMin: 2, mayHaveUnread: true, isLate: true}), false);
  let [state, effects]: [ContainerState, readonly unknown[]] = [first, []];
  for (const [atMs, event] of events) {
    ({state, effects} = step(state, event, atMs));
  }
  return {state, effects};
};

const open = at(1_000, began, {kind: 'opened'});

test('what is known to be missing before the first line is a hole before it', () => {
  const {effects, state} = stepped(place, ...at(0, {...began, unseen: 'the pod started unseen'}));
  expect([effects, state.hasTried]).toEqual([[{kind: 'hole', why: 'the pod started unseen'}], true]);
});

test('a stream is audited when that is due', () => {
  const effectsIf = (isAuditDue: boolean) =>
    stepped(place, ...open, ...at(9_000, {kind: 'ticked', silentMs: 8_000, isAuditDue})).effects;
  expect([effectsIf(true), effectsIf(false)]).toEqual([[{kind: 'audit'}], []]);
  expect(stepped(place, ...at(9_000, tick)).effects).toEqual([]);
});

describe('a pod that is gone', () => {
  const left = [...open, ...at(5_000, {kind: 'left'})];

  test('is read until its stream is silent for three seconds, and then told as unread', () => {
    const silent = (silentMs: number) => at(6_000, {kind: 'ticked', silentMs, isAuditDue: false});
    expect(stepped(place, ...left, ...silent(2_999)).effects).toEqual([]);
    const {effects, state} = stepped(place, ...left, ...silent(3_000));
    expect([effects, state.life.kind]).toEqual([[{kind: 'tellUnread'}, {kind: 'close'}], 'closed']);
  });

  test('is read for ten seconds at most', () => {
    expect(stepped(place, ...left, ...at(14_999, tick)).effects).toEqual([{kind: 'audit'}]);
    expect(stepped(place, ...left, ...at(15_000, tick)).state.life.kind).toBe('closed');
  });

  test('is followed on if it comes back', () => {
    expect(stepped(place, ...left, ...at(6_000, {kind: 'stayed'}, tick)).effects).toEqual([{kind: 'audit'}]);
  });

  test('is a hole if its log was never open', () => {
    expect(stepped(place, ...at(0, {kind: 'left'}), ...at(500, turned(place, notFound))).effects).toEqual([
      {kind: 'hole', why: 'it was gone before it could be read'},
      {kind: 'close'},
    ]);
  });

  test('is read again while its node only says why it cannot be read', () => {
    const fault: LogReadEnd = {kind: 'fault', sentence: 'busy', hasLines: false};
    expect(stepped(place, ...left, ...at(5_500, atEnd, turned(place, fault))).state.life.kind).toBe('leaving');
  });

  test('is closed without a word once two reads have reached the end of its log', () => {
    const events = [...left, ...at(5_500, atEnd, began, atEnd)];
    expect(isFinishing(stepped(place, ...left).state)).toBe(true);
    expect(isFinishing(stepped(place, ...events).state)).toBe(false);
    expect(stepped(place, ...events, ...at(5_500, turned(place, clean))).effects).toEqual([{kind: 'close'}]);
  });
});

describe('the next pod of the name', () => {
  const next = {...place, podUid: 'next', podCreatedAtMs: 4_000};

  test('shares a first stream that was opened just now, and that one is closed', () => {
    const {state} = stepped(place, ...open);
    expect(isShared(state, {next, firstStamp: undefined}, 5_000)).toBe(true);
    expect(step(state, {kind: 'handedOver', next, firstStamp: undefined, isJoined: true}, 5_000).effects).toEqual([
      {kind: 'tellUnread'},
      {kind: 'close'},
    ]);
  });

  test('ends a stream of which nobody knows whose lines it brings', () => {
    const {state} = stepped(place, ...open, ...at(30_000, {kind: 'left'}));
    expect(step(state, {kind: 'handedOver', next, firstStamp: undefined, isJoined: false}, 30_000).effects).toEqual([
      {kind: 'tellUnread'},
      {kind: 'close'},
    ]);
  });

  test('leaves a stream alone that is known to be of the pod before', () => {
    const {state} = stepped(place, ...open, ...at(30_000, {kind: 'left'}));
    expect(isShared(state, {next, firstStamp: undefined}, 30_000)).toBe(false);
    const handed = step(state, {kind: 'handedOver', next, firstStamp: undefined, isJoined: true}, 30_000);
    expect([handed.effects, handed.state.life]).toEqual([
      [{kind: 'tellUnread'}],
      {kind: 'leaving', sinceMs: 30_000, hasNext: true},
    ]);
  });

  test.each([
    ['of which the previous instance proves that it is of the same pod', {lastBefore, isNext: true}],
    ['before which nothing was seen', {lastBefore: undefined, isNext: false}],
  ])('does not share a read long ago %s', (_, how) => {
    const joined: ContainerEvent = {kind: 'joinedByPrevious', isFirst: false, ...how};
    const {state} = stepped(place, ...open, ...at(2_000, joined));
    expect(isShared(state, {next, firstStamp: undefined}, 30_000)).toBe(false);
  });

  test('shares what did not join the lines before', () => {
    const joined: ContainerEvent = {kind: 'joinedByPrevious', lastBefore, isFirst: false, isNext: false};
    const {state} = stepped(place, ...open, ...at(29_000, joined));
    expect(isShared(state, {next, firstStamp: undefined}, 30_000)).toBe(true);
    expect(step(state, {kind: 'handedOver', next, firstStamp: undefined, isJoined: true}, 30_000).effects).toEqual([
      {kind: 'close'},
    ]);
  });
});

describe('a container that ended', () => {
  test('has two seconds for its stream to end', () => {
    const events = [...open, ...at(5_000, {kind: 'placed', place: terminated})];
    expect(stepped(place, ...events).effects).toEqual([{kind: 'wake'}]);
    expect(stepped(place, ...events, ...at(6_999, tick)).effects).toEqual([{kind: 'audit'}]);
    expect(stepped(place, ...events, ...at(7_000, tick)).effects).toEqual([{kind: 'closeRead'}]);
    const restarts = at(6_000, {kind: 'placed', place: restarted});
    expect(stepped(place, ...events, ...restarts, ...at(7_000, tick)).effects).toEqual([{kind: 'closeRead'}]);
  });

  test('is a loss once its log cannot be found for ten seconds, and given up if it has done its work', () => {
    const missing = (of: ContainerPlace) => [
      ...open,
      ...at(2_000, atEnd, turned(of, notFound)),
      ...at(9_000, turned(of, notFound)),
    ];
    expect(stepped(terminated, ...missing(terminated), ...at(11_999, tick)).effects).toEqual([]);
    expect(stepped(terminated, ...missing(terminated), ...at(12_000, tick)).effects).toEqual([{kind: 'tellUnread'}]);
    expect(stepped(finished, ...missing(finished), ...at(12_000, tick)).effects).toEqual([
      {kind: 'tellUnread'},
      {kind: 'close'},
    ]);
  });

  test('warns of the sentence that its node wrote in place of a line', () => {
    const fault: LogReadEnd = {kind: 'fault', sentence: 'no such file', hasLines: false};
    const warned = [{kind: 'warnOfFault', sentence: 'no such file'}];
    expect(stepped(terminated, ...at(0, turned(terminated, fault))).effects).toEqual(warned);
    expect(stepped(place, ...at(0, turned(place, fault))).effects).toEqual([]);
    expect(stepped(place, ...at(0, turned(place, {...fault, hasLines: true}))).effects).toEqual(warned);
  });
});

test('a restart before the first read is a hole only while that read may have been of the second instance', () => {
  const begun: ContainerEvent = {...began, asOf: restarted};
  const doubted = at(0, begun, {kind: 'firstDoubted'}, {kind: 'joined'});
  expect(stepped(restarted, ...doubted).effects).toEqual([
    {kind: 'hole', why: 'the container restarted before it was first read'},
  ]);
  expect(stepped(restarted, ...doubted, ...at(1, {kind: 'joined'})).effects).toEqual([]);
  expect(
    stepped(restarted, ...at(0, begun, {kind: 'firstDoubted'}, {kind: 'doubted'}, {kind: 'joined'})).effects,
  ).toEqual([]);
});

test('reads that prove nothing are counted until one joins', () => {
  const {state} = stepped(place, ...open, ...at(2_000, {kind: 'undecided'}, {kind: 'undecided'}));
  expect(state.emptyReads).toBe(2);
  const joined: ContainerEvent = {kind: 'joinedByPrevious', lastBefore: undefined, isFirst: true, isNext: false};
  expect(step(state, joined, 3_000).state).toMatchObject({emptyReads: 0, mayBeOfNextPod: false});
});

test('a new instance may have lines of its own, and is no reason to take the log for that of the next pod', () => {
  const joined: ContainerEvent = {kind: 'joinedByPrevious', lastBefore, isFirst: false, isNext: false};
  const {state} = stepped(place, ...open, ...at(2_000, joined, atEnd, {kind: 'placed', place: restarted}));
  expect(state).toMatchObject({mayBeOfNextPod: false, logEnd: {reads: 0, mayHaveUnread: true}});
});

test('after its close nothing follows from anything', () => {
  const closed = [...open, ...at(2_000, {kind: 'closed'})];
  expect(stepped(place, ...closed).effects).toEqual([{kind: 'close'}]);
  for (const event of [{kind: 'closed'}, tick, turned(place, clean)] satisfies ContainerEvent[]) {
    expect(stepped(place, ...closed, ...at(99_000, event)).effects).toEqual([]);
  }
});
