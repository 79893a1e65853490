import {expect, test} from 'vitest';
import {percentWords} from '../../../src/log/words/format-count.ts';

test.each<readonly [number, string]>([
  [0, '0 %'],
  [1 / 10_000, '<1 %'],
  [1 / 100, '1 %'],
  [29 / 100, '29 %'],
  [57 / 100, '57 %'],
  [299 / 300, '99 %'],
  [1, '100 %'],
])('a share of %d is %s', (share, words) => {
  expect(percentWords(share)).toBe(words);
});
