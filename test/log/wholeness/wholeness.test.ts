import {describe, expect, test} from 'vitest';
import type {LineEntry} from '../../../src/log/line/entry.ts';
import {type ReadWindow, readLine, readWindow} from '../../../src/log/line/window-line.ts';
import type {WindowFront} from '../../../src/log/wholeness/find-front.ts';
import {learnedNothing} from '../../../src/log/wholeness/learned.ts';
import {type JudgeInput, joinsByCount, judgeWindow} from '../../../src/log/wholeness/wholeness.ts';
import {finishWork} from '../../../src/log/work/work.ts';
import {line, nanos} from '../simulation/lines-at.ts';

const read = (...texts: readonly string[]): ReadWindow => finishWork(readWindow(texts.map(line), () => []));

const entries = (...texts: readonly string[]): readonly LineEntry[] =>
  texts.map((text, id) => {
    const {at, raw, textIndex} = readLine(line(text)) ?? expect.fail(`no line: ${text}`);
    return {kind: 'line', id, at, raw, textIndex, late: false};
  });

const front = (kind: 'held' | 'new', text: string): WindowFront => ({
  kind,
  line: readLine(line(text)) ?? expect.fail(`no line: ${text}`),
});

const extent = {lines: 9, characters: 900};
/** Windows of nine lines of one pod, of which lines have left; how late lines may be is known: not at all. */
const learned: JudgeInput['learned'] = {
  ...learnedNothing,
  sawLeave: true,
  capacity: {...learnedNothing.capacity, recent: {window: extent, earlyLines: 3, podLines: 9}},
  lateness: {...learnedNothing.lateness, pollsSeen: 10},
};

const joined: JudgeInput = {
  before: read('1 a', '2 b'),
  wasEmpty: false,
  emptyAt: undefined,
  now: read('2 b', '3 c', '4 d', '5 e', '6 f'),
  cut: undefined,
  joins: undefined,
  front: front('held', '2 b'),
  departure: {leftCount: 1, newestLeft: nanos(1), keptNone: false, hasHole: false, copiesInDoubt: 0},
  added: entries('3 c', '4 d', '5 e', '6 f'),
  tooLate: [],
  newestBefore: nanos(2),
  newestNow: nanos(6),
  share: {lines: 5, isOnePod: false},
  learned,
};
const moved: JudgeInput = {...joined, now: read('3 c', '4 d', '5 e', '6 f', '7 g'), front: front('new', '3 c')};
const shared: JudgeInput = {...joined, share: {lines: 4, isOnePod: false}};
const nothingLeft = {leftCount: 0, newestLeft: undefined, keptNone: false, hasHole: false, copiesInDoubt: 0};

/** The verdict in a word: why it is a gap, or what else it is. */
const verdictOf = (input: JudgeInput): string => {
  const verdict = judgeWindow(input);
  return verdict.kind === 'gap' ? verdict.reason : verdict.kind;
};

test.each([
  {what: 'the first window', input: {...moved, before: undefined}, verdict: 'whole'},
  {what: 'nothing new, though all left', input: {...moved, added: []}, verdict: 'whole'},
  {what: 'nothing new after an empty window', input: {...moved, added: [], wasEmpty: true}, verdict: 'whole'},
  {
    what: 'a line too late for the buffer is new too',
    input: {...moved, added: [], tooLate: entries('1 x')},
    verdict: 'moved-on',
  },
])('rule 1: $what is $verdict', ({input, verdict}) => {
  expect(verdictOf(input)).toBe(verdict);
});

test.each([
  {what: 'cut as one, the front held, a share came', input: {...shared, cut: 'branch'}, verdict: 'whole'},
  {what: 'cut as one, the front new', input: {...moved, cut: 'branch'}, verdict: 'moved-on'},
  {
    what: 'cut by pod, of which there is one',
    input: {...shared, cut: 'pod', share: {lines: 4, isOnePod: true}},
    verdict: 'whole',
  },
  {what: 'cut by pod, less than a share came, the front new', input: {...moved, cut: 'pod'}, verdict: 'whole'},
  {what: 'cut by pod, a share came', input: {...shared, cut: 'pod'}, verdict: 'share'},
  {what: 'cut by source, a share came', input: {...shared, cut: 'source'}, verdict: 'share'},
  {
    what: 'cut by pod, a share came and nothing left, though lines have before: a quiet pod may burst past its share',
    input: {...shared, cut: 'pod', departure: nothingLeft},
    verdict: 'share',
  },
  {
    what: 'cut by pod, a share came and nothing ever left',
    input: {...shared, cut: 'pod', departure: nothingLeft, learned: {...learned, sawLeave: false}},
    verdict: 'whole',
  },
] as const)('rule 2, the service says how it cuts: $what is $verdict', ({input, verdict}) => {
  expect(verdictOf(input)).toBe(verdict);
});

