import {expect, test} from 'vitest';
import {findClosestWords, formatSuggestion} from '../../src/cli/closest-words.ts';

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['folow', ['follow', 'format'], ['follow']],
  ['mian', ['main', 'master'], ['main']],
  ['FOLLOW', ['follow'], ['follow']],
  ['dep', ['deployed', 'demo'], ['deployed']],
  ['x', ['yes', 'no'], []],
  ['', ['a'], []],
  ['x'.repeat(65), ['x'.repeat(65)], []],
])('%s among %j means %j', (word, candidates, expected) => {
  expect(findClosestWords(word, candidates)).toEqual(expected);
});

test('the nearest comes first, and three at most', () => {
  expect(findClosestWords('branch-1', ['branch-22', 'branch-2', 'branch-1x', 'branch-3', 'branch-12'])).toHaveLength(3);
  expect(findClosestWords('staging', ['stagign2', 'stagin'])[0]).toBe('stagin');
});

test('a suggestion is the end of a sentence, or nothing', () => {
  expect(formatSuggestion('sits', ['sites', 'logs'])).toBe(', did you mean sites?');
  expect(formatSuggestion('zzz', ['sites'])).toBe('');
});
