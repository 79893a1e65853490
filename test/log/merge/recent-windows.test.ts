import {expect, test} from 'vitest';
import {type ReadWindow, readWindow} from '../../../src/log/line/window-line.ts';
import {rememberWindow} from '../../../src/log/merge/recent-windows.ts';
import {finishWork} from '../../../src/log/work/work.ts';
import {line} from '../simulation/lines-at.ts';

const windowOf = (count: number): ReadWindow =>
  finishWork(
    readWindow(
      Array.from({length: count}, (_, index) => line(`${index} x`)),
      () => [],
    ),
  );
const rememberAll = (windows: readonly ReadWindow[]): readonly ReadWindow[] =>
  windows.reduce<readonly ReadWindow[]>(rememberWindow, []);

test('the last sixteen windows are remembered, the newest first', () => {
  const windows = Array.from({length: 20}, (_, index) => windowOf(index + 1));
  expect(rememberAll(windows).map(({received}) => received.length)).toEqual([
    20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5,
  ]);
});

test('of large ones fewer, but two at the least', () => {
  const [large, huge] = [windowOf(30_000), windowOf(90_000)];
  expect(rememberAll(Array.from({length: 8}, () => large))).toHaveLength(3);
  expect(rememberAll(Array.from({length: 8}, () => huge))).toHaveLength(2);
});
