import {expect, onTestFinished, test, vi} from 'vitest';
import {CallError} from '#service/backend/errors.ts';
import {
  type ContainerPlace,
  describePlace,
  isContainerPlace,
  nameContainerSource,
  unitOf,
} from '#service/containers/container-logs.ts';
import {
  createReadFailure,
  createReadRetry,
  isWaiting,
  type OutOfReach,
  troubleOf,
} from '#service/containers/follow/read-pause.ts';
import {isSameState, mayBeOfNext} from '#service/containers/followed-container.ts';
import {isDrained, isReached, noteInstance, noteReadEnd, unopenedLog} from '#service/containers/log/log-end.ts';
import type {LogReadEnd} from '#service/containers/log/log-read.ts';

const clean: LogReadEnd = {kind: 'clean', rest: []};
const failed = (status: number | undefined, kind: CallError['kind'] = 'status'): LogReadEnd => ({
  kind: 'failed',
  error: new CallError(kind, 'It failed.', {status}),
});

type NotedRead = readonly [isAtEnd: boolean, hasEnded?: boolean, how?: LogReadEnd];

/** What is known of a log after some reads of it. */
const afterReads = (...reads: readonly NotedRead[]) =>
  reads.reduce(
    (log, [isAtEnd, hasEnded = true, how = clean]) => noteReadEnd(log, how, {isAtEnd, hasEnded, restartCount: 3}),
    unopenedLog({readsMin: 2, mayHaveUnread: true, isLate: true}),
  );

test('two reads in a row that bring nothing more prove that an instance was read to its end', () => {
  const once = afterReads([true]);
  expect([isDrained(once), isReached(once), once.mayHaveUnread, once.drainedCount]).toEqual([
    false,
    false,
    true,
    undefined,
  ]);
  const apart = afterReads([true], [false], [true]);
  expect([isDrained(apart), isReached(apart)]).toEqual([false, false]);
  const twice = afterReads([true], [false], [true], [true]);
  expect([isDrained(twice), isReached(twice), twice.mayHaveUnread]).toEqual([true, true, false]);
  expect(twice.drainedCount).toBe(3);
});

test('while an instance may go on, reads reach its end but prove nothing of it', () => {
  const log = afterReads([true, false], [true, false]);
  expect([isReached(log), isDrained(log), log.mayHaveUnread]).toEqual([true, false, true]);
});

test('a request that was refused says nothing of a log; one that broke does', () => {
  expect(isReached(afterReads([true], [false, true, failed(500)], [true]))).toBe(true);
  expect(isReached(afterReads([true], [false, true, failed(undefined, 'connection')], [true]))).toBe(false);
});

test('a new instance begins anew, and may have lines once it has started', () => {
  const log = noteInstance(afterReads([true], [true]), true);
  expect([isReached(log), isDrained(log), log.mayHaveUnread, log.drainedCount]).toEqual([false, false, true, 3]);
  expect(noteInstance(log, false).mayHaveUnread).toBe(false);
});

const createFailure = () => {
  let nowMs = 0;
  const failure = createReadFailure('The log of web', () => nowMs);
  return {
    ...failure,
    skip: (ms: number): void => {
      nowMs += ms;
    },
  };
};

const words = 'It failed. The log of web cannot be read.';

test('a log cannot be read once that lasts five seconds', () => {
  const {noteEnd, sentence, isInDoubt, skip} = createFailure();
  expect([sentence(), isInDoubt()]).toEqual([undefined, false]);
  noteEnd(failed(500), 'running');
  skip(4_999);
  noteEnd(failed(500), 'running');
  expect([sentence(), isInDoubt()]).toEqual([undefined, true]);
  skip(1);
  expect([sentence(), isInDoubt()]).toEqual([words, false]);
  noteEnd(clean, 'running');
  expect([sentence(), isInDoubt()]).toEqual([undefined, false]);
});

test.each([
  [401, 'running', words],
  [403, 'running', words],
  [500, 'running', undefined],
  [404, 'running', undefined],
])('a refusal is told at once: %i while it is %s', (status, state, told) => {
  const {noteEnd, sentence} = createFailure();
  noteEnd(failed(status), state as 'running');
  expect(sentence()).toBe(told);
});

