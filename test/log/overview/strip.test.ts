import {describe, expect, test} from 'vitest';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {listBuffer} from '#log/buffer/entry-list.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {insertChange, insertHorizon} from '#log/ingest/place-markers.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {parseInstant} from '#log/line/instant.ts';
import {
  blockFor,
  closerBucket,
  columnAt,
  excessOf,
  findOnsets,
  fullBlockFor,
  plotStrip,
  type Strip,
  spanAround,
  spanOfAll,
  usualErrorsOf,
  widerBucket,
} from '#log/overview/strip.ts';
import {findPeaks, markStrip} from '#log/overview/strip-marks.ts';

const second = 1_000_000_000n;
const start = parseInstant('2026-11-21T14:00:00Z') ?? expect.fail('no instant');
const at = (seconds: number) => start + BigInt(Math.round(seconds * 1000)) * 1_000_000n;
const stamp = (seconds: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14) + seconds * 1000).toISOString().slice(0, -1)}000000Z`;

/** Lines at those seconds after 14:00; a negative number is an error at its absolute second. */
const linesAt = (seconds: readonly number[]): readonly string[] =>
  seconds
    .toSorted((a, b) => Math.abs(a) - Math.abs(b))
    .map((each, index) => `${stamp(Math.abs(each))} ${each < 0 ? 'ERROR' : 'INFO'} line ${index}`);

const take = (log: BranchLog, ...seconds: readonly number[]): BranchLog =>
  takeWindow(log, {lines: linesAt(seconds), pods: []}).log;
const logOf = (...seconds: readonly number[]): BranchLog => take(createBranchLog(1e9), ...seconds);

const plot = (buffer: LineBuffer, columns: number): Strip =>
  plotStrip([listBuffer(buffer)], columns) ?? expect.fail('no strip');
const countsOf = (strip: Strip): readonly (readonly [column: number, lines: number, errors: number])[] =>
  strip.buckets.flatMap(({lines, errors}, column) => (lines + errors > 0 ? [[column, lines, errors]] : []));
const range = (length: number, from = 0): readonly number[] => Array.from({length}, (_, index) => from + index);

describe('what it covers', () => {
  test('all lines are in it, in the column of their time, errors too', () => {
    const {buffer} = logOf(0, 0.5, 1, -1.25, 7, 40);
    const strip = plot(buffer, 60);
    expect(strip.bucket).toBe(second);
    expect(strip.to).toBe(strip.from + 60n * second);
    const first = columnAt(strip, at(0));
    expect(countsOf(strip)).toEqual([
      [first, 2, 0],
      [first + 1, 2, 1],
      [first + 7, 1, 0],
      [first + 40, 1, 0],
    ]);
  });

  test.each(range(30).map(index => ({lengthSeconds: 3 ** (index / 2 + 1), columns: 20 + 6 * index})))(
    'a log of $lengthSeconds s fits into $columns columns, and its end is near the right',
    ({lengthSeconds, columns}) => {
      const newest = at(lengthSeconds);
      const {from, bucket} = spanOfAll(start, newest, columns);
      const column = columnAt({from, bucket}, newest);
      expect(from).toBeLessThanOrEqual(start);
      expect(column).toBeLessThan(columns);
      expect(column).toBeGreaterThanOrEqual(columns - 8);
    },
  );

  test('it moves on by several columns at once, so that most new lines change one', () => {
    const spans = range(60, 100).map(seconds => spanOfAll(at(50), at(seconds), 60).from);
    expect(new Set(spans).size).toBeLessThan(12);
  });

  test('it counts what several buffers hold together, thousands of lines as well', () => {
    const many = logOf(...range(3000).map(index => (index % 10 === 0 ? -1 : 1) * (1 + index / 100)));
    const few = logOf(5, -6);
    const strip = plotStrip([listBuffer(many.buffer), listBuffer(few.buffer)], 50) ?? expect.fail('no strip');
    const sum = (of: 'lines' | 'errors'): number => strip.buckets.reduce((total, bucket) => total + bucket[of], 0);
    expect([sum('lines'), sum('errors')]).toEqual([3002, 301]);
    expect(strip.buckets[columnAt(strip, at(5))]).toEqual({lines: 101, errors: 10});
  });

  test('what was there before a time is in no column', () => {
    const {buffer} = logOf(0, 1, 1.5, -1.6, -1.8, 3);
    const strip = plotStrip([listBuffer(buffer)], 60, undefined, at(1.6)) ?? expect.fail('no strip');
    const first = columnAt(strip, at(1));
    expect(strip.firstColumn).toBe(first);
    expect(countsOf(strip)).toEqual([
      [first, 1, 1],
      [first + 2, 1, 0],
    ]);
    expect(plotStrip([listBuffer(buffer)], 60, undefined, at(3))).toBeUndefined();
  });

  test('nothing held is no strip', () => {
    expect(plotStrip([listBuffer(createBranchLog(1e6).buffer)], 50)).toBeUndefined();
  });
});

describe('a zoom', () => {
  const {buffer} = logOf(...range(600));

  test('shows the part that is read, with the same counts a second', () => {
    const strip =
      plotStrip([listBuffer(buffer)], 60, {bucket: 2n * second, around: at(200)}) ?? expect.fail('no strip');
    expect(strip.isZoomed).toBe(true);
    const column = columnAt(strip, at(200));
    expect(column).toBeGreaterThanOrEqual(15);
    expect(column).toBeLessThan(46);
    expect(new Set(strip.buckets.map(({lines}) => lines))).toEqual(new Set([2]));
  });

  test('stands still while the reader moves a little, and turns on before the end of it is reached', () => {
    const spans = range(300, 100).map(
      seconds => spanAround({bucket: second, around: at(seconds)}, start, at(600), 60).from,
    );
    expect(new Set(spans).size).toBeLessThan(12);
    for (const [index, from] of spans.entries()) {
      const column = columnAt({from, bucket: second}, at(100 + index));
      expect(column).toBeGreaterThanOrEqual(15);
      expect(column).toBeLessThan(45);
    }
  });

  test('ends at the newest line', () => {
    const strip = plotStrip([listBuffer(buffer)], 60, {bucket: second, around: at(599)}) ?? expect.fail('no strip');
    expect(columnAt(strip, at(599))).toBeGreaterThanOrEqual(52);
    expect(columnAt(strip, at(599))).toBeLessThan(60);
  });

  test('begins at the oldest line', () => {
    const strip = plotStrip([listBuffer(buffer)], 60, {bucket: second, around: at(3)}) ?? expect.fail('no strip');
    expect(columnAt(strip, at(0))).toBeLessThan(8);
    expect(columnAt(strip, at(3))).toBeGreaterThanOrEqual(0);
  });

  test('that would show all is none', () => {
    const whole = plot(buffer, 60);
    expect(plotStrip([listBuffer(buffer)], 60, {bucket: whole.bucket, around: at(0)})).toEqual(whole);
  });

  test('goes in and out by half and double or a little more, to a tenth of a second', () => {
    const steps = [closerBucket(60n * second)];
    while (steps.at(-1) !== undefined) {
      steps.push(closerBucket(steps.at(-1) ?? 0n));
    }
    expect(steps.map(step => (step === undefined ? undefined : Number(step) / 1e9))).toEqual([
      30,
      15,
      6,
      3,
      1,
      0.5,
      0.2,
      0.1,
      undefined,
    ]);
    expect(widerBucket(second / 2n)).toBe(second);
    expect(widerBucket(15n * second)).toBe(30n * second);
  });
});

describe('marks', () => {
  const change = {kind: 'status', before: 'A', now: 'B'} as const;
  const gapped = take(logOf(...range(60)), ...range(60, 100));

  test('a gap and another marker stand in their columns, the horizon in none', () => {
    const {buffer} = insertHorizon(insertChange(gapped, {change, happenedAt: at(20)}, at(50)), at(0));
    const strip = plot(buffer, 60);
    const marks = markStrip([buffer], strip, []);
    expect(marks[columnAt(strip, at(20))]).toBe('marker');
    expect(marks[columnAt(strip, at(100))]).toBe('gap');
    expect(marks.filter(mark => mark !== undefined)).toHaveLength(2);
  });

  test('a gap goes before another marker of its column', () => {
    const {buffer} = insertChange(gapped, {change, happenedAt: at(100)}, at(50));
    const strip = plot(buffer, 60);
    expect(markStrip([buffer], strip, []).filter(mark => mark !== undefined)).toEqual(['gap']);
  });

  test('a new shape goes before a marker of its column, and after a gap', () => {
    const {buffer} = insertChange(gapped, {change, happenedAt: at(20)}, at(50));
    const strip = plot(buffer, 60);
    const marks = markStrip([buffer], strip, [at(20), at(30), at(100), at(999)]);
    expect([20, 30, 100].map(second => marks[columnAt(strip, at(second))])).toEqual(['new', 'new', 'gap']);
    expect(marks.filter(mark => mark !== undefined)).toHaveLength(3);
  });
});

describe('peaks', () => {
  const bucketsOf = (lines: readonly number[], errors: readonly number[] = []) => ({
    buckets: lines.map((count, index) => ({lines: count, errors: errors[index] ?? 0})),
    usualErrors: usualErrorsOf(errors),
  });

  test('are columns that stand out by their lines', () => {
    expect(findPeaks(bucketsOf([0, 5, 6, 5, 20, 5, 6, 30, 29, 5, 0]))).toEqual([4, 7]);
  });

  test('are those that stand out by their errors, where there are any', () => {
    expect(findPeaks(bucketsOf([5, 5, 50, 5, 5, 5], [0, 0, 0, 0, 2, 1]))).toEqual([4]);
  });

  test('beside a large one a small one is none', () => {
    expect(findPeaks(bucketsOf([9, 9, 9, 9, 9, 9, 9], [0, 1, 0, 19, 0, 2, 0]))).toEqual([3, 5]);
  });

  test('of a plateau the first column', () => {
    expect(findPeaks(bucketsOf([2, 2, 9, 9, 9, 2, 2, 2]))).toEqual([2]);
  });

  test('neither an even log nor a sparse one has any', () => {
    expect(findPeaks(bucketsOf([7, 8, 7, 9, 8, 7]))).toEqual([]);
    expect(findPeaks(bucketsOf([1, 0, 0, 1, 0, 0, 2, 0]))).toEqual([]);
    expect(findPeaks(bucketsOf([0, 0, 0]))).toEqual([]);
  });

  test('errors all the time are none, and a burst among them is one', () => {
    const lines = [9, 9, 9, 9, 9, 9];
    expect(findPeaks(bucketsOf(lines, [2, 3, 2, 3, 2, 3]))).toEqual([]);
    expect(findPeaks(bucketsOf(lines, [2, 3, 2, 9, 2, 3]))).toEqual([3]);
  });
});

test('a block is never nothing for something, and the full one changes seldom', () => {
  expect([0, 1, 50, 100].map(count => blockFor(count, 100))).toEqual([' ', '▁', '▄', '█']);
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 100].map(fullBlockFor)).toEqual([
    1, 1, 2, 3, 4, 6, 6, 8, 8, 12, 12, 16, 128,
  ]);
});

describe('what is usual', () => {
  /** Six errors a second of 150 lines, against one each twenty seconds before. */
  const risen = logOf(
    ...range(240).flatMap(second => [
      second,
      ...range(9).map(each => second + each / 10),
      ...(second % 20 === 0 ? [-second - 0.95] : []),
    ]),
    ...range(80, 160).flatMap(second => range(6).map(each => -second - each / 7 - 0.01)),
  );

  test('tells a rise that keeps on, though it is few of the lines and most of the time is usual or not', () => {
    const strip = plot(risen.buffer, 60);
    const onset = columnAt(strip, at(160));
    expect(strip.usualErrors).toBeLessThanOrEqual(1);
    expect(findOnsets(strip)).toEqual([onset]);
    expect(findPeaks(strip)).toContain(onset);
    expect(markStrip([risen.buffer], strip, [])[onset]).toBe('onset');
    expect(strip.buckets.slice(onset, onset + 10).map(bucket => excessOf(bucket, strip.usualErrors))).toEqual(
      range(10).map(() => 'far'),
    );
  });

  test('goes by everything held, also in a part of it', () => {
    const zoomed =
      plotStrip([listBuffer(risen.buffer)], 60, {bucket: second, around: at(200)}) ?? expect.fail('no strip');
    const column = columnAt(zoomed, at(201));
    expect(zoomed.buckets[column]?.errors).toBe(6);
    expect(zoomed.usualErrors).toBeLessThan(1);
    expect(excessOf({lines: 10, errors: 6}, zoomed.usualErrors)).toBe('some');
  });

  test('is exceeded by no log that is always alike, nor by one that has more of all lines', () => {
    const alike = {buckets: range(40).map(index => ({lines: 100, errors: 10 + (index % 3)})), usualErrors: 10};
    const busier = {
      buckets: range(40).map(index => ({lines: index < 20 ? 100 : 400, errors: index < 20 ? 10 : 38})),
      usualErrors: 10,
    };
    expect([findOnsets(alike), findOnsets(busier)]).toEqual([[], []]);
  });
});

describe('the length of a column', () => {
  test.each([
    [100n, 200n, undefined],
    [200n, 500n, 100n],
    [500n, 1000n, 200n],
    [1000n, 2000n, 500n],
    [2000n, 4000n, 1000n],
    [3000n, 6000n, 1000n],
    [5000n, 10_000n, 2000n],
    [60_000n, 120_000n, 30_000n],
    [86_400_000n, undefined, 43_200_000n],
    [172_800_000n, undefined, 86_400_000n],
  ])('next to %d ms is %s, and %s closer', (bucket, wider, closer) => {
    const ms = (length: bigint | undefined) => length && length / 1_000_000n;
    expect([ms(widerBucket(bucket * 1_000_000n)), ms(closerBucket(bucket * 1_000_000n))]).toEqual([wider, closer]);
  });

  test('is the shortest round one that holds all, past two months a number of days', () => {
    const bucketOf = (seconds: number, columns: number) =>
      Number(spanOfAll(start, at(seconds), columns).bucket / second);
    expect([bucketOf(0, 60), bucketOf(53, 60), bucketOf(70, 60), bucketOf(600, 1)]).toEqual([1, 1, 2, 900]);
    const day = 86_400;
    expect([bucketOf(51 * day, 60) / day, bucketOf(54 * day, 60) / day, bucketOf(300 * day, 60) / day]).toEqual([
      1, 2, 6,
    ]);
  });
});

test('a page begins at the oldest line or later, and ends at the newest', () => {
  const from = (seconds: number) =>
    (spanAround({bucket: second, around: at(seconds)}, at(0), at(600), 40).from - start) / second;
  // It moves by five columns, and by pages of twenty.
  expect([from(0), from(29), from(31), from(50), from(590), from(600)]).toEqual([0n, 10n, 10n, 30n, 565n, 565n]);
  // Times before 1970 are rounded down as well.
  expect(spanOfAll(-1n, -1n, 8)).toEqual({from: -8n * second, bucket: second});
});

describe('a mark of a column', () => {
  test('is of what matters most in it, and of no horizon', () => {
    const {buffer} = insertHorizon(
      insertChange(logOf(0, 10, 20), {change: {kind: 'status', before: 'a', now: 'b'}, happenedAt: at(10)}, at(0)),
      at(0),
    );
    const strip = plot(buffer, 60);
    const marksAt = (newTimes: readonly bigint[], ...seconds: readonly number[]) => {
      const marks = markStrip([buffer], strip, newTimes);
      return seconds.map(each => marks[columnAt(strip, at(each))]);
    };
    expect(marksAt([], 0, 10, 20)).toEqual([undefined, 'marker', undefined]);
    expect(marksAt([at(10), at(20), at(-500), at(5000)], 0, 10, 20)).toEqual([undefined, 'new', 'new']);
  });
});

describe('a peak of errors', () => {
  const bucketsOf = (errors: readonly number[], usualErrors = 0) => ({
    buckets: errors.map(each => ({lines: 10, errors: each})),
    usualErrors,
  });

  test.each([
    [[0, 0, 1, 0, 0], [2]],
    // Twice the median is none.
    [[1, 1, 2, 1, 1], []],
    [[1, 1, 3, 1, 1], [2]],
    // Less than a tenth of the highest is none.
    [
      [0, 1, 0, 0, 10, 0],
      [1, 4],
    ],
    [[0, 1, 0, 0, 11, 0], [4]],
    [[5, 0, 0, 0, 0], [0]],
    [[0, 0, 0, 0, 5], [4]],
  ])('among %j: %j', (errors, peaks) => {
    expect(findPeaks(bucketsOf(errors))).toEqual(peaks);
  });

  test('of lines has three at least', () => {
    const lines = (most: number) => [0, 0, most, 0, 0].map(each => ({lines: each || (most > 0 ? 0 : 0), errors: 0}));
    expect(findPeaks({buckets: [{lines: 1, errors: 0}, ...lines(2), {lines: 1, errors: 0}], usualErrors: 0})).toEqual(
      [],
    );
    expect(findPeaks({buckets: [{lines: 1, errors: 0}, ...lines(3), {lines: 1, errors: 0}], usualErrors: 0})).toEqual([
      3,
    ]);
  });
});

test.each([
  [3, 0, 'none'],
  [4, 0, 'some'],
  [9, 0, 'some'],
  [10, 0, 'far'],
  [10, 4, 'none'],
  [11, 4, 'some'],
  [30, 4, 'some'],
  [31, 4, 'far'],
] as const)('%d errors where %d are usual: %s', (errors, usual, excess) => {
  expect(excessOf({lines: 100, errors}, usual)).toBe(excess);
});

test('a fifth of the columns have no more errors than is usual', () => {
  expect([
    usualErrorsOf([]),
    usualErrorsOf([5]),
    usualErrorsOf([9, 1, 8, 7, 6]),
    usualErrorsOf([4, 3, 2, 1, 9, 9, 9, 9, 9, 9]),
  ]).toEqual([0, 5, 6, 3]);
});

test('an onset keeps on for three columns, and is one for a rise alone', () => {
  const onsets = (errors: readonly number[], lines = 100) =>
    findOnsets({buckets: errors.map(each => ({lines, errors: each})), usualErrors: 0});
  expect([onsets([0, 9, 9, 0]), onsets([0, 9, 9, 9]), onsets([9, 9, 9, 9]), onsets([9, 9, 9, 0, 9, 9, 9])]).toEqual([
    [],
    [1],
    // It is always so.
    [],
    [0, 4],
  ]);
  // Of a log of errors alone no column has a larger share.
  expect(onsets([0, 9, 9, 9, 9], 9)).toEqual([1]);
});
