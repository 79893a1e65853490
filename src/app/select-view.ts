import {selectPalette} from '#app/choices/palette.ts';
import {lastHelpTop, selectHelp} from '#app/help/key-help.ts';
import {selectHelpHints, selectPrompt, selectPromptHints} from '#app/help/select-hints.ts';
import type {Prompt} from '#app/keys/prompt.ts';
import {selectBranchesView} from '#app/lists/select-branches-view.ts';
import {selectSitesView} from '#app/lists/select-sites-view.ts';
import {selectCompared} from '#app/log/compare-incident.ts';
import {selectLogHeader} from '#app/log/select-log-header.ts';
import {selectLogState} from '#app/log/select-log-state.ts';
import {selectLogView} from '#app/log/select-log-view.ts';
import type {RowsPane, ScreenView, ViewRow} from '#app/rows/view-row.ts';
import type {State} from '#app/state/state.ts';
import {columnsMin, rowsMin} from '#app/state/step.ts';

const isTooSmall = ({columns, rows}: State): boolean => columns < columnsMin || rows < rowsMin;

/** Renders the whole screen for a state, or one line if the terminal is too small. */
export const selectView = (state: State): ScreenView | {readonly tooSmall: string} => {
  if (isTooSmall(state)) {
    return {
      tooSmall: `needs ${columnsMin}×${rowsMin}, is ${state.columns}×${state.rows}`.slice(
        0,
        Math.max(1, state.columns),
      ),
    };
  }
  const view = selectScreen(state);
  const {focus} = state;
  switch (focus.kind) {
    case 'prompt':
      return {
        ...view,
        pane: selectChoices(state, focus.prompt) ?? view.pane,
        state: selectPrompt(focus.prompt, state.columns),
        hints: selectPromptHints(focus.prompt, state.columns, state.notice),
      };
    case 'help':
      return {
        ...view,
        pane: {kind: 'rows', rows: selectHelp(state, focus)},
        hints: selectHelpHints(state, focus, lastHelpTop(state, focus) > 0),
      };
    case 'filter':
    case 'screen':
      return view;
    default:
      return focus satisfies never;
  }
};

const selectChoices = (state: State, prompt: Prompt): RowsPane | undefined =>
  prompt.kind === 'palette'
    ? selectPalette(state, prompt)
    : prompt.kind === 'compared' && state.log
      ? selectCompared(state, state.log, prompt)
      : undefined;

/** Checks whether the rows that tell the time are the same in two states: then nothing has to be drawn. */
export const readsAlike = (before: State, now: State): boolean => {
  const [earlier, rows] = [selectTimedRows(before), selectTimedRows(now)];
  return rows.every(
    (row, index) =>
      row.length === earlier[index]?.length &&
      row.every(({text, tone}, place) => {
        const other = earlier[index]?.[place];
        return text === other?.text && tone === other.tone;
      }),
  );
};

/** Returns the header and the state row. The rows of a log's pane don't change with time, and cost more. */
const selectTimedRows = (state: State): readonly ViewRow[] => {
  if (isTooSmall(state)) {
    return [];
  }
  if (state.screen === 'log' && state.log) {
    return [selectLogHeader(state, state.log), selectLogState(state, state.log)];
  }
  const view = selectScreen(state);
  return [view.header, view.state];
};

const selectScreen = (state: State): ScreenView => {
  if (state.screen === 'log' && state.log) {
    return selectLogView(state, state.log);
  }
  return state.screen === 'branches' && state.branches
    ? selectBranchesView(state, state.branches)
    : selectSitesView(state);
};
