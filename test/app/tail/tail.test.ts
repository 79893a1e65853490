import {describe, expect, test} from 'vitest';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError, type ApiErrorKind} from '#api/client/api-error.ts';
import {
  canReadBackTo,
  canReadOn,
  createTail,
  isUnread,
  pollFailed,
  pollSent,
  pollTail,
  recordingEnded,
  type Tail,
  windowArrived,
} from '#app/tail/tail.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import type {Added} from '#log/ingest/added.ts';
import {line, short} from '../../log/simulation/lines-at.ts';

const options = {intervalMs: 2000, bufferBytesMax: 1e6, keepsLateLines: false};

const answer = (...texts: readonly string[]): Answer<LogAnswer> => ({
  value: {
    lines: texts.map(line),
    pods: [{name: 'a', resourceVersion: '1', metadata: {}, createdAt: '1'}],
    sessionId: undefined,
    cut: 'branch',
  },
  status: 200,
  durationMs: 20,
  bodyBytes: 100,
  serviceTimeMs: undefined,
  skipped: [],
});

const arrive = (tail: Tail, nowMs: number, ...texts: readonly string[]) =>
  windowArrived(tail, answer(...texts), {nowMs, random: 0});
const fail = (tail: Tail, nowMs: number, kind: ApiErrorKind = 'network', retryAfterMs?: number) =>
  pollFailed(tail, {kind, message: 'localhost:1 refused', retryAfterMs}, {nowMs, random: 1});
const added = (step: {added: Added}): readonly string[] =>
  step.added.map(entry => (entry.kind === 'line' ? short(entry.raw) : entry.kind));

test('good polls bring their lines, make the connection live and learn the pace', () => {
  const tail = createTail(options);
  expect(tail.connection).toEqual({kind: 'connecting'});
  const first = arrive(tail, 1000, '1 a', '2 b');
  expect([added(first), first.nextPollInMs]).toEqual([['1 a', '2 b'], 250]);
  expect(first.tail.connection).toEqual({
    kind: 'live',
    lastGoodAtMs: 1000,
    nextPollAtMs: 1250,
    slowedToMs: undefined,
  });
  const second = arrive(first.tail, 1270, '1 a', '2 b');
  expect([added(second), second.nextPollInMs]).toEqual([[], 2700]);
});

test('of each poll but the first the inspector tells how much of the window before it had', () => {
  const first = arrive(createTail(options), 1000, '1 a', '2 b');
  const second = arrive(first.tail, 1270, '2 b', '3 c');
  const shares = second.tail.polls.latest.map(poll => (poll.kind === 'good' ? poll.overlapShare : poll.kind));
  expect(shares).toEqual([undefined, 0.5]);
});

test('a failed poll leaves the log as it was', () => {
  const first = arrive(createTail(options), 1000, '1 a', '2 b');
  const failed = fail(first.tail, 3000);
  expect(failed.tail.log).toBe(first.tail.log);
  expect(failed.tail.pace).toBe(first.tail.pace);
  expect(failed.added).toEqual([]);
});

test('faults tell since when, how often and when the next try is; the first good poll ends them', () => {
  const first = arrive(createTail(options), 1000, '1 a');
  const once = fail(first.tail, 3000);
  const twice = fail(once.tail, 4020);
  expect(twice.tail.connection).toEqual({
    kind: 'failing',
    errorKind: 'network',
    message: 'localhost:1 refused',
    sinceMs: 3000,
    retryAtMs: 6020,
    attemptNumber: 2,
    lastGoodAtMs: 1000,
  });
  expect([once.nextPollInMs, twice.nextPollInMs]).toEqual([1000, 2000]);
  const good = arrive(twice.tail, 6040, '1 a', '2 b');
  expect(good.tail.connection).toMatchObject({kind: 'live', lastGoodAtMs: 6040});
  expect(fail(good.tail, 8000).nextPollInMs).toBe(1000);
});

test('where no poll was good yet there is no last good one', () => {
  expect(fail(createTail(options), 500).tail.connection).toMatchObject({sinceMs: 500, lastGoodAtMs: undefined});
});

