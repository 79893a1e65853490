import {describe, expect, test} from 'vitest';
import {countBetween, evidenceOf, findShift} from '../../../../src/log/incident/statistics/find-shift.ts';
import {findSlowing} from '../../../../src/log/incident/statistics/find-slower.ts';
import {findStop} from '../../../../src/log/incident/statistics/find-stop.ts';

const every = (step: number, from: number, to: number): readonly number[] =>
  Array.from({length: Math.ceil((to - from) / step)}, (_, index) => from + index * step);
const held = {from: 0, to: 3600};

describe('a shift', () => {
  test('that goes on begins at its first event, with the rates before and since', () => {
    const shift = findShift([...every(60, 30, 3000), ...every(1, 3000.5, 3600)], held);
    expect(shift).toMatchObject({from: 3000.5, to: 3600, isOver: false, isUsual: false, during: expect.closeTo(1, 1)});
    expect(shift?.before).toBeCloseTo(1 / 60, 2);
  });

  test('that is over ends at its last event', () => {
    expect(
      findShift(
        [...every(60, 30, 3600), ...every(1, 1000.5, 1100)].toSorted((a, b) => a - b),
        held,
      ),
    ).toMatchObject({
      from: 1000.5,
      to: 1099.5,
      isOver: true,
    });
  });

  test('of several is the last one that matters', () => {
    const times = [...every(1, 600, 700), ...every(2, 3000, 3100)];
    expect(findShift(times, held)).toMatchObject({from: 3000, to: 3098});
    expect(findShift([...every(0.1, 600, 700), ...every(20, 3000, 3100)], held)).toMatchObject({from: 600});
  });

  test('that comes now and then is usual', () => {
    const bursts = [300, 1300, 2300, 3300].flatMap(from => every(0.5, from, from + 20));
    expect(findShift(bursts, held)?.isUsual).toBe(true);
  });

  test('is none where events are even, few, or none', () => {
    expect(findShift(every(10, 0, 3600), held)).toBeUndefined();
    expect(findShift([100, 101, 102], held)).toBeUndefined();
    expect(findShift([], held)).toBeUndefined();
  });

  test('from the first event held on has nothing before it', () => {
    expect(findShift([...every(1, 0, 600), ...every(60, 600, 3600)], held)?.before).toBeUndefined();
  });

  test('is the less likely by chance, the shorter and larger it is', () => {
    expect(evidenceOf(50, 100, 0.5)).toBe(0);
    expect(evidenceOf(90, 100, 0.5)).toBeLessThan(evidenceOf(90, 100, 0.1));
  });
});

describe('requests', () => {
  const wavy = (ms: number) => (_: unknown, index: number) => ms + (index % 5) * 10;

  test('that take longer since one of them', () => {
    const slowing = findSlowing([...Array.from({length: 100}, wavy(80)), ...Array.from({length: 30}, wavy(900))]);
    expect(slowing).toMatchObject({start: 100, before: {p50: 100, p95: 120}, now: {p50: 920, p95: 940}});
  });

  test('that take longer only now and then, or a little longer, or for once, are not slower', () => {
    expect(findSlowing(Array.from({length: 200}, (_, index) => (index % 20 === 0 ? 3000 : 80)))).toBeUndefined();
    expect(
      findSlowing([...Array.from({length: 100}, wavy(80)), ...Array.from({length: 100}, wavy(95))]),
    ).toBeUndefined();
    expect(findSlowing([...Array.from({length: 100}, wavy(80)), 9000])).toBeUndefined();
  });
});

