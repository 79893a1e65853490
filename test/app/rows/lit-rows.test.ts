import {expect, test} from 'vitest';
import {rowWidth} from '#app/rows/fit-row.ts';
import {indicatorColumns, type ViewRow} from '#app/rows/view-row.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import {give, type Play, sampleState, startAt} from '../../support/play.ts';

const start = (change: Partial<State> = {}): Play => startAt(sampleState(change));

const onBranches = (change: Partial<State> = {}): Play => {
  const play = start(change);
  give(play, 'open');
  play.branchesArrive();
  return play;
};

/** The rows of the pane that are highlighted across the width of the pane, as text. */
const litRows = (play: Play): readonly string[] => {
  const view = selectView(play.state);
  const rows: readonly ViewRow[] =
    'tooSmall' in view || view.pane.kind !== 'rows' ? expect.fail('no pane of rows') : view.pane.rows;
  const isLit = (row: ViewRow): boolean => row.some(part => part.isLit === true);
  expect(rows.filter(isLit).every(row => row.every(part => part.isLit === true))).toBe(true);
  expect(rows.filter(isLit).map(rowWidth)).toEqual(rows.filter(isLit).map(() => play.state.columns));
  return rows.filter(isLit).map(row =>
    row
      .map(({text}) => text)
      .join('')
      .trimEnd(),
  );
};

const listOf = (play: Play) => {
  const view = selectView(play.state);
  return 'tooSmall' in view || view.pane.kind !== 'pick' ? expect.fail('no list') : view.pane;
};

test('in a list the highlighted row is lit, as wide as the list', () => {
  for (const play of [start(), onBranches()]) {
    const {pick} = listOf(play);
    expect(pick.isLit).toBe(true);
    expect(pick.items.map(({row}) => rowWidth(row) + indicatorColumns)).toEqual(pick.items.map(() => 80));
  }
});

test('in the record the field that has the keys is lit, and the branch beside it no longer', () => {
  const wide = onBranches({columns: 140});
  expect(listOf(wide).beside.some(row => row.some(part => part.isLit === true))).toBe(false);
  give(wide, 'enterDetails', 'moveDown');
  const {pick, beside} = listOf(wide);
  expect(pick.isLit).toBe(false);
  const lit = beside.filter(row => row.every(part => part.isLit === true));
  expect(
    lit.map(row =>
      row
        .map(({text}) => text)
        .join('')
        .trimEnd(),
    ),
  ).toEqual(['▸ id               b-master']);
});

test('in the palette the chosen command is lit', () => {
  const play = start();
  give(play, 'openPalette');
  play.send({kind: 'textTyped', text: 'quit'});
  expect(litRows(play)).toEqual([expect.stringMatching(/^ ▸ quit /)]);
});