test('a gap is noticed across failed polls', () => {
  const first = arrive(createTail(options), 1000, '1 a', '2 b');
  const failed = fail(fail(first.tail, 3000).tail, 4000);
  expect(added(arrive(failed.tail, 6000, '8 h', '9 i'))).toEqual(['gap', '8 h', '9 i']);
});

test('the rate is that of the time since the last good answer, failed polls or not', () => {
  const first = arrive(createTail(options), 0, '1 a');
  const failed = fail(first.tail, 5000);
  const {pace} = arrive(failed.tail, 10_000, '1 a', '2 b', '3 c', '4 d', '5 e', '6 f').tail;
  expect(pace.highestRate).toBe(0.5);
});

test('after 429 the interval is doubled, and eased back with each good answer', () => {
  const first = arrive(arrive(createTail(options), 0, '1 a').tail, 270, '1 a');
  const limited = fail(first.tail, 3000, 'tooManyRequests', 7000);
  expect(limited.nextPollInMs).toBe(7000);
  const good = arrive(limited.tail, 10_000, '1 a', '2 b');
  expect(good.nextPollInMs).toBe(4000);
  const better = arrive(good.tail, 14_000, '1 a', '2 b', '3 c');
  expect(better.nextPollInMs).toBe(3200);
  const {tail} = [0, 1, 2, 3].reduce(
    (step, poll) => arrive(step.tail, 18_000 + poll * 4000, '1 a', '2 b', '3 c'),
    better,
  );
  expect(tail.slowDown).toBe(1);
});

test('however often 429 comes the interval is not stretched beyond sixteen times', () => {
  let {tail} = arrive(createTail(options), 0, '1 a');
  for (let poll = 0; poll < 10; poll++) {
    ({tail} = fail(tail, poll * 1000, 'tooManyRequests'));
  }
  expect(tail.slowDown).toBe(16);
});

test('lines too late for the buffer are handed out to whoever prints, ahead of the rest and only once', () => {
  // Each line takes 45 bytes.
  const printer = createTail({...options, bufferBytesMax: 3 * 45, keepsLateLines: true});
  const first = arrive(printer, 0, '10 aa', '20 bb', '30 cc', '40 dd');
  const second = arrive(first.tail, 300, '5 late', '40 dd', '50 ee');
  expect(added(second)).toEqual(['5 late', '50 ee']);
  expect(added(arrive(second.tail, 600, '5 late', '40 dd', '50 ee'))).toEqual([]);
  const screen = createTail({...options, bufferBytesMax: 3 * 45});
  expect(
    added(arrive(arrive(screen, 0, '10 aa', '20 bb', '30 cc', '40 dd').tail, 300, '5 late', '40 dd', '50 ee')),
  ).toEqual(['50 ee']);
});

test('two branches that are watched in turn do not mix', () => {
  const one = arrive(createTail(options), 0, '1 a').tail;
  const other = arrive(createTail(options), 0, '1 x').tail;
  expect(added(arrive(one, 300, '1 a', '2 b'))).toEqual(['2 b']);
  expect(added(arrive(other, 300, '1 x', '2 b'))).toEqual(['2 b']);
  expect(one.log.buffer.lineCount).toBe(1);
});

test('the polls are counted: what came, what was new or late, lines too late for the buffer among them, gaps and faults', () => {
  // Each line takes 45 bytes.
  const small = createTail({...options, bufferBytesMax: 3 * 45});
  const first = arrive(small, 0, '10 aa', '20 bb', '30 cc', '40 dd');
  const second = arrive(first.tail, 300, '5 late', '30 cc', '35 late', '40 dd', '50 ee');
  const {tail} = arrive(fail(second.tail, 600, 'server').tail, 2000, '70 ff', '80 gg', '90 hh');
  expect(tail.polls.sums).toEqual({polls: 4, failed: 1, bytes: 300, lines: 12, newLines: 10, lateLines: 2, gaps: 1});
  expect(tail.polls.latest.map(({kind, nextPollInMs, reason}) => [kind, nextPollInMs, reason])).toEqual([
    ['good', 250, 'learning the rate'],
    ['good', 375, 'the window fills soon'],
    ['failed', 1000, 'try 1 failed'],
    ['good', 250, 'the window moved on'],
  ]);
});

