import {describe, expect, test} from 'vitest';
import {readWindow} from '../../../src/log/line/window-line.ts';
import {eachLine} from '../../../src/log/line/window-lines.ts';
import {createCopyCounter} from '../../../src/log/wholeness/copy-counter.ts';
import {countStayed, findFront} from '../../../src/log/wholeness/find-front.ts';
import {finishWork} from '../../../src/log/work/work.ts';
import {line, short} from '../simulation/lines-at.ts';

const read = (texts: readonly string[]) => finishWork(readWindow(texts.map(line), () => []));

/** What the front says where just the lines of the window before are held. */
const frontOf = (before: readonly string[], now: readonly string[], didLeave = true): string => {
  const [last, next] = [read(before), read(now)];
  const front = finishWork(
    findFront({
      before: last,
      now: next,
      stayedCount: didLeave ? finishWork(countStayed(last, next)) : 0,
      countHeld: createCopyCounter(last),
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
});

test('lines at the front that stayed while nothing left prove that the window joins', () => {
  expect(frontOf(['1 a', '2 b'], ['1 a', '2 b', '3 c'], false)).toBe('held: 1 a');
});

test('a text that repeats is no banner', () => {
  expect(frontOf(['1 tick', '2 tick', '9 ahead'], ['7 tick', '8 tick', '9 ahead'])).toBe('new: 7 tick');
});

test('no more than four lines are taken for banners', () => {
  const before = ['1 a', '2 b', '3 c', '4 d', '5 e', '6 f'];
  expect(frontOf(before, ['11 a', '12 b', '13 c', '14 d', '15 e', '16 f'])).toBe('new: 15 e');
});

test('where some copies are new, the next line of the same time decides', () => {
  expect(frontOf(['1 x', '1 y', '2 b'], ['1 x', '1 x', '1 y', '3 c'])).toBe('held: 1 y');
  expect(frontOf(['1 x', '2 b'], ['1 x', '1 x', '2 b', '3 c'])).toBe('new: 1 x');
});

test('copies are counted by time and text', () => {
  const window = read(['1 x', '1 x', '1 y', '2 x']);
  expect([...eachLine(window.lines)].map(([, each]) => createCopyCounter(window)(each))).toEqual([2, 2, 1, 1]);
});

test('lines that stayed are counted up to the first that has copies', () => {
  expect(finishWork(countStayed(read(['1 a', '2 b', '3 c']), read(['1 a', '2 b', '4 d'])))).toBe(2);
  expect(finishWork(countStayed(read(['1 a', '2 x', '2 x', '3 c']), read(['1 a', '2 x', '4 d'])))).toBe(1);
});
