import {paneRows, type State} from '../state/state.ts';

/** Below this width the record would leave no room for the list beside it. */
export const detailsColumnsMin = 100;

/** With fewer rows list and record would both be too short to be read, one below the other. */
const rowsForBothMin = 30;

/** Where the record is shown: beside the list, below it, in its place, or nowhere. */
export type DetailsPlace = 'beside' | 'below' | 'instead' | 'nowhere';

type Sized = Pick<State, 'columns' | 'rows' | 'showsDetails'>;

/** By itself it is shown on a wide terminal, until the user says otherwise. */
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

/** How many rows the list of so many branches gets. The record below it gets the others, but for a blank one. */
export const listRows = (state: Sized, count: number): number => {
  const rows = paneRows(state);
  return detailsPlace(state) === 'below' ? Math.max(3, Math.min(count, Math.floor(rows * 0.4))) : rows;
};

/** How many rows the record gets. */
export const detailsRows = (state: Sized, count: number): number => {
  const rows = paneRows(state);
  return detailsPlace(state) === 'below' ? rows - listRows(state, count) - 1 : rows;
};