test('the horizon is marked where that is asked for, with the first line that ever came, and is not handed out', () => {
  const kinds = (tail: Tail): readonly string[] => sliceEntries(tail.log.buffer, 0, 10).map(({kind}) => kind);
  const empty = arrive(createTail({...options, marksHorizon: true}), 0);
  expect(kinds(empty.tail)).toEqual([]);
  const first = arrive(empty.tail, 300, '1 a', '2 b');
  expect(added(first)).toEqual(['1 a', '2 b']);
  expect(kinds(arrive(first.tail, 600, '2 b', '3 c').tail)).toEqual(['horizon', 'line', 'line', 'line']);
  expect(kinds(arrive(createTail(options), 0, '1 a').tail)).toEqual(['line']);
});

/** An answer of lines with numbers, of which the service holds so many. */
const numbered = (
  first: number,
  texts: readonly string[],
  held: number,
  next?: LogAnswer['next'],
): Answer<LogAnswer> => {
  const plain = answer(...texts);
  const last = first + texts.length - 1;
  const numbering = {series: 's', first, runs: [[0, texts.length] as const], sources: [{pod: 'a'}], losses: []};
  const arrivals = {series: 's', last, dropped: Math.max(0, last - held)};
  return {...plain, value: {...plain.value, numbering, arrivals, next}};
};

test('lines that had no room in the first answer are no news', () => {
  const at = (tail: Tail, nowMs: number, window: Answer<LogAnswer>): Tail =>
    windowArrived(tail, window, {nowMs, random: 0}).tail;
  const first = at(createTail(options), 0, numbered(1, ['1 a'], 9, 'there'));
  const second = at(first, 100, numbered(2, ['2 b'], 9));
  expect(second.lastNewLineAtMs).toBeUndefined();
  expect(at(second, 2000, numbered(3, ['3 c'], 9)).lastNewLineAtMs).toBe(2000);
});

test('lines that an answer waited for are news', () => {
  const at = (tail: Tail, nowMs: number, window: Answer<LogAnswer>): Tail =>
    windowArrived(tail, window, {nowMs, random: 0}).tail;
  const first = at(createTail(options), 0, numbered(1, ['1 a'], 9, 'awaited'));
  expect(at(first, 100, numbered(2, ['2 b'], 9, 'awaited')).lastNewLineAtMs).toBe(100);
});

test.each([
  ['as wanted where a service holds many times what comes', 1_000, 2000],
  ['soon where that is about what it holds', 60, 250],
])('a log whose lines have numbers is polled %s', (_, held, expected) => {
  const texts = Array.from({length: 50}, (_, index) => `1 ${index}`);
  const first = windowArrived(createTail(options), numbered(1, texts, held), {nowMs: 1000, random: 0});
  const next = numbered(
    51,
    Array.from({length: 40}, (_, index) => `3 ${index}`),
    held,
  );
  expect(windowArrived(first.tail, next, {nowMs: 21_000, random: 0}).nextPollInMs).toBe(expected);
});

test('lines that wait after those of an answer are asked for at once', () => {
  const first = windowArrived(createTail(options), numbered(1, ['1 a'], 100, 'there'), {nowMs: 1000, random: 0});
  expect(first.nextPollInMs).toBe(0);
});

