import {selectBranchesView} from './branches/select-branches-view.ts';
import {lastHelpTop} from './help/key-help.ts';
import {selectHelp} from './help/select-help.ts';
import {selectHelpHints} from './help/select-hints.ts';
import {selectPalette} from './help/select-palette.ts';
import {selectPrompt, selectPromptHints} from './help/select-prompt.ts';
import {selectLogView} from './log/select-log-view.ts';
import type {ScreenView} from './rows/view.ts';
import {selectSitesView} from './sites/select-sites-view.ts';
import {columnsMin, rowsMin, type State} from './state/state.ts';

/** Renders the whole screen for a state, or one line if the terminal is too small. */
export const selectView = (state: State): ScreenView | {readonly tooSmall: string} => {
  if (state.columns < columnsMin || state.rows < rowsMin) {
    return {
      tooSmall: `needs ${columnsMin}×${rowsMin}, is ${state.columns}×${state.rows}`.slice(
        0,
        Math.max(1, state.columns),
      ),
    };
  }
  const view = selectScreen(state);
  const {front} = state;
  switch (front.kind) {
    case 'prompt':
      return {
        ...view,
        pane: front.prompt.kind === 'palette' ? {kind: 'rows', rows: selectPalette(state, front.prompt)} : view.pane,
        state: selectPrompt(front.prompt, state.columns),
        hints: selectPromptHints(front.prompt, state.columns, state.notice),
      };
    case 'help':
      return {
        ...view,
        pane: {kind: 'rows', rows: selectHelp(state, front)},
        hints: selectHelpHints(state, front, lastHelpTop(state, front) > 0),
      };
    case 'filter':
    case 'none':
      return view;
    default:
      return front satisfies never;
  }
};

const selectScreen = (state: State): ScreenView => {
  if (state.screen === 'log' && state.log) {
    return selectLogView(state, state.log);
  }
  return state.screen === 'branches' && state.branches
    ? selectBranchesView(state, state.branches)
    : selectSitesView(state);
};
