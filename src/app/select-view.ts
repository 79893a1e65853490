import {lastHelpTop} from './help.ts';
import {selectBranchesView} from './select-branches-view.ts';
import {selectHelp} from './select-help.ts';
import {selectHelpHints} from './select-hints.ts';
import {selectLogView} from './select-log-view.ts';
import {selectPalette} from './select-palette.ts';
import {selectPrompt, selectPromptHints} from './select-prompt.ts';
import {selectSitesView} from './select-sites-view.ts';
import {columnsMin, rowsMin, type State} from './state.ts';
import type {ScreenView} from './view.ts';

/** The whole screen for a state, or one line where the terminal is too small for any. */
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
        hints: selectPromptHints(front.prompt, state.columns),
      };
    case 'help':
      return {
        ...view,
        pane: {kind: 'rows', rows: selectHelp(state, front)},
        hints: selectHelpHints(state.screen, lastHelpTop(state) > 0, state.columns),
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