describe('a tail', () => {
  const numbered = (change: object = {}): Answer<LogAnswer> => ({
    ...answer('1 a', '2 b'),
    value: {
      ...answer('1 a', '2 b').value,
      ...change,
    },
  });
  const arriveAt = (tail: Tail, nowMs: number, change: object) =>
    windowArrived(tail, numbered(change), {nowMs, random: 0});

  test('knows when a line last came, but not of its first window', () => {
    const first = arrive(createTail(options), 1000, '1 a');
    expect([first.tail.lastNewLineAtMs, first.tail.lastAnswerAtMs]).toEqual([undefined, 1000]);
    const second = arrive(first.tail, 2000, '1 a', '2 b');
    expect(second.tail.lastNewLineAtMs).toBe(2000);
    expect(arrive(second.tail, 3000, '1 a', '2 b').tail.lastNewLineAtMs).toBe(2000);
    const third = arrive(second.tail, 4000, '1 a', '2 b', '3 c');
    expect([third.tail.lastNewLineAtMs, third.tail.polls.latest.at(-1)]).toMatchObject([4000, {newLines: 1, lines: 3}]);
  });

  test('is slowed while it waits at least a second longer than wanted, and says why', () => {
    const first = arrive(createTail(options), 1000, '1 a');
    const reasons = (tail: Tail): string | undefined => tail.polls.latest.at(-1)?.reason;
    expect(reasons(first.tail)).not.toBe('slower after 429');
    let {tail} = fail(first.tail, 2000, 'tooManyRequests');
    expect(tail.slowDown).toBe(2);
    for (let count = 0; count < 8; count++) {
      tail = fail(tail, 3000, 'tooManyRequests').tail;
    }
    expect(tail.slowDown).toBe(16);
    const slow = arrive(tail, 60_000, '1 a');
    expect([slow.tail.slowDown, reasons(slow.tail)]).toEqual([12.8, 'slower after 429']);
    expect(slow.tail.connection).toMatchObject({kind: 'live', slowedToMs: slow.nextPollInMs});
    const slightly = arrive({...first.tail, slowDown: 1.4}, 60_000, '1 a');
    expect(slightly.nextPollInMs).toBeGreaterThan(2000);
    expect(slightly.nextPollInMs - 2000 >= 1000).toBe(
      slightly.tail.connection.kind === 'live' && slightly.tail.connection.slowedToMs !== undefined,
    );
    expect(arrive({...first.tail, slowDown: 1.1}, 2000, '1 a').tail.slowDown).toBe(1);
    expect(fail(first.tail, 2000, 'network').tail.slowDown).toBe(1);
  });

  test('tells what was no line, and whose pods can not be read', () => {
    const first = arriveAt(createTail(options), 1000, {notLines: [1, 2], unreadable: {count: 1}});
    expect([first.tail.notLineCount, first.tail.unreadable]).toEqual([2, {count: 1}]);
    const second = arriveAt(first.tail, 2000, {});
    expect([second.tail.notLineCount, second.tail.unreadable]).toEqual([0, undefined]);
  });

  test.each(['there', 'awaited'] as const)('asks again at once if the next lines are %s', next => {
    expect(arriveAt(createTail(options), 1000, {next}).nextPollInMs).toBe(0);
  });

  test('keeps what it knows of its pods while the same are listed', () => {
    const first = arrive(createTail(options), 1000, '1 a');
    expect(first.tail.pods.map(({pod, cameAtMs}) => [pod.name, cameAtMs])).toEqual([['a', undefined]]);
    const pods = [{name: 'b', resourceVersion: '1', metadata: {}, createdAt: '2'}];
    const second = arriveAt(first.tail, 2000, {pods});
    expect(second.tail.pods.map(({pod, cameAtMs, wentAtMs}) => [pod.name, cameAtMs, wentAtMs])).toEqual([
      ['b', 2000, undefined],
      ['a', undefined, 2000],
    ]);
    expect(arriveAt(second.tail, 3000, {pods}).tail.pods[0]).toBe(second.tail.pods[0]);
  });

  test('is tried now when its key is pressed, and ends with its recording', () => {
    const first = arrive(createTail(options), 1000, '1 a').tail;
    expect(pollSent(first, 2000)).toBe(first);
    const failing = fail(first, 3000).tail;
    expect(pollSent(failing, 3500).connection).toMatchObject({kind: 'failing', retryAtMs: 3500, sinceMs: 3000});
    expect(pollSent(failing, 3500).log).toBe(failing.log);
    expect(pollSent(failing, 4000)).toBe(failing);
    expect(recordingEnded(first).connection).toEqual({kind: 'ended', lastGoodAtMs: 1000});
    expect(recordingEnded(failing).connection).toEqual({kind: 'ended', lastGoodAtMs: undefined});
    expect(recordingEnded(first).log).toBe(first.log);
  });

  test('is marked where the service held nothing older, if it is asked for, once', () => {
    const horizon = (marksHorizon: boolean): readonly string[] => {
      const first = arrive(createTail({...options, marksHorizon}), 1000, '1 a');
      const second = arrive(first.tail, 2000, '1 a', '2 b');
      return sliceEntries(second.tail.log.buffer, 0, 9).map(({kind}) => kind);
    };
    expect([horizon(true), horizon(false)]).toEqual([
      ['horizon', 'line', 'line'],
      ['line', 'line'],
    ]);
  });
});

