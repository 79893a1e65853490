import {promptOf, withoutFilterOpen} from '#app/keys/input-focus.ts';
import type {Command, MouseAction} from '#app/keys/keymap.ts';
import {pickRow} from '#app/log/picking.ts';
import {rowWidth} from '#app/rows/fit-row.ts';
import {indicatorColumns, type ScreenView} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import {focusOf, next, type Step, withLog} from '#app/state/step.ts';
import {selectView} from './select-view.ts';
import {pressInPrompt} from './update-prompt.ts';

/** Runs a command. */
type Give = (state: State, command: Command) => Step;

/** The usual number in editors and pagers. */
const wheelRows = 3;

/** Two clicks within this time are a double click, even if the list has moved under the pointer in between. */
const doublePressMs = 500;

/** The header and the second row are above the pane. */
const paneRowIndex = 2;

/** Turns the mouse on or off, and says how to use the terminal's own selection. */
export const toggleMouse = (state: State): Step => {
  const isMouseOn = state.isMouseOn !== true;
  const notice = isMouseOn ? "mouse on: hold Shift for the terminal's own selection" : 'mouse off';
  return next({...state, isMouseOn, notice}, {kind: 'setMouse', isOn: isMouseOn});
};

/** Handles the wheel and clicks by running the same commands as keys. */
export const updateMouse = (state: State, action: MouseAction, give: Give): Step => {
  if (action.kind !== 'press') {
    if (promptOf(state)?.kind === 'palette') {
      const key = action.kind === 'wheelUp' ? 'Up' : 'Down';
      return repeat(state, wheelRows, now => {
        const prompt = promptOf(now);
        return prompt === undefined ? next(now) : pressInPrompt(now, prompt, key, give);
      });
    }
    const command = action.kind === 'wheelUp' ? 'moveUp' : 'moveDown';
    return repeat(state, wheelRows, now => give(now, command));
  }
  const focus = focusOf(state);
  switch (focus.kind) {
    case 'help':
    case 'prompt':
    case 'overlay':
      return next(state);
    case 'filter':
    case 'pane':
      return pressOnPane(state, action, give);
    default:
      return focus satisfies never;
  }
};

const pressOnPane = (state: State, action: MouseAction, give: Give): Step => {
  const {screen, log} = state;
  return screen === 'log'
    ? log === undefined
      ? next(state)
      : pressOnLog(state, log, action, give)
    : pressOnList(state, action, give);
};

const repeat = (state: State, times: number, act: (state: State) => Step): Step => {
  let step = next(state);
  for (let count = 0; count < times; count++) {
    const nextState = act(step.state);
    step = {state: nextState.state, effects: [...step.effects, ...nextState.effects]};
  }
  return step;
};

/** Handles a click on a line: picks it, or opens the line with the cursor. */
const pressOnLog = (state: State, log: LogState, {rowIndex}: MouseAction, give: Give): Step => {
  const picked = pickRow(state, log, rowIndex - paneRowIndex);
  return picked === 'again' ? give(state, 'openLine') : next(picked === undefined ? state : withLog(state, picked));
};

/** Handles a click on a list item: highlights it, or opens the highlighted one. */
const pressOnList = (state: State, action: MouseAction, give: Give): Step => {
  const view = selectView(state);
  const pick = 'tooSmall' in view || view.pane.kind !== 'pick' ? undefined : view.pane;
  const {lastPress} = state;
  const isSecond =
    lastPress?.rowIndex === action.rowIndex && state.nowMs - lastPress.atMs <= doublePressMs && pick !== undefined;
  const index = isSecond ? pick.pick.selectedIndex : action.rowIndex - paneRowIndex;
  if (pick === undefined || index < 0 || index >= pick.pick.items.length || isBeside(pick, action.columnIndex)) {
    return next(state);
  }
  // A click on the list leaves the record.
  const outside: State =
    state.branches?.details === undefined ? state : {...state, branches: {...state.branches, details: undefined}};
  const distance = index - pick.pick.selectedIndex;
  if (distance === 0) {
    return give({...outside, focus: withoutFilterOpen(state.focus), lastPress: undefined}, 'open');
  }
  const command = distance < 0 ? 'moveUp' : 'moveDown';
  const {state: moved, effects} = repeat(outside, Math.abs(distance), now => give(now, command));
  return {state: {...moved, lastPress: {rowIndex: action.rowIndex, atMs: state.nowMs}}, effects};
};

/** Checks whether a column is in the pane beside the list. */
const isBeside = ({pick, beside}: Extract<ScreenView['pane'], {kind: 'pick'}>, columnIndex: number): boolean =>
  beside.length > 0 && columnIndex >= indicatorColumns + Math.max(0, ...pick.items.map(({row}) => rowWidth(row)));