test.each([
  {what: 'the front held, less than a share came', input: joined, verdict: 'whole'},
  {what: 'the front held, a share came', input: shared, verdict: 'unproven'},
  {what: 'the front new', input: moved, verdict: 'moved-on'},
  {what: 'no front', input: {...joined, front: {kind: 'none'}}, verdict: 'moved-on'},
  {
    what: 'what is taken for old by its text alone counts as new',
    input: {...joined, now: {...joined.now, guessedCount: 1}},
    verdict: 'unproven',
  },
  {
    what: 'a window that reaches further back',
    input: {...moved, departure: nothingLeft, added: entries('0 x', ...['3 c', '4 d', '5 e', '6 f'])},
    verdict: 'moved-on',
  },
] as const)('rule 3, the service does not say: $what is $verdict', ({input, verdict}) => {
  expect(verdictOf(input)).toBe(verdict);
});

describe('rule 6, after an empty answer', () => {
  test('it is whole where the front was held', () => {
    expect(verdictOf({...joined, wasEmpty: true})).toBe('whole');
  });

  test('a window as large as any is a gap: it was cut by count', () => {
    expect(verdictOf({...moved, wasEmpty: true})).toBe('empty');
  });

  test('one that shows clearly less is quiet: nobody can know what came and went', () => {
    const few = {...moved, now: read('7 g'), front: front('new', '7 g'), added: entries('7 g'), newestNow: nanos(7)};
    expect(judgeWindow({...few, wasEmpty: true})).toEqual({kind: 'quiet', after: nanos(2), before: nanos(7)});
    // So is one that let go of all that it had, in between or not.
    expect(verdictOf({...few, departure: {...few.departure, keptNone: true}})).toBe('quiet');
    expect(verdictOf(few)).toBe('moved-on');
  });
});

describe('rule 7, lines that were seen to be late', () => {
  const late = {...learned, lateness: {...learned.lateness, recent: 50n, recentBeside: 50n, isShown: true}};

  test('a window that spans less may never show such lines', () => {
    expect(judgeWindow({...joined, learned: late})).toEqual({
      kind: 'gap',
      after: nanos(2) - 50n,
      before: nanos(2),
      reason: 'short-window',
    });
  });

  test('one that spans as much does', () => {
    const now = read('2 b', '3 c', '52 z');
    expect(verdictOf({...joined, now, newestNow: nanos(52), learned: late})).toBe('whole');
  });

  test('where late lines are shown in whatever place, a short window hides none', () => {
    expect(verdictOf({...joined, learned: {...late, lateness: {...late.lateness, isShown: false}}})).toBe('whole');
    expect(verdictOf({...joined, now: {...joined.now, cameSorted: false}, learned: late})).toBe('whole');
  });
});

describe('a service that numbers its lines', () => {
  test('is believed, whatever the windows look like', () => {
    expect(verdictOf({...moved, joins: true})).toBe('whole');
    expect(verdictOf({...joined, joins: false})).toBe('moved-on');
    expect(verdictOf({...joined, before: undefined, joins: false})).toBe('moved-on');
  });

  test.each([
    {what: 'nothing was let go of after the answer before', before: [10, 4], now: [15, 10], joins: true},
    {what: 'a line was let go of that came after it', before: [10, 4], now: [15, 11], joins: false},
    {what: 'an older answer says nothing', before: [10, 4], now: [9, 9], joins: undefined},
  ] as const)('$what', ({before: [lastBefore, droppedBefore], now: [last, dropped], joins}) => {
    const before = {series: 'one', last: lastBefore, dropped: droppedBefore};
    expect(joinsByCount(before, {series: 'one', last, dropped})).toBe(joins);
    expect(joinsByCount(before, {series: 'other', last, dropped})).toBeUndefined();
  });

  test('says nothing where only one of two answers is numbered', () => {
    expect(joinsByCount(undefined, {series: 'one', last: 1, dropped: 0})).toBeUndefined();
    expect(joinsByCount({series: 'one', last: 1, dropped: 0}, undefined)).toBeUndefined();
  });
});
