import type {Command} from '#app/keys/keymap.ts';
import {movement} from '#app/keys/movement.ts';
import type {Picker} from '#app/state/state.ts';

/** Returns the index of the highlight: its id's, or the first item if the id is not in the list (any more). */
export const selectedIndex = (ids: readonly string[], picker: Picker): number =>
  Math.max(0, picker.selectedId === undefined ? 0 : ids.indexOf(picker.selectedId));

/** Returns the index that a command moves the highlight to, at most to either end; undefined if it is no movement. */
export const movedIndex = (index: number, length: number, command: Command, pageRows: number): number | undefined => {
  const distance = movement(command, pageRows);
  return distance === undefined ? undefined : Math.max(0, Math.min(length - 1, index + distance));
};

/** Changes the filter: the highlight goes to the best match, and back to its old place when the filter is cleared. */
export const filterPicker = (picker: Picker, filter: string): Picker => {
  if (filter === picker.filter) {
    return picker;
  }
  const selectedBefore = picker.filter === '' ? picker.selectedId : picker.selectedBefore;
  return filter === '' ? {selectedId: selectedBefore, filter} : {selectedId: undefined, filter, selectedBefore};
};

/** Returns the visible part of a list: it contains the highlight and leaves no row empty without need. */
export const visibleRange = (
  length: number,
  selected: number,
  rows: number,
): {readonly from: number; readonly to: number} => {
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), length - rows));
  return {from, to: Math.min(length, from + rows)};
};
