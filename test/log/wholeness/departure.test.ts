import {expect, test} from 'vitest';
import {readWindow} from '../../../src/log/line/window-line.ts';
import {compareWindows} from '../../../src/log/wholeness/departure.ts';
import {finishWork} from '../../../src/log/work/work.ts';
import {line, nanos} from '../simulation/lines-at.ts';

const read = (...texts: readonly string[]) => finishWork(readWindow(texts.map(line), () => []));

test('what left is counted by identity, with its newest', () => {
  expect(finishWork(compareWindows(read('1 a', '1 a', '2 b', '3 c'), read('1 a', '3 c', '4 d'), 0))).toEqual({
    leftCount: 2,
    newestLeft: nanos(2),
    keptNone: false,
    hasHole: true,
    copiesInDoubt: 0,
  });
});

test('where the end stands again at the front, only the front can have left', () => {
  expect(finishWork(compareWindows(read('1 a', '2 b', '3 c'), read('3 c', '4 d'), 1))).toEqual({
    leftCount: 2,
    newestLeft: nanos(2),
    keptNone: false,
    hasHole: false,
    copiesInDoubt: 0,
  });
});

test('where no readable line stayed, none was kept', () => {
  expect(finishWork(compareWindows(read('1 a', '}', '2 b'), read('}', '8 h'), 0))).toMatchObject({
    keptNone: true,
    leftCount: 3,
  });
});

test.each([
  {what: 'left between lines that stayed', before: ['1 quiet', '2 b', '3 c'], now: ['1 quiet', '3 c', '4 d']},
  {what: 'left after the only line that stayed', before: ['1 quiet', '2 b', '3 c'], now: ['1 quiet', '4 d', '5 e']},
  {
    what: 'left though it came, older, after one that stayed',
    before: ['5 a', '2 b', '6 c'],
    now: ['5 a', '6 c', '7 d'],
  },
])('a hole: it $what', ({before, now}) => {
  expect(finishWork(compareWindows(read(...before), read(...now), 0)).hasHole).toBe(true);
});

test.each([
  {what: 'left from the front', before: ['1 a', '2 b', '3 c'], now: ['2 late', '3 c', '4 d']},
  {what: 'shares its time with the first that stayed', before: ['1 a', '1 b', '3 c'], now: ['1 b', '2 late', '3 c']},
  {what: 'is newer, but came ahead of what stayed', before: ['9 ahead', '1 a', '2 b'], now: ['1 a', '2 b', '3 c']},
  {what: 'is a copy: another may stand further back', before: ['1 x', '2 b', '1 x'], now: ['1 x', '3 c']},
  {what: 'has no timestamp', before: ['1 a', '}', '2 b'], now: ['1 a', '2 b', '3 c']},
])('no hole: what left $what', ({before, now}) => {
  expect(finishWork(compareWindows(read(...before), read(...now), 0)).hasHole).toBe(false);
});
