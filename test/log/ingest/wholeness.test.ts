import {describe, expect, test} from 'vitest';
import {type Departure, nothingLeft} from '#log/ingest/completeness/departure.ts';
import type {WindowFront} from '#log/ingest/completeness/find-front.ts';
import {type Learned, learnedNothing} from '#log/ingest/completeness/learned.ts';
import type {Extent, KnownCut} from '#log/ingest/completeness/share.ts';
import {type JudgeInput, judgeWindow, verdictOf} from '#log/ingest/completeness.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {type ReadWindow, readLine, readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
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

const unsaid: KnownCut = {cut: undefined, sources: undefined, podCount: 1, sawHole: false};
const saying = (cut: KnownCut['cut'], more: Partial<KnownCut> = {}): KnownCut => ({...unsaid, cut, ...more});

/** So many lines of 32 characters, with room for three more that are not there. */
const extent = (lines: number): Extent => ({lines, characters: (lines + 3) * 32});
/** Windows of at most so many lines. Of the log's three parts each has a third. */
const holding = (lines: number): Learned => ({
  ...learnedNothing,
  sawLeave: true,
  capacity: {...learnedNothing.capacity, recent: extent(lines)},
  lateness: {...learnedNothing.lateness, pollsSeen: 10},
});
const learned = holding(15);
/** A line left, four came, and the front was held. */
const joined: JudgeInput = {
  before: read('1 a', '2 b'),
  wasEmpty: false,
  serviceBefore: undefined,
  serviceAt: undefined,
  earlier: [],
  now: read('2 b', '3 c', '4 d', '5 e', '6 f'),
  said: unsaid,
  count: {kind: 'uncounted'},
  front: front('held', '2 b'),
  departure: {...nothingLeft, leftCount: 1, newestLeft: nanos(1)},
  podsExplain: false,
  showsLoss: false,
  added: entries('3 c', '4 d', '5 e', '6 f'),
  tooLate: [],
  newestBefore: nanos(2),
  newestNow: nanos(6),
  capacityBefore: extent(15),
  learned,
};
const moved: JudgeInput = {...joined, now: read('3 c', '4 d', '5 e', '6 f'), front: front('new', '3 c')};
/** The four lines that came are a share. */
const shared: JudgeInput = {...joined, learned: holding(12)};

/** The verdict in a word: why it is a gap, or what else it is. */
const wordOf = (input: JudgeInput): string => {
  const verdict = judgeWindow(input);
  return verdict.kind === 'gap' ? verdict.reason : verdict.kind;
};

describe('a service that numbers its lines', () => {
  const joins = {kind: 'joins', podsAreRead: true} as const;

  test('is believed, whatever the windows look like', () => {
    expect(wordOf({...moved, count: joins})).toBe('whole');
    expect(wordOf({...moved, count: joins, wasEmpty: true})).toBe('whole');
    expect(wordOf({...shared, count: joins, said: saying('source')})).toBe('whole');
    expect(wordOf({...joined, count: {kind: 'lost'}})).toBe('moved-on');
    expect(wordOf({...joined, count: {kind: 'renumbered'}})).toBe('renumbered');
  });

  test('is believed where no line was ever shown, and where none is new', () => {
    expect(wordOf({...joined, count: {kind: 'lost'}, before: undefined})).toBe('moved-on');
    expect(wordOf({...joined, count: {kind: 'lost'}, added: []})).toBe('moved-on');
  });

  test('says nothing with an older answer', () => {
    expect(wordOf({...moved, count: {kind: 'stale'}})).toBe('whole');
  });

  test('is never quiet: it says what was lost', () => {
    const few = {...moved, now: read('7 g'), front: front('new', '7 g'), added: entries('7 g'), newestNow: nanos(7)};
    expect(wordOf({...few, wasEmpty: true})).toBe('quiet');
    expect(wordOf({...few, wasEmpty: true, count: {kind: 'lost'}})).toBe('moved-on');
  });
});

test.each([
  {what: 'the first window', input: {...moved, before: undefined}, verdict: 'whole'},
  {what: 'nothing new, though all left', input: {...moved, added: []}, verdict: 'whole'},
  {what: 'nothing new after an empty window', input: {...moved, added: [], wasEmpty: true}, verdict: 'whole'},
  {
    what: 'nothing new but what is taken for old by its text alone',
    input: {...moved, added: [], now: {...moved.now, guessedCount: 9}},
    verdict: 'whole',
  },
  {
    what: 'a line too late for the buffer, which is new too',
    input: {...moved, added: [], tooLate: entries('1 x')},
    verdict: 'moved-on',
  },
])('rule 1: $what is $verdict', ({input, verdict}) => {
  expect(wordOf(input)).toBe(verdict);
});

