import {expect, test} from 'vitest';
import {takeWindow} from '../../../src/log/answer/take-window.ts';
import type {LineBuffer} from '../../../src/log/buffer/buffer.ts';
import {listBuffer} from '../../../src/log/buffer/entry-list.ts';
import {type BranchLog, createBranchLog} from '../../../src/log/merge/branch-log.ts';
import {viewList} from '../../../src/log/view/log-view.ts';
import {
  following,
  holdTop,
  oneRowPane,
  pause,
  scrollBy,
  topIndex,
  type Viewport,
  visibleEntries,
} from '../../../src/log/view/viewport.ts';
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
