import {describe, expect, test} from 'vitest';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {
  countLines,
  countWindow,
  firstMinuteAt,
  joinPulses,
  nothingCounted,
  type Pulse,
  pulseOfBuffer,
  pulseOfTimes,
  pulseTrendOf,
  rateOf,
} from '#log/overview/pulse.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../pauses-in.ts';

const at = (clock: string): number => Date.parse(`2026-11-21T${clock}Z`);
const minuteAt = (clock: string): number => at(`${clock}:00`) / 60_000;

/** A log of lines, and of gaps where there is no text. */
const logOf = (...entries: readonly (readonly [clock: string, text?: string])[]): LineBuffer => {
  const edit = editBuffer(createBuffer(1e9));
  for (const [clock, raw] of entries) {
    const [id, time] = [edit.takeId(), instantFromMs(at(clock))];
    edit.insert(
      raw === undefined
        ? {kind: 'gap', id, at: time, after: time - 1n, before: time}
        : {kind: 'line', id, at: time, raw, textIndex: 0, late: false},
    );
  }
  return edit.finish();
};

describe('of a log in memory', () => {
  test('the lines and errors of the last minutes are counted, without markers', () => {
    const log = logOf(['14:00:10', 'ERROR a'], ['14:02:10', 'x'], ['14:02:20', 'ERROR b'], ['14:02:30', 'y']);
    const pulse = pulseOfBuffer(log, at('14:03:00'));
    expect(pulse).toMatchObject({
      ...{toMs: at('14:03:00'), spanMs: 60_000, lines: 3, errors: 1, lastLineMs: at('14:02:30')},
      lastError: {atMs: at('14:02:20'), text: 'ERROR b'},
    });
    expect(pulse.minutes.map(({minute, lines, errors}) => [minute - minuteAt('14:00'), lines, errors])).toEqual([
      [0, 1, 1],
      [1, 0, 0],
      [2, 3, 1],
    ]);
  });

  test('nothing is known of the time before the last gap', () => {
    const log = logOf(['14:02:10', 'x'], ['14:02:20'], ['14:02:30'], ['14:02:40', 'y']);
    expect(pulseOfBuffer(log, at('14:03:00'))).toMatchObject({
      spanMs: 30_000,
      lines: 1,
      minutes: [{seenMs: 30_000, lines: 2}],
    });
  });

  test('older lines are left out, but the newest line and the last error are known', () => {
    const log = logOf(['13:00:00', 'ERROR a'], ['13:00:10', 'x']);
    expect(pulseOfBuffer(log, at('14:03:00'))).toMatchObject({
      ...{lines: 0, errors: 0, spanMs: 60_000, lastLineMs: at('13:00:10')},
      lastError: {atMs: at('13:00:00'), text: 'ERROR a'},
    });
    expect(pulseOfBuffer(logOf(), at('14:03:00'))).toMatchObject({
      lines: 0,
      spanMs: 0,
      minutes: [],
      lastError: undefined,
    });
  });

  test('an error is cut at four hundred characters', () => {
    const log = logOf(['14:02:10', `ERROR ${'x'.repeat(400)}`]);
    expect(pulseOfBuffer(log, at('14:03:00')).lastError?.text).toHaveLength(400);
    const [pulse] = [finishWork(countWindow([`2026-11-21T14:02:10Z ERROR ${'x'.repeat(400)}`], undefined, undefined))];
    expect(pulse?.lastError?.text).toHaveLength(400);
  });
});

describe('of times', () => {
  const count = (times: readonly string[], toMs?: string, more = {}): Pulse =>
    pulseOfTimes({times: times.map(at), errorTimes: [], ...(toMs && {toMs: at(toMs)}), ...more});

  test('a line up to ten minutes ahead of the clock is the newest', () => {
    expect(count(['14:02:00', '14:13:00'], '14:03:00').toMs).toBe(at('14:13:00'));
    expect(count(['14:02:00', '14:13:01'], '14:03:00')).toMatchObject({
      toMs: at('14:03:00'),
      lastLineMs: at('14:02:00'),
    });
  });

  test('five minutes are kept, of which anything was seen', () => {
    const minutes = (from: string) => count([from], '14:09:30').minutes.map(({minute}) => minute - minuteAt('14:00'));
    expect(minutes('14:00:00')).toEqual([5, 6, 7, 8, 9]);
    expect(minutes('14:07:30')).toEqual([7, 8, 9]);
    expect(firstMinuteAt(at('14:09:30'))).toBe(minuteAt('14:05'));
  });

  test('a line counts for the minute that it begins, and not for the one that it ends', () => {
    const {minutes} = count(['14:01:00', '14:02:00'], '14:02:30');
    expect(minutes.map(({lines, seenMs}) => [lines, seenMs])).toEqual([
      [1, 60_000],
      [1, 30_000],
    ]);
  });

  test('the last minute includes its first millisecond, and a single line is a millisecond', () => {
    expect(count(['14:01:30', '14:01:29'], '14:02:30')).toMatchObject({lines: 1, spanMs: 60_000});
    expect(count(['14:02:30'])).toMatchObject({lines: 1, spanMs: 1, toMs: at('14:02:30')});
  });

  test('all that is known to have been seen is told', () => {
    expect(count(['14:02:20'], '14:02:30', {fromMs: at('14:02:00')})).toMatchObject({spanMs: 30_000});
    expect(count([], '14:02:30', {untimedCount: 3})).toMatchObject({lines: 3, spanMs: 0, toMs: at('14:02:30')});
    expect(count([])).toEqual({toMs: 0, spanMs: 0, lines: 0, errors: 0, minutes: [], lastError: undefined});
    // All lines are of a wrong clock.
    expect(count(['23:00:00'], '14:03:00')).not.toHaveProperty('lastLineMs');
  });
});

