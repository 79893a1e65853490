import {expect, test} from 'vitest';
import {createBuffer} from '#log/buffer/buffer.ts';
import {createBranchLog, rememberWindow} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {type ReadWindow, readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
import {line} from '../simulation/lines-at.ts';

const windowOf = (count: number): ReadWindow =>
  finishWork(
    readWindow(
      Array.from({length: count}, (_, index) => line(`${index} x`)),
      () => [],
    ),
  );
const empty = createBuffer(1e9);
const rememberAll = (windows: readonly ReadWindow[]): readonly ReadWindow[] =>
  windows.reduce<readonly ReadWindow[]>((recent, now) => rememberWindow(recent, now, empty), []);

test('the last sixteen windows are remembered, the newest first', () => {
  const windows = Array.from({length: 20}, (_, index) => windowOf(index + 1));
  expect(rememberAll(windows).map(({received}) => received.length)).toEqual([
    20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5,
  ]);
});

test('of large ones fewer, but two at the least', () => {
  const [large, huge] = [windowOf(12_000), windowOf(36_000)];
  expect(rememberAll(Array.from({length: 8}, () => large))).toHaveLength(3);
  expect(rememberAll(Array.from({length: 8}, () => huge))).toHaveLength(2);
});

test('none that a large buffer still holds in its newer half, unless lines in it have no timestamp', () => {
  const first = Array.from({length: 210_000}, (_, index) => line(`${index} x`));
  let {log} = takeWindow(createBranchLog(1e9), {lines: first, pods: []});
  const take = (...texts: readonly string[]): readonly number[] => {
    log = takeWindow(log, {lines: texts.map(text => (text === 'unstamped' ? text : line(text))), pods: []}).log;
    return log.recent.map(({received}) => received.length);
  };
  expect(take('209999 x', '210001 y')).toEqual([2, 210_000]);
  expect(take('210001 y', '210002 z', '210003 z')).toEqual([3, 210_000]);
  expect(take('210003 z', 'unstamped', '210004 z', '210005 z')).toEqual([4, 210_000]);
  // The first is large, and two are remembered already.
  expect(take('210005 z')).toEqual([1, 4]);
  // A line that came before is still known.
  expect(takeWindow(log, {lines: ['210001 y', '210005 z'].map(line), pods: []}).added).toEqual([]);
});
