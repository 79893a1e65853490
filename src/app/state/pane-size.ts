import type {State} from './state.ts';

/**
 * Returns the rows left for a log or list: all but the header, the strip or blank row, the state line and the hints.
 */
export const paneRows = (state: Pick<State, 'rows'>): number => Math.max(1, state.rows - 4);

/** The minimum size of the screens. */
export const columnsMin = 20;
export const rowsMin = 5;
