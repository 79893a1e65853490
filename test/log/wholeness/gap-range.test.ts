import {expect, test} from 'vitest';
import type {LineEntry} from '../../../src/log/line/entry.ts';
import {type ReadWindow, readLine, readWindow} from '../../../src/log/line/window-line.ts';
import {WindowLines} from '../../../src/log/line/window-lines.ts';
import {type GapRangeInput, gapRange} from '../../../src/log/wholeness/gap-range.ts';
import {learnedNothing} from '../../../src/log/wholeness/learned.ts';
import {finishWork} from '../../../src/log/work/work.ts';
import {line, nanos} from '../simulation/lines-at.ts';

const second = 1_000_000_000n;
const read = (...texts: readonly string[]): ReadWindow => finishWork(readWindow(texts.map(line), () => []));
const lineOf = (text: string) => readLine(line(text)) ?? expect.fail(`no line: ${text}`);
const entries = (...texts: readonly string[]): readonly LineEntry[] =>
  texts.map((text, id) => ({...lineOf(text), kind: 'line', id, late: false}));

const known = {...learnedNothing, lateness: {...learnedNothing.lateness, pollsSeen: 10}};

const base: GapRangeInput = {
  before: read('1 a', '20 b'),
  now: read('80 h', '85 i', '90 j'),
  cut: 'branch',
  front: {kind: 'new', line: lineOf('80 h')},
  newestLeft: nanos(20),
  added: entries('80 h', '85 i', '90 j'),
  newestBefore: nanos(20),
  newestNow: nanos(90),
  share: {lines: 2, isOnePod: false},
  learned: known,
  reason: 'moved-on',
};

/** From when to when, in nanoseconds after 14:02. */
const rangeOf = (input: Partial<GapRangeInput>): readonly [number, number] => {
  const {after, before} = gapRange({...base, ...input});
  return [Number(after - nanos(0)), Number(before - nanos(0))];
};

const lateBy = (nanoseconds: bigint) => ({
  ...known,
  lateness: {...known.lateness, recent: nanoseconds, recentBeside: nanoseconds},
});

test.each([
  {what: 'cut as one: from the newest held to the front', input: {}, range: [20, 80]},
  {what: 'cut by pod: to the newest lines that make up a share', input: {cut: 'pod'}, range: [20, 85]},
  {what: 'where nobody says, the same', input: {cut: undefined}, range: [20, 85]},
  {
    what: 'where lines were late: from so much earlier, to the newest of the window',
    input: {learned: lateBy(15n)},
    range: [5, 90],
  },
  {
    what: 'where a window came unsorted: to its newest',
    input: {now: read('80 h', '90 j', '85 i')},
    range: [20, 90],
  },
  {
    what: 'where only late lines can be missing: to the front, and as far back as they were late',
    input: {learned: lateBy(15n), front: {kind: 'held', line: lineOf('18 x')}, reason: 'short-window'},
    range: [3, 18],
  },
] as const)('$what', ({input, range}) => {
  expect(rangeOf(input)).toEqual(range);
});

test('until lateness is known a second is allowed for, and as far back as the newest line that left', () => {
  const after = (newestLeft: bigint) => gapRange({...base, learned: learnedNothing, newestLeft}).after;
  expect(after(nanos(20))).toBe(nanos(20) - second);
  expect(after(nanos(1) - 5n * second)).toBe(nanos(1) - 5n * second);
});

test('where the window lies before all that was held a clock went back: its lines less the span of the one before', () => {
  const now = read('3 x', '4 y');
  const input = {
    ...base,
    before: read('60 a', '100 b'),
    newestBefore: nanos(100),
    now,
    newestNow: nanos(4),
    added: entries('3 x', '4 y'),
  };
  expect(gapRange(input)).toEqual({after: nanos(3) - 40n, before: nanos(140), wentBack: true});
});

test('a stamp of nobody’s clock makes the span of a window no longer than an hour', () => {
  const hour = 3600n * second;
  const before = finishWork(readWindow([line('60 a'), '2199-01-01T00:00:00.000000000Z x'], () => []));
  const input = {
    ...base,
    before,
    newestBefore: nanos(100),
    now: read('4 y'),
    newestNow: nanos(4),
    added: entries('4 y'),
  };
  expect(gapRange(input)).toMatchObject({after: nanos(4) - hour, before: nanos(100) + hour});
});

test.each([
  {clock: 'nanoseconds', at: nanos(7), step: 1n},
  {clock: 'microseconds', at: nanos(7000), step: 1000n},
  {clock: 'seconds', at: nanos(0) + 7n * second, step: second},
])('on a clock of $clock a gap inside one tick begins a tick before', ({at, step}) => {
  const stamped = {at, raw: 'x', key: 'x', textIndex: 1};
  const lines = new WindowLines(['x']);
  lines.add(stamped);
  const now: ReadWindow = {...read(), received: lines, lines};
  const range = gapRange({
    ...base,
    now,
    front: {kind: 'new', line: stamped},
    newestBefore: at,
    newestNow: at,
    added: [{...stamped, kind: 'line', id: 1, late: false}],
  });
  expect([range.after, range.before]).toEqual([at - step, at]);
});