describe('lines are counted', () => {
  const raws = (...texts: readonly string[]) => texts.map(text => `2026-11-21T14:02:10Z ${text}`);
  const runs = [
    [0, 1],
    [1, 1],
    [0, 1],
  ] as const;

  test('where the service says who wrote them, from an index on, and go on where others ended', () => {
    const counted = nothingCounted();
    const named = {runs, sources: [{pod: 'web'}, {pod: 'db'}]};
    finishWork(countLines(counted, raws('ERROR a', 'INFO b', '\tat c (C.java:1)'), named));
    expect([counted.times.length, counted.errorTimes.length, counted.follows.size]).toEqual([3, 1, 2]);
    // The sources have other indexes, and are known by their names.
    const next = {runs: [[1, 1] as const], sources: [{pod: 'db'}, {pod: 'web'}]};
    finishWork(countLines(counted, raws('java.io.IOException: of c'), next));
    expect([counted.errorTimes.length, counted.follows.size]).toEqual([2, 2]);
    const part = nothingCounted();
    finishWork(countLines(part, raws('ERROR a', 'ERROR b', 'ERROR c'), {runs}, 1));
    expect([part.times.length, part.follows.size]).toEqual([2, 2]);
  });

  test('a line without a time has that of the line before, and runs of no line are passed', () => {
    const counted = nothingCounted();
    finishWork(
      countLines(counted, ['ERROR none', ...raws('x'), 'ERROR same'], {
        runs: [
          [0, 0],
          [1, 3],
        ],
      }),
    );
    expect(counted).toMatchObject({
      untimedCount: 1,
      times: [at('14:02:10'), at('14:02:10')],
      errorTimes: [at('14:02:10')],
    });
    expect([...counted.follows.keys()]).toEqual([1]);
  });

  test('an older error is not the last', () => {
    const counted = nothingCounted();
    const lines = ['2026-11-21T14:02:10Z ERROR a', '2026-11-21T14:02:09Z ERROR b', '2026-11-21T14:02:10Z ERROR c'];
    finishWork(countLines(counted, lines, undefined));
    expect(counted.lastError?.text).toBe('ERROR c');
    finishWork(countLines(counted, lines.slice(1, 2), undefined));
    expect(counted.lastError?.text).toBe('ERROR c');
  });

  test('with a pause each 256', () => {
    const lines = raws(...Array.from({length: 512}, () => 'x'));
    expect(pausesIn(countWindow(lines, undefined, undefined)).pauses).toBe(2);
    expect(pausesIn(countWindow(lines.slice(0, 255), undefined, undefined)).pauses).toBe(0);
  });
});

const pulse: Pulse = {toMs: 600_000, spanMs: 60_000, lines: 9, errors: 9, minutes: [], lastError: undefined};
const minute = (index: number, errors: number, seenMs = 60_000) => ({minute: index, seenMs, lines: errors, errors});

test('a rate is of what was seen of the last minute', () => {
  expect([rateOf(pulse), rateOf({...pulse, spanMs: 20_000}), rateOf({...pulse, spanMs: 0})]).toEqual([9, 27, 0]);
});

test.each([
  [[minute(8, 3)], 9, 'rising'],
  [[minute(8, 4)], 9, undefined],
  [[minute(8, 0)], 3, 'new'],
  [[minute(8, 0)], 2, undefined],
  // The minute before this one is not over yet for what came before.
  [[minute(9, 0)], 9, undefined],
  [[minute(8, 0, 59_999)], 9, undefined],
  [[minute(7, 0, 30_000), minute(8, 1, 30_000)], 9, 'rising'],
  [[minute(7, 6), minute(8, 1)], 9, undefined],
] as const)('after %j, %d errors are %s', (minutes, errors, trend) => {
  expect(pulseTrendOf({...pulse, minutes, errors})).toBe(trend);
});

test('of a minute that two looks saw alike the later one counts, and of errors the later', () => {
  const before = {...pulse, minutes: [minute(8, 1), minute(6, 5), minute(5, 5)], lastError: {atMs: 5, text: 'a'}};
  const now = {...pulse, minutes: [minute(10, 2), minute(8, 3)], lastError: {atMs: 5, text: 'b'}};
  const joined = joinPulses(before, now);
  expect(joined.minutes.map(each => [each.minute, each.errors])).toEqual([
    [6, 5],
    [8, 3],
    [10, 2],
  ]);
  expect(joined.lastError?.text).toBe('b');
  expect(joinPulses(undefined, now)).toBe(now);
  expect(joinPulses({...before, lastError: {atMs: 6, text: 'a'}}, now).lastError?.text).toBe('a');
  expect(joinPulses(before, {...now, lastError: undefined}).lastError?.text).toBe('a');
});
