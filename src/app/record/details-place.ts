import {paneRows} from '#app/state/pane-size.ts';
import type {State} from '#app/state/state.ts';

/** Below this width there is no room for list and record side by side. */
export const detailsColumnsMin = 100;

/** With fewer rows, list and record would both be too short one above the other. */
const rowsForBothMin = 30;

/** Where the record is shown: beside the list, below it, instead of it, or not at all. */
export type DetailsPlace = 'beside' | 'below' | 'instead' | 'nowhere';

type Sized = Pick<State, 'columns' | 'rows' | 'showsDetails'>;

/** By default it is shown on a wide terminal, until the user chooses. */
export const areDetailsShown = ({columns, showsDetails}: Sized): boolean =>
  showsDetails ?? columns >= detailsColumnsMin;

export const detailsPlace = (state: Sized): DetailsPlace => {
  if (!areDetailsShown(state)) {
    return 'nowhere';
  }
  if (state.columns >= detailsColumnsMin) {
    return 'beside';
  }
  return paneRows(state) >= rowsForBothMin ? 'below' : 'instead';
};

/** Returns the rows of a list of this many branches. The record below gets the rest, except a blank row. */
export const listRows = (state: Sized, count: number): number => {
  const rows = paneRows(state);
  return detailsPlace(state) === 'below' ? Math.max(3, Math.min(count, Math.floor(rows * 0.4))) : rows;
};

/** Returns the rows of the record. */
export const detailsRows = (state: Sized, count: number): number => {
  const rows = paneRows(state);
  return detailsPlace(state) === 'below' ? rows - listRows(state, count) - 1 : rows;
};
