import {expect, test} from 'vitest';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {listBuffer} from '#log/buffer/entry-list.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {viewList} from '#log/view/log-view.ts';
import {
  following,
  holdTop,
  keepInView,
  type LogPane,
  oneRowPane,
  pause,
  putInRow,
  reveal,
  scrollBy,
  topIndex,
  topPlace,
  type Viewport,
  visibleEntries,
} from '#log/view/viewport.ts';
import {line, short} from '../simulation/lines-at.ts';

const viewBuffer = (buffer: LineBuffer) => viewList(listBuffer(buffer));

const take = (log: BranchLog, ...texts: readonly string[]): BranchLog =>
  takeWindow(log, {lines: texts.map(line), pods: []}).log;

const seen = (viewport: Viewport, {buffer}: BranchLog, rows: number): readonly string[] =>
  visibleEntries(viewport, viewBuffer(buffer), oneRowPane(rows)).map(({entry}) =>
    entry.kind === 'line' ? short(entry.raw) : entry.kind,
  );

const ten = take(createBranchLog(1e6), '1 a', '2 b', '3 c', '4 d', '5 e', '6 f', '7 g', '8 h');

test('following shows the newest lines, and those that come', () => {
  expect(seen(following, ten, 3)).toEqual(['6 f', '7 g', '8 h']);
  expect(seen(following, take(ten, '7 g', '8 h', '9 i'), 3)).toEqual(['7 g', '8 h', '9 i']);
  expect(seen(following, ten, 20)).toHaveLength(8);
  expect(seen(following, createBranchLog(1e6), 3)).toEqual([]);
});

test('up stops following', () => {
  const viewport = scrollBy(following, viewBuffer(ten.buffer), oneRowPane(3), -1);
  expect(viewport.kind).toBe('paused');
  expect(seen(viewport, ten, 3)).toEqual(['5 e', '6 f', '7 g']);
});

test('nothing moves while paused: newer lines, late ones above and between, gaps', () => {
  const viewport = scrollBy(following, viewBuffer(ten.buffer), oneRowPane(3), -2);
  expect(seen(viewport, ten, 3)).toEqual(['4 d', '5 e', '6 f']);
  expect(seen(viewport, take(ten, '7 g', '8 h', '9 i', '10 j'), 3)).toEqual(['4 d', '5 e', '6 f']);
  expect(seen(viewport, take(ten, '1 late', '2 b', '2 late', '8 h'), 3)).toEqual(['4 d', '5 e', '6 f']);
  expect(seen(viewport, take(ten, '90 x', '91 y'), 3)).toEqual(['4 d', '5 e', '6 f']);
  expect(seen(viewport, take(ten, '4 d', '4 tie', '5 e', '8 h'), 3)).toEqual(['4 d', '4 tie', '5 e']);
});

test('where the top line has left the buffer the oldest that is held takes its place', () => {
  // Each line takes 45 bytes.
  const small = take(createBranchLog(5 * 45), '1 aa', '2 bb', '3 cc', '4 dd', '5 ee');
  const viewport = scrollBy(following, viewBuffer(small.buffer), oneRowPane(2), -2);
  expect(seen(viewport, small, 2)).toEqual(['2 bb', '3 cc']);
  const later = take(small, '4 dd', '5 ee', '6 ff', '7 gg');
  expect(seen(viewport, later, 2)).toEqual(['3 cc', '4 dd']);
});

test('down to the end pauses there, and once more follows', () => {
  const up = scrollBy(following, viewBuffer(ten.buffer), oneRowPane(3), -2);
  const down = scrollBy(up, viewBuffer(ten.buffer), oneRowPane(3), 99);
  expect(down.kind).toBe('paused');
  expect(seen(down, ten, 3)).toEqual(['6 f', '7 g', '8 h']);
  expect(scrollBy(down, viewBuffer(ten.buffer), oneRowPane(3), 1)).toBe(following);
});

test('no scrolling leaves the log, and none at all changes nothing', () => {
  const top = scrollBy(following, viewBuffer(ten.buffer), oneRowPane(3), -99);
  expect(seen(top, ten, 3)).toEqual(['1 a', '2 b', '3 c']);
  expect(scrollBy(top, viewBuffer(ten.buffer), oneRowPane(3), -1)).toEqual(top);
  expect(scrollBy(following, viewBuffer(ten.buffer), oneRowPane(3), 0)).toBe(following);
  expect(scrollBy(top, viewBuffer(ten.buffer), oneRowPane(3), 0)).toBe(top);
  expect(scrollBy(following, viewBuffer(createBranchLog(1e6).buffer), oneRowPane(3), -1)).toBe(following);
});