test.each([204, 400, 404])('only a container that runs must have a log: %i', status => {
  const {noteEnd, sentence, isInDoubt, skip} = createFailure();
  noteEnd(failed(status), 'waiting');
  skip(10_000);
  expect([sentence(), isInDoubt()]).toEqual([undefined, false]);
  noteEnd(failed(status), 'running');
  skip(5_000);
  expect(sentence()).toBe(words);
  noteEnd(failed(status), 'terminated');
  expect(sentence()).toBeUndefined();
});

test('a sentence of the node without lines is a failure, and one after lines is none', () => {
  const {noteEnd, sentence, isInDoubt, skip} = createFailure();
  noteEnd({kind: 'fault', sentence: 'no such file', hasLines: false}, 'terminated');
  expect(isInDoubt()).toBe(false);
  noteEnd({kind: 'fault', sentence: 'no such file', hasLines: true}, 'running');
  expect(isInDoubt()).toBe(false);
  noteEnd({kind: 'fault', sentence: 'no such file', hasLines: false}, 'running');
  skip(5_000);
  expect(sentence()).toBe('Its node says: no such file. The log of web cannot be read.');
  noteEnd({kind: 'closed'}, 'running');
  expect(sentence()).toBeDefined();
});

test('an answer that begins ends a failure, but one of the node after two seconds only', () => {
  const {note, noteOpen, isInDoubt, skip} = createFailure();
  note(new CallError('status', 'It failed.', {status: 500}), 'running');
  noteOpen();
  expect(isInDoubt()).toBe(false);
  const body = new CallError('body', 'Its node says: x.');
  note(body, 'running');
  noteOpen();
  skip(1_999);
  noteOpen();
  expect(isInDoubt()).toBe(true);
  skip(1);
  expect(isInDoubt()).toBe(false);
  note(body, 'running');
  noteOpen();
  skip(1_000);
  // It was the sentence again.
  note(body, 'running');
  skip(1_500);
  expect(isInDoubt()).toBe(true);
});

test('the next failure after an answer that lasted is a new one', () => {
  const {note, noteOpen, sentence, skip} = createFailure();
  const body = new CallError('body', 'Its node says: x.');
  note(body, 'running');
  noteOpen();
  skip(4_000);
  note(body, 'running');
  skip(4_999);
  expect(sentence()).toBeUndefined();
});

test('when another log is back, this one has its time anew, once', () => {
  const {noteEnd, noteOthersBack, sentence, skip} = createFailure();
  noteEnd(failed(500), 'running');
  skip(4_000);
  noteOthersBack();
  skip(4_000);
  expect(sentence()).toBeUndefined();
  noteOthersBack();
  skip(1_000);
  expect(sentence()).toBe(words);
  noteEnd(clean, 'running');
  noteEnd(failed(500), 'running');
  skip(4_000);
  noteOthersBack();
  skip(4_000);
  expect(sentence()).toBeUndefined();
});

const createRetry = (outOfReach: OutOfReach = new Set(), random = () => 1) => {
  const heard: string[] = [];
  const retry = createReadRetry({outOfReach, random}, () => heard.push('back'));
  return {...retry, heard};
};

const broken = new CallError('connection', 'It failed.');

test('pauses grow while reads bring nothing, and not for a server that says how long to wait', () => {
  const {noteEnd} = createRetry();
  const busy = new CallError('status', 'Busy.', {status: 429, retryAfterMs: 4_000});
  expect([noteEnd('ended', false), noteEnd('ended', false), noteEnd(busy, false), noteEnd('ended', false)]).toEqual([
    200, 400, 5_000, 800,
  ]);
  expect([noteEnd('ended', true), noteEnd('ended', false)]).toEqual([200, 200]);
});

