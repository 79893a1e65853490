import fc from 'fast-check';
import {expect, test, vi} from 'vitest';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {runsOf} from '../../support/thorough.ts';
import {hostilePieces} from '../hostile-text.ts';

const safeText = fc
  .array(fc.constantFrom(...hostilePieces, '日', '😀', 'x', 'e\u0301'), {maxLength: 12})
  .map(pieces => sanitise(pieces.join('')));

test('a text that fits stays, a longer one ends with the ellipsis in the last column', () => {
  expect(cutToCells('abc', 3)).toBe('abc');
  expect(cutToCells('abcd', 3)).toBe('ab…');
  expect(cutToCells('abcd', 3, {ellipsis: ''})).toBe('abc');
  expect(cutToCells('abcd', 3, {ellipsis: '...'})).toBe('...');
  expect(cutToCells('abcd', 2, {ellipsis: '...'})).toBe('ab');
  expect(cutToCells('', 3)).toBe('');
  expect(cutToCells('abc', 0)).toBe('');
  expect(cutToCells('abc', -1)).toBe('');
});

test('a wide character is never halved: a blank fills its cell', () => {
  expect(cutToCells('日本語', 6)).toBe('日本語');
  expect(cutToCells('日本語', 5)).toBe('日本…');
  expect(cutToCells('日本語', 4)).toBe('日 …');
  expect(cutToCells('日本語', 3, {ellipsis: ''})).toBe('日 ');
  expect(cutToCells('日本語', 5, {from: 1})).toBe(' 本語');
  expect(cutToCells('日本語', 4, {from: 1})).toBe(' 本…');
  expect(cutToCells('日本語', 1, {from: 1})).toBe('…');
  expect(cutToCells('日本', 1, {ellipsis: ''})).toBe(' ');
});

test('scrolled sideways, the text begins at that cell, and past its end there is nothing', () => {
  expect(cutToCells('abcdef', 3, {from: 2})).toBe('cd…');
  expect(cutToCells('abcdef', 4, {from: 2})).toBe('cdef');
  expect(cutToCells('abc', 4, {from: 3})).toBe('');
  expect(cutToCells('abc', 4, {from: 9})).toBe('');
  expect(cutToCells('ae\u0301bc', 4, {from: 1})).toBe('e\u0301bc');
  expect(cutToCells('ae\u0301bc', 4, {from: 2})).toBe('bc');
});

test('padding fills with blanks and leaves a wider text alone', () => {
  expect(padToCells('ab', 4)).toBe('ab  ');
  expect(padToCells('日', 4)).toBe('日  ');
  expect(padToCells('abcde', 4)).toBe('abcde');
});

test('the cost is that of what is shown, not of the text', () => {
  const text = '日é'.repeat(8000);
  const reads = vi.spyOn(String.prototype, 'codePointAt');
  try {
    expect(cutToCells(text, 10)).toBe('日é日é日é…');
    expect(reads.mock.calls.length).toBeLessThan(40);
  } finally {
    reads.mockRestore();
  }
});

test('the cut text never exceeds the columns, and fills them where the text goes on', () => {
  fc.assert(
    fc.property(safeText, fc.integer({min: 1, max: 60}), fc.integer({min: 0, max: 60}), (text, columns, from) => {
      const cut = cutToCells(text, columns, {from});
      const cells = Math.max(0, cellWidth(text) - from);
      expect(cellWidth(cut)).toBe(Math.min(cells, columns));
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.endsWith('…')).toBe(cells > columns || (cells > 0 && text.endsWith('…')));
    }),
    {numRuns: runsOf(10000)},
  );
});