describe('where nothing left', () => {
  const grown = {...moved, departure: nothingLeft};

  test.each([
    {
      what: 'and the branch is cut as one, however much came',
      input: {...grown, said: saying('branch'), learned: holding(4)},
      verdict: 'whole',
    },
    {
      what: 'and less than a share came, whichever copies are new',
      input: {...grown, departure: {...nothingLeft, copiesInDoubt: 2}},
      verdict: 'whole',
    },
    {what: 'and less than a share came', input: grown, verdict: 'whole'},
    {what: 'and nothing ever did', input: {...grown, learned: {...holding(12), sawLeave: false}}, verdict: 'whole'},
    {
      what: 'but a share came: a quiet part may have burst past its share',
      input: {...grown, learned: holding(12)},
      verdict: 'moved-on',
    },
    {
      what: 'but a share came, of parts that the service names',
      input: {...grown, learned: holding(12), said: saying('source', {sources: 3})},
      verdict: 'share',
    },
    {
      what: 'but copies may be others than those that were there',
      input: {...grown, said: saying('branch'), departure: {...nothingLeft, copiesInDoubt: 2}},
      verdict: 'moved-on',
    },
    {
      what: 'but the window reaches further back',
      input: {...grown, added: entries('0 x', '3 c', '4 d', '5 e')},
      verdict: 'moved-on',
    },
    {
      what: 'but windows were empty in between',
      input: {...grown, wasEmpty: true, capacityBefore: extent(7), learned: {...holding(7), sawLeave: false}},
      verdict: 'empty',
    },
  ])('$what, it is $verdict', ({input, verdict}) => {
    expect(wordOf(input)).toBe(verdict);
  });
});

test('of parts that the service names, nothing that stayed may have come and left, but for a pod that went', () => {
  const left = (leftCount: number): JudgeInput => ({
    ...{...joined, said: saying('source', {sources: 3})},
    departure: {...nothingLeft, leftCount, newestLeft: nanos(leftCount)},
  });
  expect([wordOf(left(1)), wordOf(left(2))]).toEqual(['whole', 'moved-on']);
  expect(wordOf({...left(2), wasEmpty: true})).toBe('empty');
  expect(wordOf({...left(2), podsExplain: true})).toBe('whole');
});

test.each([
  {
    what: 'cut as one, the front held, a share came',
    input: {...joined, said: saying('branch'), learned: holding(4)},
    verdict: 'whole',
  },
  {what: 'cut as one, the front new', input: {...moved, said: saying('branch')}, verdict: 'moved-on'},
  {what: 'cut by pod, of which there is one', input: {...shared, said: saying('pod')}, verdict: 'whole'},
  {
    what: 'cut by pod, one listed, though a hole was seen, and a share came',
    input: {...shared, said: saying('pod', {sawHole: true})},
    verdict: 'share',
  },
  {
    what: 'cut by pod, less than a share came, the front new',
    input: {...moved, said: saying('pod', {podCount: 3})},
    verdict: 'whole',
  },
  {what: 'cut by pod, a share came', input: {...shared, said: saying('pod', {podCount: 3})}, verdict: 'share'},
  {
    what: 'cut by pod, so many that a share is less',
    input: {...joined, said: saying('pod', {podCount: 4})},
    verdict: 'share',
  },
  {
    what: 'cut by source, of three that it names, a share came',
    input: {...shared, said: saying('source', {sources: 3})},
    verdict: 'share',
  },
  {
    what: 'cut by source, of two that it names, less than a share came',
    input: {...shared, said: saying('source', {sources: 2})},
    verdict: 'whole',
  },
  {
    what: 'cut by source, of nobody knows how many, as much came as one of eight has',
    input: {...joined, said: saying('source')},
    verdict: 'share',
  },
])('rule 2, the service says how it cuts: $what is $verdict', ({input, verdict}) => {
  expect(wordOf(input)).toBe(verdict);
});