test('a taller pane does not move a paused top, not even past the end', () => {
  const viewport = scrollBy(following, viewBuffer(ten.buffer), oneRowPane(3), -1);
  expect(topIndex(viewport, viewBuffer(ten.buffer), oneRowPane(3))).toBe(4);
  expect(topIndex(viewport, viewBuffer(ten.buffer), oneRowPane(30))).toBe(4);
  expect(seen(viewport, ten, 30)).toEqual(['5 e', '6 f', '7 g', '8 h']);
});

test('pausing keeps the pane as it stands', () => {
  const paused = pause(following, viewBuffer(ten.buffer), oneRowPane(3));
  expect(seen(paused, ten, 3)).toEqual(seen(following, ten, 3));
  expect(pause(paused, viewBuffer(ten.buffer), oneRowPane(5))).toBe(paused);
  expect(pause(following, viewBuffer(createBranchLog(1e6).buffer), oneRowPane(3))).toBe(following);
});

test('the line that took the place of one that left is held from then on', () => {
  // Each line takes 45 bytes.
  const small = take(createBranchLog(5 * 45), '1 aa', '2 bb', '3 cc', '4 dd', '5 ee');
  const viewport = scrollBy(following, viewBuffer(small.buffer), oneRowPane(2), -2);
  const later = take(small, '4 dd', '5 ee', '6 ff', '7 gg');
  const held = holdTop(viewport, viewBuffer(later.buffer));
  expect(seen(held, later, 2)).toEqual(['3 cc', '4 dd']);
  expect(holdTop(held, viewBuffer(later.buffer))).toBe(held);
  expect(holdTop(following, viewBuffer(later.buffer))).toBe(following);
});

const view = viewBuffer(ten.buffer);

/** A pane in which the named entries take more rows than one. */
const paneOf = (rows: number, heights: Readonly<Record<string, number>> = {}): LogPane => ({
  rows,
  rowsOf: ({entry}) => heights[entry.kind === 'line' ? short(entry.raw).slice(-1) : ''] ?? 1,
});

const places = (viewport: Viewport, pane: LogPane): readonly string[] =>
  visibleEntries(viewport, view, pane).map(({index, fromRow, toRow}) => `${index}:${fromRow}-${toRow}`);

test.each([
  [0, 5, 5],
  [2, 5, 3],
  [1, 4, 3],
  [3, 3, 0],
  // Nearer to the beginning than that row is to the top.
  [2, 1, 0],
])('in row %d, entry %d is put below entry %d on top', (row, index, top) => {
  const put = putInRow(following, view, oneRowPane(3), index, row);
  expect([put.kind, topIndex(put, view, oneRowPane(3))]).toEqual(['paused', top]);
});

test('an entry that begins above the pane shows its last rows', () => {
  const pane = paneOf(4, {c: 5});
  expect(places(putInRow(following, view, pane, 2, -2), pane)).toEqual(['2:2-5', '3:0-1']);
  expect(places(putInRow(following, view, pane, 2, 1), pane)).toEqual(['1:0-1', '2:0-3']);
  // More rows above the pane than the entry has: its last one stays.
  expect(places(putInRow(following, view, pane, 2, -9), pane)).toEqual(['2:4-5', '3:0-1', '4:0-1', '5:0-1']);
});

test.each([
  // A third of the pane is above it.
  [9, 0, [0, 1, 2, 3, 4, 5, 6, 7]],
  [3, 4, [3, 4, 5]],
  [3, 0, [0, 1, 2]],
  [3, 1, [0, 1, 2]],
  [3, 2, [1, 2, 3]],
  // As near as the end of the log lets it be.
  [3, 6, [5, 6, 7]],
  [3, 5, [5, 6, 7]],
  [2, 3, [3, 4]],
])('in a pane of %d rows, entry %d is revealed among %j', (rows, index, shown) => {
  const revealed = reveal(following, view, oneRowPane(rows), index);
  expect(revealed.kind).toBe('paused');
  expect(visibleEntries(revealed, view, oneRowPane(rows)).map(each => each.index)).toEqual(shown);
});

test('what is revealed shows all its rows, if it can', () => {
  const up = scrollBy(following, view, oneRowPane(3), -99);
  // Six rows leave room for none above it, five for one.
  expect(places(reveal(up, view, paneOf(6, {e: 6}), 4), paneOf(6, {e: 6}))).toEqual(['4:0-6']);
  expect(places(reveal(up, view, paneOf(6, {e: 5}), 4), paneOf(6, {e: 5}))).toEqual(['3:0-1', '4:0-5']);
  expect(places(reveal(up, view, paneOf(6, {e: 9}), 4), paneOf(6, {e: 9}))).toEqual(['4:0-6']);
  // It is in the pane but for its last row, or its first one.
  expect(places(reveal(up, view, paneOf(3, {c: 2}), 2), paneOf(3, {c: 2}))).toEqual(['1:0-1', '2:0-2']);
  const inside = putInRow(following, view, paneOf(3, {c: 2}), 2, -1);
  expect(places(inside, paneOf(3, {c: 2}))).toEqual(['2:1-2', '3:0-1', '4:0-1']);
  expect(places(reveal(inside, view, paneOf(3, {c: 2}), 2), paneOf(3, {c: 2}))).toEqual(['1:0-1', '2:0-2']);
});

