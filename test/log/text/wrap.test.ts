import fc from 'fast-check';
import {expect, test} from 'vitest';
import {wrapRanges} from '#log/text/cut.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {runsOf} from '../../support/thorough.ts';
import {hostilePieces} from '../hostile-text.ts';

const wrapToRows = (text: string, columns: number): readonly string[] =>
  wrapRanges(text, columns).map(({start, end}) => text.slice(start, end));

test('rows are full, and break before a wide character that does not fit', () => {
  expect(wrapToRows('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  expect(wrapToRows('abcdef', 3)).toEqual(['abc', 'def']);
  expect(wrapToRows('日本語abc', 3)).toEqual(['日', '本', '語a', 'bc']);
  expect(wrapToRows('abe\u0301\u0302cd', 3)).toEqual(['abe\u0301\u0302', 'cd']);
});

test('rows break after a blank in their second half, not inside the word that follows', () => {
  expect(wrapToRows('the order was paid before it was sent', 24)).toEqual([
    'the order was paid ',
    'before it was sent',
  ]);
  expect(wrapToRows('it was so', 8)).toEqual(['it was ', 'so']);
  expect(wrapToRows('it was s', 7)).toEqual(['it was ', 's']);
  expect(wrapToRows('a verylongword', 8)).toEqual(['a verylo', 'ngword']);
});

test('the second half of a row is told by its cells: marks take none', () => {
  expect(wrapToRows('a\u0301\u0301\u0301b\u0301\u0301\u0301 cdefghij', 8)).toEqual([
    'a\u0301\u0301\u0301b\u0301\u0301\u0301 cdefg',
    'hij',
  ]);
});

test('an empty text is one empty row', () => {
  expect(wrapToRows('', 10)).toEqual(['']);
});

test('a mark stays with the blank that it stands on', () => {
  expect(wrapToRows('aaaaa \u0301bbb', 8)).toEqual(['aaaaa \u0301bb', 'b']);
});

test('in a single column, or none, every character still gets a row', () => {
  expect(wrapToRows('a日b', 1)).toEqual(['a', '日', 'b']);
  expect(wrapToRows('ab', 0)).toEqual(['a', 'b']);
});

test('joined rows are the text, each fits, and none could be longer but for a word', () => {
  const pieces = fc.array(fc.constantFrom(...hostilePieces), {maxLength: 20});
  fc.assert(
    fc.property(pieces, fc.integer({min: 2, max: 40}), (parts, columns) => {
      const text = sanitise(parts.join(''));
      const rows = wrapToRows(text, columns);
      expect(rows.join('')).toBe(text);
      expect(Math.max(...rows.map(cellWidth))).toBeLessThanOrEqual(columns);
      // A row is full, or its last blank is followed by a word that goes on below.
      expect(rows.slice(0, -1).every(row => cellWidth(row) >= columns - 1 || row.endsWith(' '))).toBe(true);
      expect(Math.min(columns / 2, ...rows.slice(0, -1).map(cellWidth))).toBeGreaterThanOrEqual(columns / 2 - 1);
      expect(rows.slice(1).some(row => /^\p{Mn}/u.test(row))).toBe(false);
    }),
    {numRuns: runsOf(10000)},
  );
});
