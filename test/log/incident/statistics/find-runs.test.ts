import {describe, expect, test} from 'vitest';
import {findLevels} from '#log/incident/statistics/find-levels.ts';
import {countBetween, findRuns, ratioOf, wholeRun} from '#log/incident/statistics/find-runs.ts';

const every = (step: number, from: number, to: number): readonly number[] =>
  Array.from({length: Math.ceil((to - from) / step)}, (_, index) => from + index * step);
const held = {from: 0, to: 3600};
const sorted = (...times: readonly (readonly number[])[]): readonly number[] => times.flat().toSorted((a, b) => a - b);

/** Among lines that come evenly, ten a second. */
const runs = (times: readonly number[], span = held, isFirst = false) =>
  findRuns(times, span, (from, to) => 10 * (to - from), {isBad: true, isFirst});

describe('levels', () => {
  const spans = (times: readonly number[]) => findLevels(times, held).map(({from, to}) => [from, to]);

  test('are one where events are even, or none, or few', () => {
    expect(spans(every(10, 0, 3600))).toEqual([[0, 3600]]);
    expect(spans([])).toEqual([[0, 3600]]);
    expect(spans([100])).toEqual([[0, 3600]]);
  });

  test('change with the first event and after the last one of those that come more often', () => {
    expect(spans(sorted(every(60, 30, 3600), every(1, 1000.5, 1100)))).toEqual([
      [0, 1000.5],
      [1000.5, 1099.5],
      [1099.5, 3600],
    ]);
  });

  test('that are short are found between those of many more', () => {
    const [usual, six] = [every(200, 10, 3600), every(3, 2000, 2016)];
    expect(spans(sorted(usual, every(0.1, 600, 700), six))).toEqual([
      [0, 600],
      [600, 699.9],
      [699.9, 2000],
      [2000, 2015],
      [2015, 3600],
    ]);
  });

  test('of thousands of events begin as exactly', () => {
    expect(spans(sorted(every(2, 0.3, 3600), every(0.1, 3000.05, 3600)))).toEqual([
      [0, 3000.05],
      [3000.05, 3600],
    ]);
  });

  test('may last longer than what was before', () => {
    expect(spans(every(2, 240, 3600))).toEqual([
      [0, 240],
      [240, 3600],
    ]);
  });
});

describe('a run', () => {
  test('that goes on begins at its first event, with the rates before and since', () => {
    const [run] = runs([...every(60, 30, 3000), ...every(1, 3000.5, 3600)]);
    expect(run).toMatchObject({from: 3000.5, to: 3600, isOver: false, during: expect.closeTo(1, 1)});
    expect(run?.before).toBeCloseTo(1 / 60, 2);
  });

  test('that is over ends at its last event', () => {
    expect(runs(sorted(every(60, 30, 3600), every(1, 1000.5, 1100)))).toMatchObject([
      {from: 1000.5, to: 1099.5, isOver: true},
    ]);
  });

  test('is each of several, compared with the quietest part before it', () => {
    expect(runs([...every(1, 600, 700), ...every(2, 3000, 3100)])).toMatchObject([
      {from: 600, to: 699, before: 0},
      {from: 3000, to: 3098, before: 0},
    ]);
  });

  test('is one though it pauses for less than a minute', () => {
    const paused = (pause: number) => runs([...every(0.5, 600, 650.1), ...every(0.5, 650 + pause, 700 + pause)]).length;
    expect([paused(59), paused(61)]).toEqual([1, 2]);
  });

  test('is what fills most of the time held, too', () => {
    expect(runs(every(2, 240, 3600))).toMatchObject([{from: 240, before: 0, isOver: false}]);
  });

  test('is none where events are even, few, or none', () => {
    expect(runs(every(10, 0, 3600))).toEqual([]);
    expect(runs([100, 101, 102])).toEqual([]);
    expect(runs([])).toEqual([]);
  });

  test('is none where more lines of all kinds explain it', () => {
    const busy = [...every(10, 0, 1800), ...every(2, 1800, 3600)];
    expect(findRuns(busy, held, (from, to) => to - from, {isBad: true})).toHaveLength(1);
    const rhythm = (from: number, to: number) =>
      Math.max(0, Math.min(to, 1800) - from) + 5 * Math.max(0, to - Math.max(from, 1800));
    expect(findRuns(busy, held, rhythm, {isBad: true})).toEqual([]);
  });

  test('of what is no error is none where it only came back', () => {
    const back = [...every(1, 0, 1200), ...every(1, 1500, 3600)];
    expect(runs(back)).toMatchObject([{from: 1500}]);
    expect(findRuns(back, held, (from, to) => 10 * (to - from), {isBad: false})).toEqual([]);
  });

  test('from the first second on is one if that is wanted, and it was quieter later', () => {
    const times = [...every(1, 0, 600), ...every(60, 600, 3600)];
    expect(runs(times)).toEqual([]);
    expect(runs(times, held, true)).toMatchObject([{from: 0, isOver: true, before: undefined}]);
    expect(runs(every(1, 0, 3600), held, true)).toEqual([]);
  });

  test('counts, if it takes less than a minute, as if it were one', () => {
    expect(runs([...every(100, 50, 3000), ...every(0.5, 3000.5, 3030)])).toMatchObject([
      // Fifty-nine events in a minute.
      {during: 59 / 60, before: expect.closeTo(30 / 3000, 3), isOver: true},
    ]);
  });

  test('of all events has nothing before it', () => {
    expect(wholeRun([5, 10, 3590], held)).toMatchObject({start: 0, end: 3, from: 5, isOver: false, before: undefined});
  });
});

