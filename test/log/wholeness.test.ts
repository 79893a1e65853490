import {expect, test} from 'vitest';
import {compareWindows, type JudgeInput, judgeWindow} from '../../src/log/wholeness.ts';
import {readWindow} from '../../src/log/window-line.ts';
import {line, nanos} from './simulation/lines-at.ts';

const read = (...texts: readonly string[]) => readWindow(texts.map(line), () => []);

test('what left is counted by identity, with its oldest', () => {
  const departure = compareWindows(read('1 a', '1 a', '2 b', '3 c'), read('1 a', '3 c', '4 d'), 0);
  expect([departure.leftCount, departure.oldestLeft, departure.keepsNewest]).toEqual([2, nanos(1), true]);
});

test('where the end stands again at the front, only the front can have left', () => {
  expect(compareWindows(read('1 a', '2 b', '3 c'), read('3 c', '4 d'), 1)).toEqual({
    leftCount: 2,
    oldestLeft: nanos(1),
    keepsNewest: true,
    oldestHole: undefined,
  });
});

test('a hole is what left between a line that stayed and the newest', () => {
  expect(compareWindows(read('1 quiet', '2 b', '3 c'), read('1 quiet', '4 d', '5 e'), 0).oldestHole).toBe(nanos(2));
});

test('what left from the front, or with the very time of the oldest that stayed, is no hole', () => {
  expect(compareWindows(read('1 a', '2 b', '3 c'), read('2 late', '3 c', '4 d'), 0).oldestHole).toBeUndefined();
  expect(compareWindows(read('1 a', '1 b', '3 c'), read('1 b', '2 late', '3 c'), 0).oldestHole).toBeUndefined();
});

test('what is newer than this answer left because it is an older one', () => {
  expect(compareWindows(read('2 b', '3 c', '4 d'), read('1 a', '2 b', '3 c'), 0).oldestHole).toBeUndefined();
});

test('a late line that stays at the front of a window in order of arrival makes no hole of what left before it', () => {
  expect(
    compareWindows(read('5 e', '6 f', '2 late', '7 g'), read('2 late', '7 g', '8 h'), 2).oldestHole,
  ).toBeUndefined();
});

const base: JudgeInput = {
  before: read('1 a', '2 b'),
  now: read('2 b', '3 c'),
  departure: {leftCount: 1, oldestLeft: nanos(1), keepsNewest: true, oldestHole: undefined},
  newestHeld: nanos(2),
  newestHeldIsHere: true,
  oldestNewer: nanos(3),
  addedCount: 1,
  podCount: 1,
  podWent: false,
  cutsEachPod: false,
};
const allLeft = {leftCount: 2, oldestLeft: nanos(1), keepsNewest: false, oldestHole: undefined};
const moved: JudgeInput = {
  ...base,
  now: read('5 e', '6 f'),
  departure: allLeft,
  newestHeldIsHere: false,
  oldestNewer: nanos(5),
  addedCount: 2,
};
const gap = {kind: 'gap', after: nanos(2), before: nanos(5)};

test.each([
  {what: 'the first window is whole', input: {...moved, before: undefined}, verdict: {kind: 'whole'}},
  {what: '1: nothing new is whole, even where all left', input: {...moved, addedCount: 0}, verdict: {kind: 'whole'}},
  {
    what: '1: nothing new is whole, even after an empty window',
    input: {...base, before: read(), addedCount: 0},
    verdict: {kind: 'whole'},
  },
  {
    what: '2: after an empty window it is quiet, even where the newest line is back',
    input: {...base, before: read()},
    verdict: {kind: 'quiet'},
  },
  {
    what: '2: after an empty window it is quiet, holes or not',
    input: {...moved, before: read(), cutsEachPod: true},
    verdict: {kind: 'quiet'},
  },
  {
    what: '3: where each pod is cut on its own the newest line proves nothing',
    input: {
      ...base,
      now: read('1 q', '5 e', '6 f', '7 g'),
      departure: {...base.departure, leftCount: 2},
      podCount: 2,
      cutsEachPod: true,
    },
    verdict: {kind: 'gap', after: nanos(1), before: nanos(7)},
  },
  {
    what: '3: fewer that left and that came than a share are whole',
    input: {
      ...base,
      now: read('1 q', '5 e', '6 f', '7 g'),
      departure: {...base.departure, leftCount: 1},
      podCount: 2,
      cutsEachPod: true,
    },
    verdict: {kind: 'whole'},
  },
  {
    what: '3: one line left and a whole share came: it may be all that a pod had shown',
    input: {...base, now: read('1 q', '5 e', '6 f', '7 g'), addedCount: 3, podCount: 2, cutsEachPod: true},
    verdict: {kind: 'gap', after: nanos(1), before: nanos(7)},
  },
  {
    what: '3: where nothing left no pod lost what it had shown',
    input: {
      ...base,
      departure: {...allLeft, leftCount: 0, oldestLeft: undefined},
      addedCount: 3,
      podCount: 2,
      cutsEachPod: true,
    },
    verdict: {kind: 'whole'},
  },
  {what: '4: the newest line held is there', input: {...moved, newestHeldIsHere: true}, verdict: {kind: 'whole'}},
  {
    what: '4: the newest line of the window before is there',
    input: {...moved, departure: {...allLeft, keepsNewest: true}},
    verdict: {kind: 'whole'},
  },
  {
    what: '4: a pod went and a line of the others stayed',
    input: {...moved, departure: {...allLeft, leftCount: 1}, podWent: true},
    verdict: {kind: 'whole'},
  },
  {what: '5: a pod went and no line stayed', input: {...moved, podWent: true}, verdict: gap},
  {what: '5: nothing joins', input: moved, verdict: gap},
  {
    what: '5: only late lines came, so nothing tells of a gap',
    input: {...moved, oldestNewer: undefined},
    verdict: {kind: 'whole'},
  },
] as const)('$what', ({input, verdict}) => {
  expect(judgeWindow(input)).toEqual(verdict);
});
