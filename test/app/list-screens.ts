import type {Branch} from '#api/client/answer.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import type {ViewRow} from '#app/rows/view-row.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import {give} from './finding-way.ts';
import {type Play, sampleBranches, sampleState, startAt} from './sample-state.ts';
import {showScreen} from './show-screen.ts';

/** Types a text into the filter of the list. */
export const typeFilter = (play: Play, text: string): void => {
  give(play, 'openFilter');
  play.send({kind: 'textTyped', text});
};

/** The screen of the branches, once they have arrived. */
export const onBranches = (branches: readonly Branch[] = sampleBranches, change: Partial<State> = {}): Play => {
  const play = startAt(sampleState(change));
  give(play, 'open');
  play.branchesArrive(branches);
  return play;
};

export const decode = (...records: readonly object[]): readonly Branch[] => decodeBranches(records).value;

/** The rows of the pane, with those beside a list and below it. */
export const rowsOf = (play: Play): readonly ViewRow[] => {
  const view = selectView(play.state);
  if ('tooSmall' in view) {
    return [];
  }
  const {pane} = view;
  return pane.kind === 'rows' ? pane.rows : [...pane.pick.items.map(({row}) => row), ...pane.beside, ...pane.below];
};

export const textOf = (row: ViewRow): string => row.map(({text}) => text).join('');
export const drawn = (play: Play): string => rowsOf(play).map(textOf).join('\n');

/** The first column of a list. */
export const names = (play: Play): readonly string[] =>
  rowsOf(play).map(row => (textOf(row).slice(3).split(/ {3}/)[0] ?? '').trim());
export const header = (play: Play): string => showScreen(play.state)[0] ?? '';
export const lastRowOf = (play: Play): string => showScreen(play.state).at(-2) ?? '';
