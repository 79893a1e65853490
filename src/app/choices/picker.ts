import type {Command} from '../keys/keymap.ts';
import {movement} from '../keys/movement.ts';
import type {Picker} from '../state/state.ts';

/** Where the highlight is: on its id, or on the first item where that is not in the list (any more). */
export const selectedIndex = (ids: readonly string[], picker: Picker): number =>
  Math.max(0, picker.selectedId === undefined ? 0 : ids.indexOf(picker.selectedId));

/** Moves the highlight; undefined where the command is no movement. It stops at both ends. */
export const movePicker = (
  ids: readonly string[],
  picker: Picker,
  command: Command,
  pageRows: number,
): Picker | undefined => {
  const distance = movement(command, pageRows);
  if (distance === undefined) {
    return undefined;
  }
  const index = Math.max(0, Math.min(ids.length - 1, selectedIndex(ids, picker) + distance));
  return {...picker, selectedId: ids[index] ?? picker.selectedId};
};

/** Another filter: the highlight goes to what fits best, and back to where it was when there is none any more. */
export const filterPicker = (picker: Picker, filter: string): Picker => {
  if (filter === picker.filter) {
    return picker;
  }
  const selectedBefore = picker.filter === '' ? picker.selectedId : picker.selectedBefore;
  return filter === '' ? {selectedId: selectedBefore, filter} : {selectedId: undefined, filter, selectedBefore};
};

/** Which part of a list is on the screen, so that the highlight is in it and no row is empty without need. */
export const visibleRange = (
  length: number,
  selected: number,
  rows: number,
): {readonly from: number; readonly to: number} => {
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), length - rows));
  return {from, to: Math.min(length, from + rows)};
};
