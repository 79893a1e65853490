import {describe, expect, test} from 'vitest';
import {countStayed, createCopyCounter, findBanners, findFront} from '#log/ingest/completeness/find-front.ts';
import {readWindow} from '#log/window/window-line.ts';
import {eachLine} from '#log/window/window-lines.ts';
import {finishWork} from '#log/work.ts';
import {line, short} from '../../simulation/lines-at.ts';

const read = (texts: readonly string[]) => finishWork(readWindow(texts.map(line), () => []));

type Given = {
  /** Lines left since the window before. */
  readonly didLeave?: boolean;
  /** Lines held from windows before that one. */
  readonly heldOfOld?: readonly string[];
  readonly isMixed?: boolean;
  /** So many lines at the end of the window before begin the next one. */
  readonly overlap?: number;
};

/** What the front says where just the lines of the window before are held, and those given. */
const frontOf = (
  before: readonly string[],
  now: readonly string[],
  {didLeave = true, heldOfOld = [], isMixed = false, overlap = 0}: Given = {},
): string => {
  const [last, next] = [read(before), read(now)];
  const front = finishWork(
    findFront({
      before: last,
      now: next,
      stayedCount: didLeave ? finishWork(countStayed(last, next)) : 0,
      countHeld: createCopyCounter(read([...heldOfOld, ...before])),
      isMixed,
      overlap,
    }),
  );
  return front.kind === 'none' ? 'none' : `${front.kind}: ${short(front.line.raw)}`;
};

test.each([
  {what: 'held', before: ['1 a', '2 b'], now: ['2 b', '3 c'], front: 'held: 2 b'},
  {what: 'new', before: ['1 a', '2 b'], now: ['8 h', '9 i'], front: 'new: 8 h'},
  {what: 'new though a later one is held', before: ['1 a', '9 ahead'], now: ['7 g', '9 ahead'], front: 'new: 7 g'},
  {what: 'none in an empty window', before: ['1 a'], now: [], front: 'none'},
])('it is $what', ({before, now, front}) => {
  expect(frontOf(before, now)).toBe(front);
});

describe('what proves nothing is passed over', () => {
  test.each([
    {what: 'a line without a timestamp', before: ['1 a', '}', '2 b'], now: ['}', '8 h'], front: 'new: 8 h'},
    {what: 'a window of such lines', before: ['1 a', '}'], now: ['}', '}'], front: 'none'},
    {
      what: 'a banner that is always the same',
      before: ['1 == log ==', '2 a', '3 b'],
      now: ['1 == log ==', '8 h', '9 i'],
      front: 'new: 8 h',
    },
    {
      what: 'a banner that is always the same, ahead of a window that joins',
      before: ['1 == log ==', '2 a', '3 b'],
      now: ['1 == log ==', '3 b', '9 i'],
      front: 'held: 3 b',
    },
    {
      what: 'a banner stamped anew',
      before: ['3 == log ==', '2 a', '3 b'],
      now: ['9 == log ==', '3 b', '9 i'],
      front: 'held: 3 b',
    },
    {
      what: 'a line older than all before: the window reaches further back, or a stamp is forged',
      before: ['5 e', '6 f'],
      now: ['1 old', '8 h', '9 i'],
      front: 'new: 8 h',
    },
  ])('$what', ({before, now, front}) => {
    expect(frontOf(before, now)).toBe(front);
  });

  test('a line held of old that the window before did not have: it was sent a second time', () => {
    const again = {heldOfOld: ['1 once more', '2 a', '3 b']};
    expect(frontOf(['4 c', '5 d'], ['1 once more', '8 h', '9 i'], again)).toBe('new: 8 h');
    expect(frontOf(['4 c', '5 d'], ['1 once more', '5 d', '9 i'], again)).toBe('held: 5 d');
    expect(frontOf(['4 c', '5 d'], ['1 once more'], again)).toBe('none');
    expect(frontOf(['4 c', '5 d'], ['1 once more', '8 h', '2 a', '9 i'], again)).toBe('new: 8 h');
  });

  test('but two of them in a row are the front: the window before was an older one', () => {
    const again = {heldOfOld: ['1 a', '2 b', '3 c']};
    expect(frontOf(['4 c', '5 d'], ['2 b', '3 c', '8 h'], again)).toBe('held: 2 b');
    expect(frontOf(['4 c', '5 d'], ['2 b', '0 older', '3 c', '8 h'], again)).toBe('new: 8 h');
  });
});

test('lines at the front that stayed while nothing left prove that the window joins', () => {
  expect(frontOf(['1 a', '2 b'], ['1 a', '2 b', '3 c'], {didLeave: false})).toBe('held: 1 a');
});

