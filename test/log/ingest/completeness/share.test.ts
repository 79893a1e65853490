import {describe, expect, test} from 'vitest';
import {
  extentOf,
  isCutAsOne,
  isLessThanShare,
  type KnownCut,
  largerExtent,
  noExtent,
  shareOf,
  showsClearlyLess,
  usualShareOf,
  windowParts,
} from '#log/ingest/completeness/share.ts';
import {readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
import {line, nanos} from '../../simulation/lines-at.ts';

const windowOf = (count: number) =>
  finishWork(
    readWindow(
      Array.from({length: count}, (_, index) => line(`${index + 1} text`)),
      () => [],
    ),
  );

const unsaid: KnownCut = {cut: undefined, sources: undefined, podCount: 2, sawHole: false};

describe('into how many parts windows are cut at most', () => {
  test.each<{readonly what: string; readonly said: Partial<KnownCut>; readonly parts: number}>([
    {what: 'the branch’s log as one', said: {cut: 'branch', podCount: 5, sawHole: true}, parts: 1},
    {what: 'one for each of two pods', said: {cut: 'pod'}, parts: 2},
    {
      what: 'one for each of two pods, a hole seen: that is how they are cut',
      said: {cut: 'pod', sawHole: true},
      parts: 2,
    },
    {what: 'one for a single pod', said: {cut: 'pod', podCount: 1}, parts: 1},
    {
      what: 'three for a single pod of one source, once a hole was seen',
      said: {cut: 'source', sources: 1, podCount: 1, sawHole: true},
      parts: 3,
    },
    {
      what: 'three where one pod is listed and a hole was seen: lines of others are there',
      said: {cut: 'pod', podCount: 1, sawHole: true},
      parts: 3,
    },
    {what: 'three where each pod is cut and none is listed', said: {cut: 'pod', podCount: 0}, parts: 3},
    {what: 'two pods of three sources each', said: {cut: 'source', sources: 3}, parts: 6},
    {what: 'two pods of eleven sources each', said: {cut: 'source', sources: 11}, parts: 22},
    {what: 'two pods of as many sources as a pod may have, where nobody says', said: {cut: 'source'}, parts: 16},
    {
      what: 'as many as a pod has sources, where none is listed',
      said: {cut: 'source', sources: 2, podCount: 0},
      parts: 6,
    },
    {what: 'three where nobody says, for the three usual sources of a pod', said: {}, parts: 3},
    {what: 'one for each of five pods where nobody says', said: {podCount: 5}, parts: 5},
    {what: 'two pods of eight sources where nobody says and a hole was seen', said: {sawHole: true}, parts: 16},
    {
      what: 'eight sources of one pod where nobody says and a hole was seen',
      said: {podCount: 1, sawHole: true},
      parts: 8,
    },
    {what: 'three where nobody says and no pod is listed', said: {podCount: 0}, parts: 3},
    // How many sources a pod has tells nothing where nobody says that each is cut on its own.
    {what: 'three where only the sources are said', said: {sources: 5}, parts: 3},
  ])('$what', ({said, parts}) => {
    expect(windowParts({...unsaid, ...said})).toBe(parts);
  });
});

test('a share is what the largest window holds, divided among the parts', () => {
  const capacity = {lines: 1200, characters: 36_000};
  expect(shareOf(capacity, {...unsaid, cut: 'pod'})).toEqual({lines: 600, characters: 18_000});
  expect(shareOf(capacity, {...unsaid, cut: 'source', sources: 4})).toEqual({lines: 150, characters: 4500});
});

test('a usual share is that of three sources a pod, unless the service says how many it cuts', () => {
  const capacity = {lines: 1200, characters: 36_000};
  expect(usualShareOf(capacity, unsaid).lines).toBe(200);
  expect(usualShareOf(capacity, {...unsaid, sawHole: true}).lines).toBe(200);
  expect(usualShareOf(capacity, {...unsaid, cut: 'source', sources: 6}).lines).toBe(100);
  expect(usualShareOf(capacity, {...unsaid, cut: 'source'}).lines).toBe(200);
  expect(usualShareOf(capacity, {...unsaid, cut: 'pod'}).lines).toBe(600);
  expect(usualShareOf(capacity, {...unsaid, cut: 'branch'}).lines).toBe(1200);
});

describe('a branch is cut as one', () => {
  test.each<{readonly what: string; readonly said: Partial<KnownCut>; readonly isOne: boolean}>([
    {what: 'where the service says so, a hole seen or not', said: {cut: 'branch', sawHole: true}, isOne: true},
    {what: 'where it cuts each pod and there is one', said: {cut: 'pod', podCount: 1}, isOne: true},
    {
      what: 'where it cuts each source, of one pod that has one',
      said: {cut: 'source', sources: 1, podCount: 1},
      isOne: true,
    },
    {what: 'not where it cuts each of two pods', said: {cut: 'pod'}, isOne: false},
    {
      what: 'not where one pod is listed and a hole was seen',
      said: {cut: 'pod', podCount: 1, sawHole: true},
      isOne: false,
    },
    {what: 'not where it cuts each of two sources', said: {cut: 'source', sources: 2, podCount: 1}, isOne: false},
    {what: 'not where nobody says how many sources there are', said: {cut: 'source', podCount: 1}, isOne: false},
    {what: 'not where nobody says', said: {podCount: 1, sources: 1}, isOne: false},
  ])('$what', ({said, isOne}) => {
    expect(isCutAsOne({...unsaid, ...said})).toBe(isOne);
  });
});

describe('less came than a part can hold', () => {
  const share = {lines: 10, characters: 1000};

  test('where neither lines nor characters make up a share', () => {
    expect(isLessThanShare(share, {lines: 9, characters: 899, longest: 100}, false)).toBe(true);
    expect(isLessThanShare(share, {lines: 10, characters: 100, longest: 10}, false)).toBe(false);
    // A part that is cut by bytes is filled by a few long lines, and has room for less than one more.
    expect(isLessThanShare(share, {lines: 9, characters: 900, longest: 100}, false)).toBe(false);
  });

  test('however long lines are, where windows were seen to be cut by lines', () => {
    expect(isLessThanShare(share, {lines: 9, characters: 90_000, longest: 10_000}, true)).toBe(true);
    expect(isLessThanShare(share, {lines: 10, characters: 100, longest: 10}, true)).toBe(false);
  });

  test('where it is fewer lines than any part holds', () => {
    const few = {lines: 1, characters: 10};
    expect([2, 3].map(lines => isLessThanShare(few, {lines, characters: 90_000, longest: 30_000}, false))).toEqual([
      true,
      false,
    ]);
  });
});

test('lines that are not believed take no part in what a window holds', () => {
  expect(extentOf(windowOf(60))).toEqual({lines: 60, characters: 60 * 35});
  expect(extentOf(windowOf(60), nanos(45))).toEqual({lines: 45, characters: 45 * 35});
});

test('of two sizes the larger is the most of each', () => {
  expect(largerExtent({lines: 1200, characters: 36_000}, {lines: 10, characters: 90_000})).toEqual({
    lines: 1200,
    characters: 90_000,
  });
  expect(largerExtent(noExtent, {lines: 1, characters: 2})).toEqual({lines: 1, characters: 2});
});

test('a window shows clearly less with at most half of the lines and of the characters', () => {
  const most = extentOf(windowOf(20));
  expect([10, 11].map(count => showsClearlyLess(most, windowOf(count)))).toEqual([true, false]);
  // More lines, all short: a window that is cut by lines is full.
  expect(showsClearlyLess({lines: 20, characters: 90_000}, windowOf(11))).toBe(false);
  // Fewer lines, but as long as all the others together: a window that is cut by bytes is full.
  const long = finishWork(readWindow([line(`1 ${'x'.repeat(700)}`)], () => []));
  expect(showsClearlyLess(most, long)).toBe(false);
});