test.each([
  {what: 'the front held, less than a share came', input: joined, verdict: 'whole'},
  {what: 'the front held, a share came', input: shared, verdict: 'unproven'},
  {
    what: 'the front held, a share came in characters',
    input: {...joined, added: entries(`3 ${'c'.repeat(200)}`, '4 d', '5 e')},
    verdict: 'unproven',
  },
  {
    what: 'the same, where windows were seen to be cut by lines',
    input: {...joined, added: entries(`3 ${'c'.repeat(200)}`, '4 d', '5 e'), learned: {...learned, evenPolls: 4}},
    verdict: 'whole',
  },
  {
    what: 'a hole was seen, as much came as one of eight has',
    input: {...joined, said: {...unsaid, sawHole: true}},
    verdict: 'unproven',
  },
  {what: 'the front new', input: moved, verdict: 'moved-on'},
  {what: 'no front', input: {...joined, front: {kind: 'none'}}, verdict: 'moved-on'},
  {
    what: 'the front held, lines that make up a share in characters are too late for the buffer',
    input: {...joined, added: entries('3 c'), tooLate: entries(`0 ${'c'.repeat(40)}`, `1 ${'d'.repeat(40)}`)},
    verdict: 'unproven',
  },
  {
    what: 'the front held, lines that with one more as long make up a share are too late for the buffer',
    input: {...joined, added: entries('3 c'), tooLate: entries(`0 ${'c'.repeat(60)}`, '1 d')},
    verdict: 'unproven',
  },
  {
    what: 'what is taken for old by its text alone counts as new',
    input: {...joined, now: {...joined.now, guessedCount: 1}},
    verdict: 'unproven',
  },
] as const)('rule 3, the service does not say: $what is $verdict', ({input, verdict}) => {
  expect(wordOf(input)).toBe(verdict);
});

describe('where the front was held of a branch that is cut as one', () => {
  const before = read('1 a', '2 b', '3 c', '4 d', '5 e', '6 f');
  const again: JudgeInput = {
    ...joined,
    said: saying('branch'),
    before,
    departure: {...nothingLeft, leftCount: 2, newestLeft: nanos(3), hasHole: true},
  };
  const departed = (more: Partial<Departure>): JudgeInput => ({...again, departure: {...again.departure, ...more}});

  test('a few lines that stayed though newer ones left were sent a second time', () => {
    expect(wordOf(again)).toBe('moved-on');
    expect(wordOf({...again, wasEmpty: true, learned: holding(9)})).toBe('empty');
  });

  test('more than a few were not', () => {
    expect(wordOf(departed({leftCount: 1}))).toBe('whole');
  });

  test('nor were lines that are as old as all that left', () => {
    expect(wordOf(departed({newestLeft: nanos(2)}))).toBe('whole');
    expect(wordOf(departed({newestLeft: undefined}))).toBe('whole');
  });

  test('nor were they where no line left out of turn, or where parts are cut each on its own', () => {
    expect(wordOf(departed({hasHole: false}))).toBe('whole');
    expect(wordOf({...again, said: unsaid})).toBe('whole');
  });
});

