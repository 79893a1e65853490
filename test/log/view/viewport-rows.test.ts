import fc from 'fast-check';
import {expect, test} from 'vitest';
import {listBuffer} from '#log/buffer/entry-list.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {type SourcedEntry, viewList} from '#log/view/log-view.ts';
import {
  following,
  type LogPane,
  pause,
  reveal,
  scrollBy,
  topPlace,
  type Viewport,
  visibleEntries,
} from '#log/view/viewport.ts';
import {line} from '../simulation/lines-at.ts';

/** A log of which the n-th line takes so many rows. */
const logOf = (heights: readonly number[]) => {
  const lines = heights.map((height, index) => line(`${index + 10} ${height}`));
  const {buffer} = takeWindow(createBranchLog(1e9), {lines, pods: []}).log;
  return viewList(listBuffer(buffer));
};

const heightOf = ({entry}: SourcedEntry): number => (entry.kind === 'line' ? Number(entry.raw.split(' ')[1]) : 1);

const paneOf = (rows: number): LogPane => ({rows, rowsOf: heightOf});

/** Every row of the log as `entry/row`. */
const allRows = (heights: readonly number[]): readonly string[] =>
  heights.flatMap((height, index) => Array.from({length: height}, (_, row) => `${index}/${row}`));

const shownRows = (viewport: Viewport, view: ReturnType<typeof logOf>, pane: LogPane): readonly string[] =>
  visibleEntries(viewport, view, pane).flatMap(({index, fromRow, toRow}) =>
    Array.from({length: toRow - fromRow}, (_, row) => `${index}/${fromRow + row}`),
  );

const heightsOf = fc.array(fc.integer({min: 1, max: 7}), {minLength: 1, maxLength: 40});

test('following shows the last rows, though the first line of them may be cut', () => {
  const view = logOf([1, 5, 1]);
  expect(shownRows(following, view, paneOf(4))).toEqual(['1/2', '1/3', '1/4', '2/0']);
  expect(shownRows(following, view, paneOf(9))).toEqual(allRows([1, 5, 1]));
});

test('scrolling goes by rows, whatever rows lines take, and shows every row once on the way', () => {
  fc.assert(
    fc.property(
      heightsOf,
      fc.integer({min: 1, max: 12}),
      fc.array(fc.integer({min: -9, max: 9}), {maxLength: 12}),
      (heights, rows, moves) => {
        const view = logOf(heights);
        const pane = paneOf(rows);
        const all = allRows(heights);
        const last = Math.max(0, all.length - rows);
        let viewport: Viewport = following;
        let top = last;
        for (const move of moves) {
          const follows = move > 0 && top >= last;
          viewport = scrollBy(viewport, view, pane, move);
          top = Math.max(0, Math.min(last, top + move));
          expect(shownRows(viewport, view, pane)).toEqual(all.slice(top, top + rows));
          if (follows) {
            expect(viewport).toBe(following);
          }
        }
      },
    ),
    {numRuns: 2000},
  );
});

test('what is gone to is wholly in view where it fits, and the pane stands still where it was', () => {
  fc.assert(
    fc.property(
      heightsOf,
      fc.integer({min: 7, max: 12}),
      fc.nat(),
      fc.integer({min: -60, max: 0}),
      (heights, rows, pick, up) => {
        const view = logOf(heights);
        const pane = paneOf(rows);
        const index = pick % heights.length;
        const before = scrollBy(following, view, pane, up);
        const after = reveal(before, view, pane, index);
        const wanted = Array.from({length: heights[index] ?? 0}, (_, row) => `${index}/${row}`);
        expect(shownRows(after, view, pane)).toEqual(expect.arrayContaining(wanted));
        if (wanted.every(row => shownRows(before, view, pane).includes(row))) {
          expect(shownRows(after, view, pane)).toEqual(shownRows(before, view, pane));
        }
        expect(after.kind).toBe('paused');
      },
    ),
    {numRuns: 2000},
  );
});

test('a pane that makes lines shorter keeps the line on top', () => {
  const view = logOf([1, 6, 1, 1, 1, 1, 1, 1]);
  const up = scrollBy(pause(following, view, paneOf(3)), view, paneOf(3), -6);
  expect(topPlace(up, view, paneOf(3))).toEqual({index: 1, rowsAbove: 3});
  const cut: LogPane = {rows: 3, rowsOf: () => 1};
  expect(topPlace(up, view, cut)).toEqual({index: 1, rowsAbove: 0});
});
