import fc from 'fast-check';
import {expect, test} from 'vitest';
import {countEdits, findClosestWord} from '../../src/config/closest-word.ts';

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