describe('how often is counted', () => {
  test('from a time up to before another', () => {
    const times = [1, 2, 2, 3, 5];
    expect([
      countBetween(times, 2, 3),
      countBetween(times, 2, 3.1),
      countBetween(times, 0, 9),
      countBetween(times, 4, 5),
      countBetween([], 0, 9),
    ]).toEqual([2, 3, 5, 0, 0]);
  });
});

describe('a run is over', () => {
  // An event every second: it is over after half a minute.
  test.each([
    [3629, false],
    [3629.1, true],
  ])('half a minute after its last event: %d', (now, isOver) => {
    expect(runs([...every(100, 50, 3400), ...every(1, 3400, 3600)], {from: 0, to: now})).toMatchObject([{isOver}]);
  });

  // Ten events a minute apart: as long as three of these times.
  test('or after three times what passed between two of them', () => {
    const over = (now: number) => runs(every(60, 90_000, 90_600), {from: 0, to: now})[0]?.isOver;
    expect([over(90_540 + 162), over(90_540 + 163)]).toEqual([false, true]);
  });
});

describe('a run is told from chance', () => {
  test('by the likelihood that chance brings so many', () => {
    expect(ratioOf(10, 0, 0.1)).toBeCloseTo(10 * Math.log(10), 9);
    expect(ratioOf(90, 10, 0.5)).toBeCloseTo(90 * Math.log(1.8) + 10 * Math.log(0.2), 9);
    expect([ratioOf(50, 50, 0.5), ratioOf(10, 90, 0.5), ratioOf(100, 0, 1), ratioOf(0, 0, 0.5)]).toEqual([0, 0, 0, 0]);
    expect(ratioOf(90, 10, 0.5)).toBeLessThan(ratioOf(90, 10, 0.1));
  });

  test.each([
    [3, 0],
    [4, 1],
  ])('by four events at least: %d', (count, found) => {
    expect(runs(every(0.1, 3000, 3000 + count / 10 - 0.01), {from: 0, to: 10_000})).toHaveLength(found);
  });

  test('and what it is compared with has to be long enough to tell', () => {
    const afterCalm = (calm: number) => runs(every(2, calm, calm + 120), {from: 0, to: calm + 120}).length;
    expect([afterCalm(5), afterCalm(60)]).toEqual([0, 1]);
  });
});