describe('lines that left though a count pushes out none so soon', () => {
  // Of three parts of twenty lines, one lost its last lines: 12 followed them, and 4 came.
  const after = {lines: 12, characters: 12 * 32};
  const taken = {last: '6 gone', after, olderCount: 6};
  const gone: JudgeInput = {
    ...joined,
    learned: holding(60),
    capacityBefore: extent(60),
    departure: {...joined.departure, taken},
  };
  const withAfter = (lines: number, characters = lines * 32): Departure => ({
    ...gone.departure,
    taken: {...taken, after: {lines, characters}},
  });

  test('are those of a container that started anew', () => {
    expect(wordOf(gone)).toBe('source-gone');
    expect(wordOf({...gone, said: saying('branch')})).toBe('source-gone');
    expect(wordOf({...gone, said: saying('pod')})).toBe('source-gone');
    expect(wordOf({...gone, said: saying('source', {sources: 3})})).toBe('source-gone');
    // What came first with this window says nothing of what pushed lines out of the one before.
    expect(wordOf({...gone, capacityBefore: extent(47)})).toBe('whole');
    // It tells more than that the front is new.
    expect(wordOf({...gone, front: front('new', '3 c')})).toBe('source-gone');
  });

  test('may have been pushed out where a share of lines followed them', () => {
    expect(wordOf({...gone, departure: withAfter(15)})).toBe('source-gone');
    expect(wordOf({...gone, departure: withAfter(16)})).toBe('whole');
    // Of two pods with three sources each, and of six sources that are named, each has less; of a branch that is cut as one the share is the window.
    expect(wordOf({...gone, said: {...unsaid, podCount: 2}})).toBe('whole');
    expect(wordOf({...gone, said: saying('source', {sources: 6})})).toBe('whole');
    expect(wordOf({...gone, said: saying('branch'), departure: withAfter(55)})).toBe('source-gone');
    expect(wordOf({...gone, said: saying('branch'), departure: withAfter(56)})).toBe('whole');
  });

  test('may have been pushed out by a few long lines, unless windows were seen to be cut by lines', () => {
    const long = withAfter(12, 600);
    expect(wordOf({...gone, departure: long})).toBe('whole');
    expect(wordOf({...gone, departure: long, learned: {...holding(60), evenPolls: 4}})).toBe('source-gone');
  });

  test('may have been followed by lines that are older, where lines were late', () => {
    expect(wordOf({...gone, learned: {...holding(60), lateness: {...learned.lateness, ever: 1n}}})).toBe('whole');
  });

  test('may have been followed by lines without a timestamp', () => {
    const now = read('2 b', '3 c', '}', '}', '}', '4 d', '}', '5 e', '6 f');
    expect(wordOf({...gone, now})).toBe('whole');
  });

  test('are none where a new line begins with the last of them, of which it was a piece', () => {
    const piece = {...gone.departure, taken: {...taken, last: line('3 c')}};
    expect(wordOf({...gone, departure: piece})).toBe('whole');
    expect(wordOf({...gone, departure: {...piece, taken: {...taken, last: line('3 cc')}}})).toBe('source-gone');
  });

  test('may be of another place in a mixed order, if nothing older followed and all is cut as one', () => {
    const first = {...gone, departure: {...gone.departure, taken: {...taken, olderCount: 0}}};
    const mixed = {...first, learned: {...gone.learned, sawMixed: true}};
    expect(wordOf({...mixed, said: saying('branch')})).toBe('whole');
    expect(wordOf({...mixed, said: saying('source', {sources: 3})})).toBe('source-gone');
    expect(wordOf({...first, said: saying('branch')})).toBe('source-gone');
    expect(wordOf({...gone, learned: mixed.learned, said: saying('branch')})).toBe('source-gone');
  });

  test('are explained by a pod that went', () => {
    expect(wordOf({...gone, podsExplain: true})).toBe('whole');
  });
});

describe('rule 6, after an empty answer', () => {
  const few = {...moved, now: read('7 g'), front: front('new', '7 g'), added: entries('7 g'), newestNow: nanos(7)};
  const keptNone = {...few, departure: {...few.departure, keptNone: true}};

  test('it is whole where the front was held', () => {
    expect(wordOf({...joined, wasEmpty: true})).toBe('whole');
    expect(wordOf({...joined, wasEmpty: true, now: read('2 b', '3 c'), added: entries('3 c')})).toBe('whole');
  });

  test('a window as large as any is a gap: it was cut by count', () => {
    expect(wordOf({...moved, wasEmpty: true, capacityBefore: extent(5), learned: holding(5)})).toBe('empty');
    const large = read('3 c', '4 d', '5 e', '6 f', '7 g', '8 h', '9 i', '10 j');
    expect(wordOf({...moved, wasEmpty: true, now: large})).toBe('empty');
  });

  test('one that shows clearly less is quiet: nobody can know what came and went', () => {
    expect(judgeWindow({...few, wasEmpty: true})).toEqual({kind: 'quiet', after: nanos(2), before: nanos(7)});
  });

  test('so is one that let go of all that it had, in between or not, and shows a line or two', () => {
    expect(wordOf(keptNone)).toBe('quiet');
    expect(verdictOf({...keptNone, front: front('held', '7 g')}, 'not-lines').kind).toBe('gap');
    expect(wordOf(few)).toBe('moved-on');
    const two = {...keptNone, now: read('7 g', '8 h'), added: entries('7 g', '8 h')};
    expect(wordOf(two)).toBe('quiet');
    expect(wordOf({...two, now: read('7 g', '8 h', '9 i'), added: entries('7 g', '8 h', '9 i')})).toBe('moved-on');
    expect(wordOf({...two, tooLate: entries('1 x')})).toBe('moved-on');
  });

  test('a log that was busy of late is not quiet', () => {
    expect(wordOf({...few, wasEmpty: true, learned: {...learned, cameLately: 2}})).toBe('quiet');
    expect(wordOf({...few, wasEmpty: true, learned: {...learned, cameLately: 3}})).toBe('empty');
  });
});

