import {describe, expect, test} from 'vitest';
import {findSlowings} from '#log/incident/statistics/statistics.ts';

const findSlowing = (durationsMs: readonly number[]) => findSlowings(durationsMs).at(-1);

describe('requests', () => {
  const wavy = (ms: number) => (_: unknown, index: number) => ms + (index % 5) * 10;

  test('that take longer since one of them', () => {
    const slowing = findSlowing([...Array.from({length: 100}, wavy(80)), ...Array.from({length: 30}, wavy(900))]);
    expect(slowing).toMatchObject({start: 100, before: {p50: 100, p95: 120}, now: {p50: 920, p95: 940}});
  });

  test('that took longer for a while, twice', () => {
    const [fast, slow] = [Array.from({length: 100}, wavy(80)), Array.from({length: 30}, wavy(900))];
    expect(findSlowings([...fast, ...slow, ...fast, ...slow, ...fast])).toMatchObject([
      {start: 100, end: 130, now: {p50: 920}},
      {start: 230, end: 260, now: {p50: 920}},
    ]);
  });

  test('that take longer only now and then, or a little longer, or for once, are not slower', () => {
    expect(findSlowing(Array.from({length: 200}, (_, index) => (index % 20 === 0 ? 3000 : 80)))).toBeUndefined();
    expect(
      findSlowing([...Array.from({length: 100}, wavy(80)), ...Array.from({length: 100}, wavy(95))]),
    ).toBeUndefined();
    expect(findSlowing([...Array.from({length: 100}, wavy(80)), 9000])).toBeUndefined();
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