describe('lines that were not read', () => {
  const tailWith = (change: object, buffer: object = {}): Pick<Tail, 'log'> => {
    const {log} = arrive(createTail(options), 1000, '1 a').tail;
    return {log: {...log, ...change, buffer: {...log.buffer, bytesMax: 1000, bytes: 899, evictedLines: 0, ...buffer}}};
  };
  const unread = {at: 50n, why: 'unread'} as const;

  test('are known at either end', () => {
    expect(isUnread(tailWith({heldFrom: unread}), 'earlier')).toBe(true);
    expect(isUnread(tailWith({heldFrom: unread}), 'later')).toBe(false);
    expect(isUnread(tailWith({heldTo: unread}), 'later')).toBe(true);
    expect(isUnread(tailWith({heldTo: unread}), 'earlier')).toBe(false);
    expect(isUnread(tailWith({heldFrom: {...unread, why: 'limit'}}), 'earlier')).toBe(false);
  });

  test('can be read on while the buffer has lost none and is filled to less than nine tenths', () => {
    expect(canReadOn(tailWith({heldFrom: unread}), 'earlier')).toBe(true);
    expect(canReadOn(tailWith({heldFrom: unread}, {bytes: 900}), 'earlier')).toBe(false);
    expect(canReadOn(tailWith({heldFrom: unread}, {evictedLines: 1}), 'earlier')).toBe(false);
    expect(canReadOn(tailWith({}), 'earlier')).toBe(false);
  });

  test('are read back to a time before what is held', () => {
    expect([49n, 50n, 51n].map(at => canReadBackTo(tailWith({heldFrom: unread}), at))).toEqual([true, false, false]);
    expect(canReadBackTo(tailWith({}), 49n)).toBe(false);
  });
});

describe('a poll without a screen', () => {
  const signal = new AbortController().signal;
  const poll = (tail: Tail, fetchLog: () => Promise<Answer<LogAnswer>>, change: object = {}) => {
    let nowMs = 1000;
    return pollTail(tail, {
      fetchLog,
      nowMs: () => {
        nowMs += 500;
        return nowMs;
      },
      random: () => 0,
      signal,
      ...change,
    });
  };
  const refused = new ApiError('network', 'refused');

  test('tells when its request began and when its answer came, and when the next one is due', async () => {
    const good = await poll(createTail(options), async () => answer('1 a', '2 b'));
    expect(good.times).toEqual({beganMs: 1500, cameMs: 2000});
    expect([good.added.length, good.nextPollAtMs]).toEqual([2, 2000 + good.nextPollInMs]);
    const times = {beganMs: 1, cameMs: 2};
    expect((await poll(createTail(options), async () => answer('1 a'), {timesOf: () => times})).times).toBe(times);
    expect((await poll(createTail(options), async () => answer('1 a'), {timesOf: () => undefined})).times.cameMs).toBe(
      2000,
    );
  });

  test('throws the failure of a branch that has not answered yet; later ones are outcomes', async () => {
    const failing = async () => Promise.reject(refused);
    await expect(poll(createTail(options), failing)).rejects.toBe(refused);
    const first = await poll(createTail(options), async () => answer('1 a'));
    const failed = await poll(first.tail, failing);
    expect([failed.result, failed.tail.connection.kind, failed.added]).toEqual([refused, 'failing', []]);
    expect(failed.nextPollAtMs).toBe(2000 + failed.nextPollInMs);
    await expect(poll(first.tail, async () => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
  });

  test('rejects with the reason of its signal', async () => {
    const aborted = AbortSignal.abort(new Error('left'));
    const {tail} = await poll(createTail(options), async () => answer('1 a'));
    await expect(poll(tail, async () => answer('1 a'), {signal: aborted})).rejects.toThrow('left');
    await expect(poll(tail, async () => Promise.reject(refused), {signal: aborted})).rejects.toThrow('left');
  });
});
