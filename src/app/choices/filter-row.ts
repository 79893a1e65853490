import {keyFor} from '#app/keys/keymap.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {isFilterOpen} from '#app/state/input-focus.ts';
import type {State} from '#app/state/state.ts';

/** Returns the row of a list's filter: the typed text, then `fits`, what can be typed, or the key that clears it. */
export const filterRow = (state: State, screen: 'sites' | 'branches', typed: string, fits: string): ViewRow => {
  if (isFilterOpen(state)) {
    return [span(' / ', 'accent'), span(typed), span('█', 'accent'), span(`   ${fits}`, 'dim')];
  }
  return typed === '' ? [] : [span(' / ', 'dim'), span(typed), span(`   ${keyFor('back', screen)} clears`, 'dim')];
};
