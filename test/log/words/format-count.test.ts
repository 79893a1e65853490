import {expect, test} from 'vitest';
import {countOf, formatCount, percentWords} from '#log/words/format-count.ts';

test.each<readonly [number, string]>([
  [0, '0 %'],
  [1 / 10_000, '<1 %'],
  [0.009999, '<1 %'],
  [1 / 100, '1 %'],
  [1.999 / 100, '1 %'],
  [29 / 100, '29 %'],
  [57 / 100, '57 %'],
  [299 / 300, '99 %'],
  [1, '100 %'],
])('a share of %d is %s', (share, words) => {
  expect(percentWords(share)).toBe(words);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [999_999, '999,999'],
  [1_234_567, '1,234,567'],
])('%d is written as %s', (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test('one of a thing has no plural', () => {
  expect([0, 1, 2, 1204].map(count => countOf(count, 'line'))).toEqual(['0 lines', '1 line', '2 lines', '1,204 lines']);
});