test('logs that were out of reach are tried within a second when one of them is back', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const outOfReach: OutOfReach = new Set();
  const [one, two, three] = [createRetry(outOfReach), createRetry(outOfReach, () => 0), createRetry(outOfReach)];
  one.noteEnd(broken, false);
  two.noteEnd(broken, false);
  // Whose rights are missing is not helped by another that is back.
  three.noteEnd(new CallError('status', 'No.', {status: 403}), false);
  expect(outOfReach.size).toBe(2);
  const rested: string[] = [];
  void two.rest(20_000).then(() => rested.push('two'));
  void three.rest(20_000).then(() => rested.push('three'));
  one.noteOpen();
  expect([outOfReach.size, two.heard, three.heard, one.heard]).toEqual([1, ['back'], [], []]);
  await vi.advanceTimersByTimeAsync(499);
  expect(rested).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(rested).toEqual(['two']);
  // It was not out of reach any more.
  one.noteOpen();
  expect(two.heard).toEqual(['back']);
  three.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(rested).toEqual(['two', 'three']);
});

test('a rest ends in time, when it is woken, or with its end, and a short one is not hurried', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const outOfReach: OutOfReach = new Set();
  const [one, two] = [createRetry(outOfReach), createRetry(outOfReach)];
  one.noteEnd(broken, false);
  two.noteEnd(broken, false);
  const rested: number[] = [];
  void two.rest(1_000).then(() => rested.push(1));
  await vi.advanceTimersByTimeAsync(900);
  one.noteOpen();
  await vi.advanceTimersByTimeAsync(100);
  expect(rested).toEqual([1]);
  void two.rest(60_000).then(() => rested.push(2));
  two.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect([rested, vi.getTimerCount()]).toEqual([[1, 2], 0]);
  two.close();
  expect(outOfReach.size).toBe(0);
});

test('what ended a read is its error, a fault of the node, or nothing', () => {
  const error = new CallError('status', 'No.', {status: 400});
  expect([
    troubleOf({kind: 'failed', error}),
    troubleOf({kind: 'fault', sentence: 'x', hasLines: false}),
    troubleOf(clean),
    troubleOf({kind: 'closed'}),
  ]).toEqual([error, 'fault', 'ended', 'ended']);
  expect([204, 400, 404, 403, undefined].map(status => isWaiting(new CallError('status', '', {status})))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

const place: ContainerPlace = {
  namespace: 'shop',
  podName: 'web-0',
  podUid: 'u',
  container: 'php',
  containerKind: 'app',
  instanceId: 'c1',
  restartCount: 0,
  state: 'running',
  finishedAtMs: undefined,
  isFinished: false,
  podCreatedAtMs: 100_000,
  isSeenFromStart: true,
};

test('a place is named as people know it', () => {
  const alone = {...place, container: ''};
  const init = {...place, containerKind: 'init', container: 'migrate'} as const;
  expect([place, init].map(nameContainerSource)).toEqual(['php', 'init:migrate']);
  expect([place, init, alone].map(describePlace)).toEqual([
    'pod web-0, container php,',
    'pod web-0, container init:migrate,',
    'container web-0',
  ]);
  expect([unitOf(place), unitOf(alone), isContainerPlace(place), isContainerPlace({})]).toEqual([
    'pod',
    'container',
    true,
    false,
  ]);
});

test('a state is another one if its instance, its restarts or its state are', () => {
  expect(isSameState(place, {...place, podCreatedAtMs: 5})).toBe(true);
  const others = [{instanceId: 'c2'}, {restartCount: 1}, {state: 'waiting'} as const];
  expect(others.map(other => isSameState(place, {...place, ...other}))).toEqual([false, false, false]);
});

test.each<readonly [what: string, stream: object, nowMs: number, mayBe: boolean]>([
  ['it was opened just now', {}, 120_000, true],
  ['it was opened 20 s ago', {openedMs: 100_000}, 120_000, false],
  ['it was opened a moment later', {openedMs: 100_001}, 120_000, true],
  ['it follows another one', {isFirst: false}, 120_000, false],
  ['its first line is from before the next pod', {firstStamp: 94_999_000_000n}, 120_000, false],
  ['but clocks differ by five seconds', {firstStamp: 95_000_000_000n}, 120_000, true],
])('a stream may be of the next pod of a name: %s', (_, stream, nowMs, mayBe) => {
  const whole = {isFirst: true, openedMs: undefined, firstStamp: undefined, ...stream};
  expect(mayBeOfNext(whole as never, place, nowMs)).toBe(mayBe);
});