describe('what came steadily', () => {
  const clock = every(1, 0, 1000);

  test('and stopped has stopped with its last event', () => {
    expect(findStop(every(5, 0, 600), clock, {from: 0, to: 1000})).toMatchObject({
      at: 595,
      before: expect.closeTo(0.2, 2),
    });
  });

  test('has not while it may still come, if it was as silent before, or if all else stopped, too', () => {
    expect(findStop(every(5, 0, 975), clock, {from: 0, to: 1000})).toBeUndefined();
    expect(findStop([...every(5, 0, 200), ...every(5, 500, 700)], clock, {from: 0, to: 1000})).toBeUndefined();
    expect(findStop(every(5, 0, 600), every(1, 0, 600), {from: 0, to: 1000})).toBeUndefined();
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

  test('in a shift of less than a minute as if it were one, and before it in at most fifteen minutes', () => {
    const shift = findShift([...every(100, 50, 3000), ...every(0.5, 3000.5, 3030)], held);
    // Fifty-nine events in a minute, nine in fifteen minutes before.
    expect(shift).toMatchObject({during: 59 / 60, before: 9 / 900, isOver: true});
    const early = findShift([...every(100, 50, 500), ...every(0.5, 500.5, 530)], held);
    expect(early?.before).toBeCloseTo(5 / 500.5, 6);
  });

  test('in a shift that goes on up to now', () => {
    expect(findShift([...every(100, 50, 3400), ...every(1, 3400, 3600)], held)).toMatchObject({
      to: 3600,
      isOver: false,
      during: 200 / 200,
    });
  });
});

describe('a shift is over', () => {
  // An event every second: it is over after half a minute.
  test.each([
    [3629, false],
    [3629.1, true],
  ])('half a minute after its last event: %d', (now, isOver) => {
    expect(findShift([...every(100, 50, 3400), ...every(1, 3400, 3600)], {from: 0, to: now})).toMatchObject({isOver});
  });

  // Ten events a minute apart: as long as three of these times.
  test('or after three times what passed between two of them', () => {
    const rare = [...every(1, 1000, 1060), ...every(60, 90_000, 90_600)];
    const over = (now: number) => findShift(every(60, 90_000, 90_600), {from: 0, to: now})?.isOver;
    expect(rare).toHaveLength(70);
    expect([over(90_540 + 162), over(90_540 + 163)]).toEqual([false, true]);
  });
});

describe('a shift is told from chance', () => {
  test.each([
    [3, undefined],
    [4, 4],
  ])('by four events at least: %d', (count, found) => {
    const shift = findShift(every(0.1, 3000, 3000 + count / 10 - 0.01), {from: 0, to: 10_000});
    expect(shift && shift.end - shift.start).toBe(found);
  });

  test('by the likelihood that chance brings so many', () => {
    expect(evidenceOf(10, 10, 0.1)).toBeCloseTo(10 * Math.log(10), 9);
    expect(evidenceOf(90, 100, 0.5)).toBeCloseTo(90 * Math.log(1.8) + 10 * Math.log(0.2), 9);
    expect(evidenceOf(50, 100, 0.5)).toBe(0);
    expect(evidenceOf(10, 100, 0.5)).toBe(0);
    expect(evidenceOf(100, 100, 1)).toBe(0);
    expect(evidenceOf(10, 10, 0)).toBeCloseTo(10 * Math.log(1e9), 6);
    expect(evidenceOf(0, 0, 0.5)).toBe(0);
  });

  test('and its evidence is of the time that it takes', () => {
    const shift = findShift(every(1, 1000, 1100), held);
    // A hundred events in a hundred seconds of an hour.
    expect(shift?.evidence).toBeCloseTo(evidenceOf(100, 100, 100 / 3600), 6);
  });
});

describe('before a shift', () => {
  // Of a span of an hour, its first second is the beginning of the log; of a short one, its first hundredth.
  test.each([
    [0.5, true],
    [2, true],
    [36, false],
    [40, false],
  ])('nothing is known where it begins %d s after the log', (from, isUnknown) => {
    const shift = findShift(every(1, from, from + 200), held);
    expect([shift?.start, shift?.before === undefined]).toEqual([0, isUnknown]);
  });

  test('something is known if any event came', () => {
    expect(findShift([2, ...every(0.1, 20, 40)], held)).toMatchObject({start: 1, before: 1 / 60});
  });
});

describe('a shift is usual', () => {
  const burst = (from: number, count: number): readonly number[] => every(0.5, from, from + count / 2);

  test.each([
    [20, true],
    [19, false],
  ])('if half as much came at another time: %d of 40', (count, isUsual) => {
    expect(findShift([...burst(500, count), ...burst(3000, 40)], held)).toMatchObject({from: 3000, isUsual});
    expect(findShift([...burst(3000, 40), ...burst(3300, 9)], held)).toMatchObject({from: 3000, isUsual: false});
  });

  test('and not by fewer than four', () => {
    const few = (count: number) => findShift([...burst(500, count), ...burst(3000, 6)], {from: 0, to: 20_000})?.isUsual;
    expect([few(3), few(4)]).toEqual([false, true]);
  });
});

describe('requests are slower', () => {
  const even = (count: number, ms: number): readonly number[] => Array.from({length: count}, () => ms);

  test.each([
    [12, 6, 12],
    [11, 6, undefined],
    [12, 5, undefined],
  ])('with %d before and %d since', (before, since, start) => {
    expect(findSlowing([...even(before, 100), ...even(since, 900)])?.start).toBe(start);
  });

  test.each([
    [100, 150, true],
    [100, 149, false],
    // Half as long again, but no twenty milliseconds.
    [20, 40, true],
    [20, 39, false],
  ])('from %d ms to %d ms: %s', (before, now, isSlower) => {
    expect(findSlowing([...even(40, before), ...even(40, now)]) !== undefined).toBe(isSlower);
  });

  test('by so many standard errors, of logarithms', () => {
    const slowing = findSlowing([...even(40, 100), ...even(40, 200)]);
    expect(slowing?.evidence).toBeCloseTo(Math.log(2) / (0.1 * Math.sqrt(2 / 40)), 6);
    expect(slowing).toMatchObject({before: {p50: 100, p95: 100}, now: {p50: 200, p95: 200}});
  });

  test('and durations of nothing are of a tenth of a millisecond', () => {
    expect(findSlowing([...even(40, 0), ...even(40, 30)])).toMatchObject({start: 40, before: {p95: 0}, now: {p95: 30}});
  });

  test('with their medians and ninety-fifth of a hundred', () => {
    const ramp = Array.from({length: 100}, (_, index) => 1000 + index);
    expect(findSlowing([...even(100, 10), ...ramp])?.now).toEqual({p50: 1050, p95: 1095});
  });
});

describe('a stop is told', () => {
  const clock = every(1, 0, 1000);
  const span = {from: 0, to: 1000};

  test('after ten events', () => {
    expect(findStop(every(10, 0, 100), clock, span)).toMatchObject({at: 90, before: 9 / 90});
    expect(findStop(every(10, 0, 90), clock, span)).toBeUndefined();
  });

  test('if it came for three quarters of the time before', () => {
    expect(findStop(every(5, 100, 401), clock, span)).toBeDefined();
    expect(findStop(every(5, 101, 402), clock, span)).toBeUndefined();
    // The time before is that of which lines are held.
    const later = (from: number) => findStop(every(5, from, 4001), every(1, 1000, 4600), {from: 1000, to: 4600});
    expect([later(1750)?.at, later(1755)]).toEqual([4000, undefined]);
  });

  test('after two and a half times the longest silence before', () => {
    const times = [...every(5, 0, 301), 400];
    const stopped = (now: number) => findStop(times, every(1, 0, 2000), {from: 0, to: now}) !== undefined;
    expect([stopped(649), stopped(650)]).toEqual([false, true]);
  });

  test('if eight would have come, going by the time', () => {
    const stopped = (now: number) => findStop(every(10, 0, 401), every(1, 0, 2000), {from: 0, to: now});
    expect([stopped(479), stopped(480)?.evidence]).toEqual([undefined, 8]);
  });

  test('if eight would have come, going by the other lines', () => {
    // Forty of four hundred lines: of eighty since, eight would be of these.
    const lines = (count: number) => [...every(1, 0, 400), ...every(600 / count, 400, 999.9)];
    const stopped = (count: number) => findStop(every(10, 0, 401), lines(count), span);
    expect([stopped(79), stopped(80)?.evidence]).toEqual([undefined, 8]);
  });

  test('with the rate of the last fifteen minutes', () => {
    expect(
      findStop([...every(1, 0, 1000), ...every(10, 1000, 2001)], every(1, 0, 3000), {from: 0, to: 3000}),
    ).toMatchObject({at: 2000, before: 90 / 900});
  });

  test('by nobody who never wrote', () => {
    expect(findStop([], clock, span)).toBeUndefined();
  });
});
