import fc from 'fast-check';
import {expect, test} from 'vitest';
import {countEdits, findClosestWord, findClosestWords} from '#config/settings/closest-word.ts';

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', '', 3],
  ['stauts', 'status', 1],
  ['pod', 'pods', 1],
  ['kitten', 'sitting', 3],
])('%j to %j takes %i edits', (from, to, edits) => {
  expect(countEdits(from, to)).toBe(edits);
});

test('it takes as many edits there as back', () => {
  fc.assert(
    fc.property(fc.string({maxLength: 12}), fc.string({maxLength: 12}), (from, to) => {
      expect(countEdits(from, to)).toBe(countEdits(to, from));
    }),
    {numRuns: 500},
  );
});

test.each([
  ['base-url', 'base_url'],
  ['baseurl', 'base_url'],
  ['Tenant', 'tenant'],
  ['tennant', 'tenant'],
  ['prxoyy', 'proxy'],
  ['prxo', undefined],
  ['colour', undefined],
  ['x', undefined],
  ['t'.repeat(1000), undefined],
])('%j was meant as %j', (word, expected) => {
  expect(findClosestWord(word, ['base_url', 'tenant', 'auth_mode', 'proxy'])).toBe(expected);
});

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['folow', ['follow', 'format'], ['follow']],
  ['mian', ['main', 'master'], ['main']],
  ['porxi', ['proxy'], ['proxy']],
  ['mani', ['menu'], []],
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
