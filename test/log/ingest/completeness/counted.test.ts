import {expect, test} from 'vitest';
import {type Count, compareCounts, isAllCounted} from '#log/ingest/completeness/counted.ts';

type Numbers = {readonly series?: string; readonly last: number; readonly dropped: number; readonly unread?: number};

type Case = {
  readonly what: string;
  readonly before: Numbers | undefined;
  readonly now: Numbers | undefined;
  readonly didPodsGo?: boolean;
  readonly isNoNewer?: boolean;
  readonly count: Count;
};

const joins: Count = {kind: 'joins', podsAreRead: true};
const lost: Count = {kind: 'lost'};

test.each<Case>([
  {
    what: 'nothing was dropped that came after the answer before',
    before: {last: 10, dropped: 4},
    now: {last: 15, dropped: 10},
    count: joins,
  },
  {
    what: 'a line was dropped that came after it',
    before: {last: 10, dropped: 4},
    now: {last: 15, dropped: 11},
    count: lost,
  },
  {what: 'nothing came', before: {last: 10, dropped: 4}, now: {last: 10, dropped: 4}, count: joins},
  {
    what: 'all that was there left by age',
    before: {last: 10, dropped: 4},
    now: {last: 10, dropped: 10},
    count: joins,
  },
  {
    what: 'the first answer has no numbers',
    before: undefined,
    now: {last: 1, dropped: 0},
    count: {kind: 'uncounted'},
  },
  {what: 'this one has none', before: {last: 1, dropped: 0}, now: undefined, count: {kind: 'uncounted'}},
  {
    what: 'the series is another one, though the numbers would join',
    before: {last: 10, dropped: 4},
    now: {series: 'other', last: 15, dropped: 0},
    count: {kind: 'renumbered'},
  },
  {
    what: 'the numbers are lower, and nothing shown is newer than before: an older answer',
    before: {last: 10, dropped: 4},
    now: {last: 9, dropped: 3},
    isNoNewer: true,
    count: {kind: 'stale'},
  },
  {
    what: 'the numbers are lower, though lines are newer: the service was reset, and gives numbers again',
    before: {last: 10, dropped: 4},
    now: {last: 9, dropped: 3},
    count: {kind: 'renumbered'},
  },
  {
    what: 'a pod went away without having been read to its end, and no answer has shown it: it leaves no marker',
    before: {last: 10, dropped: 4},
    now: {last: 15, dropped: 10, unread: 11},
    count: lost,
  },
  {
    what: 'a pod that was shown went away so: its marker tells',
    before: {last: 10, dropped: 4},
    now: {last: 15, dropped: 10, unread: 11},
    didPodsGo: true,
    count: {kind: 'joins', podsAreRead: false},
  },
  {
    what: 'a pod went away so before the last answer, which has told of it',
    before: {last: 10, dropped: 4, unread: 10},
    now: {last: 15, dropped: 10, unread: 10},
    didPodsGo: true,
    count: joins,
  },
  {
    what: 'a pod went away and more was dropped: its marker does not tell of that',
    before: {last: 10, dropped: 4},
    now: {last: 15, dropped: 11, unread: 11},
    didPodsGo: true,
    count: lost,
  },
])('where $what: $count.kind', ({before, now, didPodsGo = false, isNoNewer = false, count}) => {
  const [last, next] = [before && {series: 'one', ...before}, now && {series: 'one', ...now}];
  expect(compareCounts(last, next, {didPodsGo, isNoNewer})).toEqual(count);
});

test('as many lines as numbers are all that came', () => {
  const before = {series: 'a', last: 5, dropped: 0};
  expect(isAllCounted(before, {...before, last: 8}, 3)).toBe(true);
  expect(isAllCounted(before, {...before, last: 8}, 2)).toBe(false);
  expect(isAllCounted(before, {...before, series: 'b', last: 8}, 3)).toBe(false);
  expect(isAllCounted(undefined, before, 5)).toBe(false);
});
