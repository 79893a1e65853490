import {describe, expect, test} from 'vitest';
import {evidenceOf, findShift} from '../../../../src/log/incident/statistics/find-shift.ts';
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
