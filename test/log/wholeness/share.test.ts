import {describe, expect, test} from 'vitest';
import {readWindow} from '../../../src/log/line/window-line.ts';
import {
  type Capacity,
  capacityOf,
  isCutAsOne,
  isLessThanShare,
  largerCapacity,
  noCapacity,
  shareOf,
  showsClearlyLess,
} from '../../../src/log/wholeness/share.ts';
import {finishWork} from '../../../src/log/work/work.ts';
import {line, nanos} from '../simulation/lines-at.ts';

const windowOf = (count: number) =>
  finishWork(
    readWindow(
      Array.from({length: count}, (_, index) => line(`${index + 1} text`)),
      () => [],
    ),
  );
const capacity: Capacity = {window: {lines: 1200, characters: 36_000}, earlyLines: 400, podLines: 600};

test.each([
  {cut: 'branch', sawHole: false, lines: 1200},
  {cut: 'pod', sawHole: false, lines: 600},
  {cut: 'source', sawHole: false, lines: 200},
  {cut: undefined, sawHole: false, lines: 400},
  {cut: undefined, sawHole: true, lines: 200},
] as const)(
  'of 1,200 lines of two pods cut by $cut, a hole seen: $sawHole, a share is $lines',
  ({cut, sawHole, lines}) => {
    expect(shareOf(capacity, cut, {sawHole, podCount: 2})).toEqual({lines, isOnePod: false});
  },
);

describe('what a window can hold', () => {
  test.each([
    {podCount: 1, earlyLines: 20, podLines: 60},
    {podCount: 2, earlyLines: 20, podLines: 30},
    {podCount: 4, earlyLines: 15, podLines: 15},
    // An empty list tells nothing: three are assumed.
    {podCount: 0, earlyLines: 20, podLines: 20},
  ])('60 lines of $podCount pods', ({podCount, earlyLines, podLines}) => {
    expect(capacityOf(windowOf(60), podCount, undefined)).toMatchObject({earlyLines, podLines});
  });

  test('lines that are not believed take no part', () => {
    expect(capacityOf(windowOf(60), 1, nanos(45)).window.lines).toBe(45);
  });

  test('is the most of each that was seen', () => {
    const few = {window: {lines: 10, characters: 90_000}, earlyLines: 500, podLines: 1};
    expect(largerCapacity(capacity, few)).toEqual({
      window: {lines: 1200, characters: 90_000},
      earlyLines: 500,
      podLines: 600,
    });
    expect(largerCapacity(noCapacity, few)).toEqual(few);
  });
});

test('less than a share came, or so few that no source holds less', () => {
  const share = {lines: 10, isOnePod: false};
  expect([9, 10].map(count => isLessThanShare(share, count))).toEqual([true, false]);
  expect([2, 3].map(count => isLessThanShare({...share, lines: 1}, count))).toEqual([true, false]);
});

test('a branch is cut as one where the service says so, or cuts each pod and there is one', () => {
  const [one, two] = [true, false].map(isOnePod => ({lines: 10, isOnePod}));
  expect(one && [isCutAsOne('branch', one), isCutAsOne('pod', one), isCutAsOne('source', one)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(two && [isCutAsOne('branch', two), isCutAsOne('pod', two), isCutAsOne(undefined, two)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a window shows clearly less with at most half of the lines and of the characters', () => {
  const most = capacityOf(windowOf(20), 1, undefined);
  expect([10, 11].map(count => showsClearlyLess(most, windowOf(count)))).toEqual([true, false]);
  // Fewer lines, but as long as all the others together: a window that is cut by bytes is full.
  const long = finishWork(readWindow([line(`1 ${'x'.repeat(700)}`)], () => []));
  expect(showsClearlyLess(most, long)).toBe(false);
});
