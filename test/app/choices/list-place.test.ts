import {expect, test} from 'vitest';
import {listTop, movePlace, placeOn, selectedIndexOf} from '#app/choices/list-pane.ts';

/** Rows by their keys; `-` for words that can't be chosen. */
const rowsOf = (keys: string): readonly {readonly key?: string}[] => [...keys].map(key => (key === '-' ? {} : {key}));

const sections = rowsOf('-ab-cd--');

test('the first row that can be chosen is highlighted until another one is, and when that one is gone', () => {
  expect(selectedIndexOf(sections, {selectedKey: undefined})).toBe(1);
  expect(selectedIndexOf(sections, {selectedKey: 'c'})).toBe(4);
  expect(selectedIndexOf(sections, {selectedKey: 'gone'})).toBe(1);
  expect(selectedIndexOf(rowsOf('--'), {selectedKey: undefined})).toBe(-1);
});

test('the highlight skips words, and stops at both ends', () => {
  const at = (selectedKey: string, command: Parameters<typeof movePlace>[2]): string | undefined =>
    movePlace(sections, {selectedKey, top: 0}, command, 8)?.selectedKey;
  expect(at('b', 'moveDown')).toBe('c');
  expect(at('c', 'moveUp')).toBe('b');
  expect(at('a', 'moveUp')).toBe('a');
  expect(at('d', 'moveDown')).toBe('d');
  expect(at('a', 'goLast')).toBe('d');
  expect(at('a', 'openLine')).toBeUndefined();
});

test('a page keeps one row of the page before', () => {
  const rows = rowsOf('abcdefgh');
  expect(movePlace(rows, {selectedKey: 'a', top: 0}, 'pageDown', 4)).toEqual({selectedKey: 'd', top: 0});
  expect(movePlace(rows, {selectedKey: 'd', top: 0}, 'pageDown', 4)).toEqual({selectedKey: 'g', top: 3});
});

test('the rows stay where they are while the highlight is among them', () => {
  const rows = rowsOf('abcdefgh');
  expect(listTop(rows, 4, 2, 4)).toBe(2);
  expect(listTop(rows, 6, 2, 4)).toBe(3);
  expect(listTop(rows, 1, 2, 4)).toBe(1);
});

test('what belongs to the highlight comes into view with it: a head, and the words at both ends', () => {
  expect(listTop(sections, 4, 4, 3)).toBe(3);
  expect(listTop(sections, 1, 1, 3)).toBe(0);
  expect(placeOn(sections, 5, 0, 4)).toEqual({selectedKey: 'd', top: 4});
  // A single row shows the highlight, not its head.
  expect(listTop(sections, 4, 0, 1)).toBe(4);
});

test('rows that cannot be chosen scroll, at most to either end', () => {
  const rows = rowsOf('------');
  expect(movePlace(rows, {selectedKey: undefined, top: 0}, 'moveDown', 4)).toEqual({selectedKey: undefined, top: 1});
  expect(movePlace(rows, {selectedKey: undefined, top: 1}, 'goLast', 4)).toEqual({selectedKey: undefined, top: 2});
  expect(movePlace(rows, {selectedKey: undefined, top: 9}, 'moveUp', 4)).toEqual({selectedKey: undefined, top: 1});
});
