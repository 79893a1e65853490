import {bindingsOn, type Command, type KeyBinding} from '../keys/keymap.ts';
import {movement} from '../keys/movement.ts';
import type {Front} from '../state/front.ts';
import {paneRows, type State} from '../state/state.ts';

/** The open help. */
export type HelpFront = Extract<Front, {readonly kind: 'help'}>;

/** Cells for the key names, and the minimum width of a column of help. */
export const helpKeyColumns = 20;
const helpColumns = 56;

/** Lays out the keys of a screen below a title: in two columns if one is too short and there is room for two. */
export const layOutHelp = (
  state: Pick<State, 'columns' | 'rows' | 'screen'>,
): {readonly bindings: readonly KeyBinding[]; readonly columnCount: number; readonly rowCount: number} => {
  const bindings = bindingsOn(state.screen);
  const fits = bindings.length + 1 <= paneRows(state) || state.columns < 2 * helpColumns;
  const columnCount = fits ? 1 : 2;
  return {bindings, columnCount, rowCount: 1 + Math.ceil(bindings.length / columnCount)};
};

/**
 * Returns how far the help scrolls; 0 if all of it is visible. Otherwise its last row says how many rows are missing.
 */
export const lastHelpTop = (state: Pick<State, 'columns' | 'rows' | 'screen'>): number => {
  const {rowCount} = layOutHelp(state);
  return rowCount <= paneRows(state) ? 0 : rowCount - paneRows(state) + 1;
};

/** Scrolls the help by a command; undefined if the command is not a movement or all of the help is visible. */
export const moveHelp = (state: State, help: HelpFront, command: Command): HelpFront | undefined => {
  const last = lastHelpTop(state);
  const distance = movement(command, Math.max(1, paneRows(state) - 2));
  return distance === undefined || last === 0
    ? undefined
    : {...help, top: Math.max(0, Math.min(last, Math.min(last, help.top) + distance))};
};