describe('rule 7, lines that were seen to be late', () => {
  const late = {...learned, lateness: {...learned.lateness, ever: 50n, recentBeside: 50n, isShown: true}};

  test('a window that spans less may never show such lines', () => {
    expect(judgeWindow({...joined, learned: late})).toMatchObject({kind: 'gap', reason: 'short-window'});
    expect(wordOf({...joined, learned: late, said: saying('branch')})).toBe('short-window');
    expect(wordOf({...joined, learned: late, said: saying('pod', {podCount: 3})})).toBe('short-window');
  });

  test('is one although it ends before the last one did: late lines that fill it are no clock that went back', () => {
    const back = {...joined, newestBefore: nanos(1_000), learned: late};
    expect(judgeWindow(back)).toMatchObject({kind: 'gap', reason: 'short-window'});
    expect(verdictOf(back, 'moved-on')).toMatchObject({kind: 'gap', reason: 'clock-back'});
  });

  test('one that spans as much does', () => {
    const now = read('2 b', '3 c', '52 z');
    expect(wordOf({...joined, now, newestNow: nanos(52), learned: late})).toBe('whole');
  });

  test('where late lines are shown in whatever place, a short window hides none', () => {
    expect(wordOf({...joined, learned: {...late, lateness: {...late.lateness, isShown: false}}})).toBe('whole');
    expect(wordOf({...joined, now: {...joined.now, cameSorted: false}, learned: late})).toBe('whole');
  });
});

describe('several late lines at once', () => {
  /** The window began at 10 and ended at 100; now it ends a nanosecond later, or when it is said. */
  const batch = (late: readonly string[], newest = 101): JudgeInput => ({
    ...joined,
    before: read('10 a', '100 b'),
    now: read('10 a', ...late, '100 b', `${newest} c`),
    said: saying('branch'),
    front: front('held', '10 a'),
    added: entries(...late, `${newest} c`),
    newestBefore: nanos(100),
    newestNow: nanos(newest),
    learned: holding(18),
  });

  test('that reach down to the front are a batch, of which older ones are cut off', () => {
    expect(judgeWindow(batch(['20 l', '40 l', '60 l', '80 l']))).toMatchObject({kind: 'gap', reason: 'short-window'});
    expect(wordOf({...batch(['20 l', '40 l', '60 l', '80 l']), said: unsaid})).toBe('short-window');
    expect(wordOf({...batch(['20 l', '40 l', '60 l', '80 l']), said: saying('pod', {podCount: 2})})).toBe(
      'short-window',
    );
  });

  test.each([
    {what: 'all is there where they begin well behind the front', late: ['60 l', '70 l', '80 l']},
    {what: 'two are no batch', late: ['20 l', '80 l']},
    {what: 'with much room between them they are of several slow clocks', late: ['20 l', '25 l', '80 l']},
    {
      what: 'they are of one slow clock where the log has moved on as far',
      late: ['20 l', '40 l', '60 l', '80 l'],
      newest: 131,
    },
  ])('$what', ({late, newest}) => {
    expect(wordOf(batch(late, newest))).toBe('whole');
  });

  test('without a timestamp say nothing of when they were written', () => {
    const unstamped = batch(['20 l', '40 l', '60 l']);
    const added = unstamped.added.map(entry => ({...entry, textIndex: entry.at < nanos(100) ? 0 : entry.textIndex}));
    expect(wordOf({...unstamped, added})).toBe('whole');
  });

  test('say nothing where lines do not come in order of time', () => {
    const input = batch(['20 l', '40 l', '60 l', '80 l']);
    expect(wordOf({...input, now: {...input.now, cameSorted: false}})).toBe('whole');
  });
});

test('where the window lies before all that was held a clock went back, whatever else is the reason', () => {
  const back = {...moved, now: read('3 x'), newestBefore: nanos(100), newestNow: nanos(3), added: entries('3 x')};
  expect(wordOf(back)).toBe('clock-back');
  expect(verdictOf({...back, count: {kind: 'lost'}}, 'not-lines')).toMatchObject({
    reason: 'clock-back',
  });
});

test('any other reason to doubt has the same range', () => {
  expect(verdictOf(joined, 'not-lines')).toEqual({kind: 'gap', after: nanos(2), before: nanos(6), reason: 'not-lines'});
});
