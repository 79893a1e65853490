import {describe, expect, test} from 'vitest';
import {findStop} from '#log/incident/statistics/statistics.ts';

const every = (step: number, from: number, to: number): readonly number[] =>
  Array.from({length: Math.ceil((to - from) / step)}, (_, index) => from + index * step);

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
    expect([stopped(479), stopped(480)?.at]).toEqual([undefined, 400]);
  });

  test('if eight would have come, going by the other lines', () => {
    // Forty of four hundred lines: of eighty since, eight would be of these.
    const lines = (count: number) => [...every(1, 0, 400), ...every(600 / count, 400, 999.9)];
    const stopped = (count: number) => findStop(every(10, 0, 401), lines(count), span);
    expect([stopped(79), stopped(80)?.at]).toEqual([undefined, 400]);
  });

  test('with the rate of the last fifteen minutes', () => {
    expect(
      findStop([...every(1, 0, 1000), ...every(10, 1000, 2001)], every(1, 0, 3000), {from: 0, to: 3000}),
    ).toMatchObject({at: 2000, before: 90 / 900});
  });

  test('by how improbable it is, as far as the rate is known', () => {
    const evidenceOf = (times: readonly number[], now: number) =>
      findStop(times, every(1, 0, 4000), {from: 0, to: now})?.evidence;
    // Of forty, twenty would have come since: (1 + 20 / 40)^-40. Of ten, twice as many: (1 + 20 / 10)^-10.
    expect(evidenceOf(every(10, 0, 401), 600)).toBeCloseTo(16.2, 1);
    expect(evidenceOf(every(40, 0, 401), 1200)).toBeCloseTo(11, 1);
    // Three at once each half minute are as many, and half as telling.
    const threes = every(30, 0, 401).flatMap(at => [at, at, at]);
    expect(evidenceOf(threes, 600)).toBeCloseTo(8.2, 1);
  });

  test('with the rate of forty, where fewer came in fifteen minutes', () => {
    const times = [...every(60, 0, 2400), ...every(30, 2400, 2701)];
    expect(findStop(times, every(1, 0, 5000), {from: 0, to: 4000})).toMatchObject({
      at: 2700,
      before: expect.closeTo(39 / 2040, 4),
    });
  });

  test('by nobody who never wrote', () => {
    expect(findStop([], clock, span)).toBeUndefined();
  });
});
