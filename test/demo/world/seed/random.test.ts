import {expect, test} from 'vitest';
import {createRandom} from '#demo/world/seed/random.ts';

test('the same seed gives the same numbers, today and on every machine', () => {
  const random = createRandom(7, 'shop', 3);
  expect(Array.from({length: 6}, () => random.integer(0, 999))).toEqual([911, 713, 748, 883, 616, 538]);
  expect(random.text('abc', 5)).toBe('ccaaa');
});

test('seeds that differ in the last character alone give other numbers', () => {
  const draw = (seed: string) => createRandom(seed).fraction();
  expect(new Set(['slice 1', 'slice 2', 'slice 3', 'slice 10', 'slice -1'].map(draw)).size).toBe(5);
});

test('whole numbers reach both ends and never leave them', () => {
  const random = createRandom('ends');
  const seen = new Set(Array.from({length: 1000}, () => random.integer(-1, 2)));
  expect([...seen].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2]);
});

test('counts of events lie around their mean, few or many', () => {
  const random = createRandom('counts');
  const meanOf = (mean: number) => Array.from({length: 4000}, () => random.count(mean)).reduce((a, b) => a + b) / 4000;
  expect(meanOf(0)).toBe(0);
  expect(Math.abs(meanOf(0.2) - 0.2)).toBeLessThan(0.03);
  expect(Math.abs(meanOf(6) - 6)).toBeLessThan(0.2);
  expect(Math.abs(meanOf(200) - 200)).toBeLessThan(1);
});

test('picking from an empty list is an error, not undefined', () => {
  expect(() => createRandom(1).pick([])).toThrow(RangeError);
});