test.each([
  ['above', 1, 1],
  ['the first in view', 3, 3],
  ['the last in view', 5, 3],
  ['just below', 6, 4],
  ['the last of all', 7, 5],
])('an entry is kept in view with the least move: %s', (_, index, top) => {
  const middle = putInRow(following, view, oneRowPane(3), 3, 0);
  expect(topIndex(keepInView(middle, view, oneRowPane(3), index), view, oneRowPane(3))).toBe(top);
});

test('an entry of several rows is kept in view with its beginning', () => {
  const up = scrollBy(following, view, oneRowPane(3), -99);
  expect(places(keepInView(up, view, paneOf(3, {d: 2}), 3), paneOf(3, {d: 2}))).toEqual(['2:0-1', '3:0-2']);
  expect(places(keepInView(up, view, paneOf(3, {d: 5}), 3), paneOf(3, {d: 5}))).toEqual(['3:0-3']);
  const inside = putInRow(following, view, paneOf(3, {d: 5}), 3, -1);
  expect(places(keepInView(inside, view, paneOf(3, {d: 5}), 3), paneOf(3, {d: 5}))).toEqual(['3:0-3']);
});

test('keeping in view what is in view only pauses', () => {
  const middle = putInRow(following, view, oneRowPane(3), 3, 0);
  expect(keepInView(middle, view, oneRowPane(3), 4)).toBe(middle);
  const paused = keepInView(following, view, oneRowPane(3), 6);
  expect([paused.kind, topIndex(paused, view, oneRowPane(3))]).toEqual(['paused', 5]);
});

test('scrolling without end stops at either end, whatever rows entries take', () => {
  const pane = paneOf(3, {a: 2, h: 2});
  const top = scrollBy(following, view, pane, Number.NEGATIVE_INFINITY);
  expect(places(top, pane)).toEqual(['0:0-2', '1:0-1']);
  const end = scrollBy(top, view, pane, Number.POSITIVE_INFINITY);
  expect([end.kind, ...places(end, pane)]).toEqual(['paused', '6:0-1', '7:0-2']);
  const plain = scrollBy(top, view, oneRowPane(3), Number.POSITIVE_INFINITY);
  expect([plain.kind, topIndex(plain, view, oneRowPane(3))]).toEqual(['paused', 5]);
});

test('a viewport that was laid out by rows is on top of its entry where each takes one', () => {
  const inside = putInRow(following, view, paneOf(3, {d: 5}), 3, -2);
  expect(topPlace(inside, view, paneOf(3, {d: 5}))).toEqual({index: 3, rowsAbove: 2});
  expect(topPlace(inside, view, oneRowPane(3))).toEqual({index: 3, rowsAbove: 0});
  expect(topPlace(inside, view, paneOf(3))).toEqual({index: 3, rowsAbove: 0});
});

test('who took the place of a top that left begins with its first row', () => {
  // Each line takes 45 bytes.
  const small = take(createBranchLog(5 * 45), '1 aa', '2 bb', '3 cc', '4 dd', '5 ee');
  const tall: LogPane = {rows: 2, rowsOf: () => 3};
  const held = putInRow(following, viewBuffer(small.buffer), tall, 0, -2);
  expect(held).toMatchObject({rowsAbove: 2});
  const later = viewBuffer(take(small, '5 ee', '6 ff').buffer);
  expect(topPlace(held, later, tall)).toEqual({index: 0, rowsAbove: 0});
  expect(holdTop(held, later)).toMatchObject({kind: 'paused', rowsAbove: 0, top: {source: 0, id: 2}});
});

test('the entries in a pane are found once for each viewport, view and pane', () => {
  const pane = oneRowPane(3);
  const shown = visibleEntries(following, view, pane);
  expect(visibleEntries(following, view, pane)).toBe(shown);
  const up = scrollBy(following, view, pane, -1);
  expect(visibleEntries(up, view, pane).map(({index}) => index)).toEqual([4, 5, 6]);
  const shorter = viewBuffer(take(createBranchLog(1e6), '1 a', '2 b').buffer);
  expect(visibleEntries(following, shorter, pane).map(({index}) => index)).toEqual([0, 1]);
  expect(visibleEntries(following, view, pane).map(({index}) => index)).toEqual([5, 6, 7]);
});