test('two different lines that end one window and begin the next are the front, whatever copies there are', () => {
  const before = ['1 x', '1 x', '1 y', '1 y'];
  expect(frontOf(before, [...before, '2 z'])).toBe('new: 1 x');
  expect(frontOf(before, [...before, '2 z'], {overlap: 4})).toBe('held: 1 x');
  // Copies of one line may be others, and lines without a timestamp are equal by chance.
  expect(frontOf(['1 x', '1 x'], ['1 x', '1 x', '2 z'], {overlap: 2})).toBe('new: 1 x');
  expect(frontOf(['1 x', '1 x', '}'], ['1 x', '1 x', '}', '2 z'], {overlap: 3})).toBe('new: 1 x');
  expect(frontOf(['}', '1 x', '1 x'], ['}', '1 x', '1 x', '2 z'], {overlap: 3})).toBe('new: 1 x');
});

test('a text that repeats is no banner', () => {
  expect(frontOf(['1 tick', '2 tick', '9 ahead'], ['7 tick', '8 tick', '9 ahead'])).toBe('new: 7 tick');
  expect(frontOf(['1 tick', '3 c', '9 ahead'], ['7 tick', '8 tick', '9 ahead'])).toBe('new: 7 tick');
  expect(frontOf(['1 tick', '2 tick', '9 ahead'], ['7 tick', '9 ahead'])).toBe('new: 7 tick');
});

test('no more than four lines are taken for banners', () => {
  const before = ['1 a', '2 b', '3 c', '4 d', '5 e', '6 f'];
  expect(frontOf(before, ['11 a', '12 b', '13 c', '14 d', '15 e', '16 f'])).toBe('new: 15 e');
});

test('where some copies are new, the next line of the same time decides', () => {
  expect(frontOf(['1 x', '1 y', '2 b'], ['1 x', '1 x', '1 y', '3 c'])).toBe('held: 1 y');
  expect(frontOf(['1 x', '2 b'], ['1 x', '1 x', '2 b', '3 c'])).toBe('new: 1 x');
  expect(frontOf(['1 x', '2 b'], ['1 x', '1 x', '1 y', '3 c'])).toBe('new: 1 x');
});

test('a line that has copies decides only where no line without copies follows', () => {
  expect(frontOf(['1 x', '1 x', '2 b'], ['1 x', '1 x', '9 i'])).toBe('new: 1 x');
  expect(frontOf(['1 x', '1 x', '2 b'], ['1 x', '1 x', '2 b', '9 i'])).toBe('held: 1 x');
  expect(frontOf(['1 x', '1 x'], ['1 x', '1 x'])).toBe('held: 1 x');
});

test('where the order received says nothing, the oldest line decides, though it stands last', () => {
  const [before, now] = [
    ['7 a', '8 a', '2 b', '3 b'],
    ['8 a', '9 a', '3 b', '4 b'],
  ];
  expect(frontOf(before, now)).toBe('held: 8 a');
  expect(frontOf(before, now, {isMixed: true})).toBe('held: 3 b');
  expect(frontOf(before, ['8 a', '9 a', '4 b', '5 b'], {isMixed: true})).toBe('new: 4 b');
  // Nor do lines count as a banner that stayed at the front of a part.
  expect(frontOf(before, ['7 a', '9 a', '4 b', '5 b'], {isMixed: true})).toBe('new: 4 b');
});

test('banners are the lines at the front that differ in their stamp alone, as they were and as they are', () => {
  const [before, now] = [read(['1 == log ==', '2 a', '3 b']), read(['7 == log ==', '2 a', '9 c'])];
  expect(finishWork(findBanners(before, now))).toEqual({
    before: new Set([line('1 == log ==')]),
    now: new Set([line('7 == log ==')]),
  });
  expect(finishWork(findBanners(undefined, now))).toEqual({before: new Set(), now: new Set()});
});

test('copies are counted by time and text', () => {
  const window = read(['1 x', '1 x', '1 y', '2 x']);
  expect([...eachLine(window.lines)].map(([, each]) => createCopyCounter(window)(each))).toEqual([2, 2, 1, 1]);
});

test('lines that stayed are counted up to the first that has copies', () => {
  expect(finishWork(countStayed(read(['1 a', '2 b', '3 c']), read(['1 a', '2 b', '4 d'])))).toBe(2);
  expect(finishWork(countStayed(read(['1 a', '2 x', '2 x', '3 c']), read(['1 a', '2 x', '4 d'])))).toBe(1);
});

test('where sources are listed one after another, two lines of the oldest time that were there show that all are', () => {
  const before = ['1 gone', '5 x', '5 y'];
  expect(frontOf(before, ['5 new', '5 x', '5 y', '6 z'], {isMixed: true})).toBe('held: 5 x');
  // One may have been sent a second time.
  expect(frontOf(before, ['5 new', '5 y', '6 z'], {isMixed: true})).toBe('new: 5 new');
});

test('three different lines without a stamp show it where no line has one', () => {
  expect(frontOf(['w', 'x', 'y', 'z'], ['x', 'y', 'z', 'new'], {overlap: 3})).toBe('held: x');
  expect(frontOf(['w', 'x', 'x', 'z'], ['x', 'x', 'z', 'new'], {overlap: 3})).toBe('none');
});
