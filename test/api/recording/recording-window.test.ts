import fc from 'fast-check';
import {expect, test} from 'vitest';
import {expandWindow, shortenWindow} from '#api/recording/recording-format.ts';
import {anyCharacter} from '../../support/any-character.ts';

test('what overlaps is one run of the window before', () => {
  expect(shortenWindow(['a', 'b', 'c', 'd'], ['c', 'd', 'e', 'f'])).toEqual([[2, 2], 'e', 'f']);
});

test('where lines left from the middle it is several', () => {
  expect(shortenWindow(['a', 'b', 'c', 'd', 'e'], ['a', 'c', 'e', 'f'])).toEqual([[0, 1], [2, 1], [4, 1], 'f']);
});

test('a late line stands between two runs', () => {
  expect(shortenWindow(['a', 'b', 'c'], ['a', 'late', 'b', 'c'])).toEqual([[0, 1], 'late', [1, 2]]);
});

test('a first window, and one that has nothing of the one before, is whole', () => {
  expect(shortenWindow([], ['a', 'b'])).toEqual(['a', 'b']);
  expect(shortenWindow(['x', 'y'], ['a', 'b'])).toEqual(['a', 'b']);
});

test('an unchanged window of a thousand lines takes one part, of equal lines too', () => {
  const lines = Array.from({length: 1000}, (_, number) => `line ${number}`);
  expect(shortenWindow(lines, lines)).toEqual([[0, 1000]]);
  const equal = lines.map(() => 'same');
  expect(shortenWindow(equal, equal)).toEqual([[0, 1000]]);
});

test('a part that names lines which are not there gives no window', () => {
  expect(expandWindow(['a'], [[0, 2]])).toBeUndefined();
  expect(expandWindow(['a'], [[1, 1], 'b'])).toBeUndefined();
});

test('whatever the windows are, the lines come back exactly, by way of JSON', () => {
  // Few different lines, so that copies are common; lone surrogates and controls among them.
  const line = fc.oneof(
    fc.constantFrom('a', 'b', 'c', '', '\ud800', '\u0000\u2028"\\'),
    fc.string({unit: anyCharacter}),
  );
  const window = fc.array(line, {minLength: 0, maxLength: 300, size: 'max'});
  fc.assert(
    fc.property(window, window, fc.nat(300), fc.nat(300), (before, other, from, to) => {
      const now = [...before.slice(from), ...other, ...before.slice(0, to)];
      const parts = JSON.parse(JSON.stringify(shortenWindow(before, now)));
      expect(expandWindow(before, parts)).toEqual(now);
    }),
    {numRuns: 300},
  );
});
