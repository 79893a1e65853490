import {bindingsOn, type Command, type KeyBinding} from '../keys/keymap.ts';
import {movement} from '../keys/movement.ts';
import type {Front} from '../state/front.ts';
import {paneRows, type State} from '../state/state.ts';

/** The help that is open. */
export type HelpFront = Extract<Front, {readonly kind: 'help'}>;

/** Cells of a key's names, and of a column that has room for the longest help. */
export const helpKeyColumns = 20;
const helpColumns = 56;

/** How the keys of a screen stand in the pane: in as many columns as it has room for, below a title. */
export const layOutHelp = (
  state: Pick<State, 'columns' | 'rows' | 'screen'>,
): {readonly bindings: readonly KeyBinding[]; readonly columnCount: number; readonly rowCount: number} => {
  const bindings = bindingsOn(state.screen);
  const fits = bindings.length + 1 <= paneRows(state) || state.columns < 2 * helpColumns;
  const columnCount = fits ? 1 : 2;
  return {bindings, columnCount, rowCount: 1 + Math.ceil(bindings.length / columnCount)};
};

/** How far it scrolls; 0 where all of it is in sight. Where it is not, the last row tells how much is missing. */
export const lastHelpTop = (state: Pick<State, 'columns' | 'rows' | 'screen'>): number => {
  const {rowCount} = layOutHelp(state);
  return rowCount <= paneRows(state) ? 0 : rowCount - paneRows(state) + 1;
};

/** The help scrolled by a command; undefined where that is no movement, or all of it is in sight. */
export const moveHelp = (state: State, help: HelpFront, command: Command): HelpFront | undefined => {
  const last = lastHelpTop(state);
  const distance = movement(command, Math.max(1, paneRows(state) - 2));
  return distance === undefined || last === 0
    ? undefined
    : {...help, top: Math.max(0, Math.min(last, Math.min(last, help.top) + distance))};
};
