import {expect, test} from 'vitest';
import {drawList, type ListPane, listRoom, movePlace, selectedRow, topInView} from '#app/choices/list-pane.ts';
import {span} from '#app/rows/view-row.ts';
import {textOf} from '../../support/play.ts';

/** Rows `a`, `b` …; a capital letter is a head, which can't be chosen. */
const listOf = (keys: string, more: Partial<ListPane> = {}): ListPane => ({
  rows: [...keys].map(key => ({...(key === key.toLowerCase() ? {key} : {}), row: () => [span(key)]})),
  hints: [],
  ...more,
});

const title = [span('title')];
const foot = [[span('foot')]];

/** The pane of a screen of so many rows, four of which are not the pane's. */
const draw = (list: ListPane, rows: number, selectedKey?: string, top = 0): readonly string[] =>
  drawList({rows, columns: 8}, list, {selectedKey, top}).rows.map(row => textOf(row).replace(/ +$/, ''));

test('the title and the foot take their rows from the list, which keeps one', () => {
  expect([listRoom({rows: 14}, {}), listRoom({rows: 14}, {title}), listRoom({rows: 14}, {title, foot})]).toEqual([
    10, 9, 8,
  ]);
  expect([listRoom({rows: 6}, {title, foot}), listRoom({rows: 1}, {})]).toEqual([1, 1]);
});

test('a list is drawn with its title, its highlight and its heads, as wide as the screen', () => {
  expect(draw(listOf('AbcD', {title}), 10)).toEqual(['title', 'A', ' ▸ b', '   c', 'D']);
  expect(draw(listOf('abc'), 10, 'c')).toEqual(['   a', '   b', ' ▸ c']);
  const {rows} = drawList({rows: 9, columns: 8}, listOf('a'), {selectedKey: 'a', top: 0});
  const [row = expect.fail()] = rows;
  expect(textOf(row)).toBe(' ▸ a    ');
  expect(row[0]).toEqual({text: ' ▸ ', tone: 'accent', isLit: true});
  expect(row.every(({isLit}) => isLit === true)).toBe(true);
});

test('which rows are the list, and which has the highlight, is told; rows without a choice are no list', () => {
  const drawnAt = (list: ListPane, selectedKey?: string) =>
    drawList({rows: 9, columns: 8}, list, {selectedKey, top: 2}).list;
  expect(drawnAt(listOf('abc'), 'b')).toEqual({from: 0, to: 3, selected: 1});
  expect(drawnAt(listOf('AbcD', {title, foot}), 'c')).toEqual({from: 1, to: 4, selected: 2});
  expect(drawnAt(listOf('abcdefgh'), 'e')).toEqual({from: 0, to: 5, selected: 2});
  expect(drawnAt(listOf('AB', {title}))).toBeUndefined();
  expect(drawnAt(listOf(''))).toBeUndefined();
});

test('what fits is shown, from the top row that it had, with the highlight in it', () => {
  expect(draw(listOf('abcdef'), 7, 'd', 2)).toEqual(['   c', ' ▸ d', '   e']);
  expect(draw(listOf('abcdef'), 7, 'e', 0)).toEqual(['   c', '   d', ' ▸ e']);
  expect(draw(listOf('abcdef', {title}), 7, 'b', 9)).toEqual(['title', ' ▸ b', '   c']);
});

test('the foot stays at the bottom, below blank rows', () => {
  expect(draw(listOf('ab', {foot}), 9)).toEqual([' ▸ a', '   b', '', '', 'foot']);
  expect(draw(listOf('abcdef', {foot}), 7)).toEqual([' ▸ a', '   b', 'foot']);
});

test('in a single row the list is shown without its title, or the title without a list', () => {
  expect(draw(listOf('ab', {title}), 5)).toEqual([' ▸ a']);
  expect(draw(listOf('', {title}), 5)).toEqual(['title']);
  expect(draw(listOf('ab', {title}), 6)).toEqual(['title', ' ▸ a']);
  expect(draw(listOf('ab', {foot}), 5)).toEqual([' ▸ a']);
});

test('the row of a key is that one, else the first', () => {
  const rows = [{key: 'a'}, {key: 'b'}];
  expect([selectedRow(rows, {selectedKey: 'b'}), selectedRow(rows, {selectedKey: 'gone'})]).toEqual([
    {key: 'b'},
    {key: 'a'},
  ]);
  expect(selectedRow([], {selectedKey: 'a'})).toBeUndefined();
});

test.each([
  [0, {place: 3, length: 10, room: 4}, 0],
  [0, {place: 4, length: 10, room: 4}, 1],
  [5, {place: 4, length: 10, room: 4}, 4],
  [8, {place: 9, length: 10, room: 4}, 6],
  [2, {place: 1, length: 3, room: 4}, 0],
])('from row %i the highlight is brought into view: %j', (top, view, wanted) => {
  expect(topInView(top, view)).toBe(wanted);
});

test('a row moves by a page of one where there is room for one, and what is no movement moves nothing', () => {
  const {rows} = listOf('abc');
  expect(movePlace(rows, {selectedKey: 'a', top: 0}, 'pageDown', 1)).toEqual({selectedKey: 'b', top: 1});
  expect(movePlace(rows, {selectedKey: 'a', top: 0}, 'pageDown', 2)).toEqual({selectedKey: 'b', top: 0});
  expect(movePlace(rows, {selectedKey: 'a', top: 0}, 'openLine', 2)).toBeUndefined();
  expect(movePlace(listOf('ABC').rows, {selectedKey: undefined, top: 0}, 'openLine', 2)).toBeUndefined();
});

test('the first row that can be chosen shows all above it, the last one all below, and others a head right above', () => {
  const {rows} = listOf('ABcdEfgHI');
  const placed = (selectedKey: string, command: 'moveUp' | 'moveDown', top: number, room: number) =>
    movePlace(rows, {selectedKey, top}, command, room);
  expect(placed('d', 'moveUp', 2, 4)).toEqual({selectedKey: 'c', top: 0});
  expect(placed('f', 'moveDown', 2, 5)).toEqual({selectedKey: 'g', top: 4});
  expect(placed('g', 'moveUp', 6, 3)).toEqual({selectedKey: 'f', top: 4});
  expect(placed('f', 'moveUp', 4, 3)).toEqual({selectedKey: 'd', top: 3});
});

test('how many rows are below those shown stands beside the title, or where that has no room beside the foot', () => {
  const rowsAt = (columns: number, list: ListPane) =>
    drawList({rows: 8, columns}, list, {selectedKey: undefined, top: 0}).rows.map(row => textOf(row).trimEnd());
  expect(rowsAt(20, listOf('abcdef', {title}))).toEqual(['title      ↓ 3 more', ' ▸ a', '   b', '   c']);
  expect(rowsAt(20, listOf('abcdef', {title: [span('padded        '), span('      ')]}))[0]).toBe(
    'padded     ↓ 3 more',
  );
  expect(rowsAt(15, listOf('abcdef', {title}))[0]).toBe('title');
  expect(rowsAt(20, listOf('abcdef', {title: [span('a title of 18 cells')], foot: [[span('foot')]]}))).toEqual([
    ...['a title of 18 cells', ' ▸ a', '   b', 'foot       ↓ 4 more'],
  ]);
  expect(rowsAt(20, listOf('abc', {title}))[0]).toBe('title');
});
