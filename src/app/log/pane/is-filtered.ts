import type {LogState} from '#app/state/state.ts';

/** Returns whether lines may be hidden by a filter, the minimum level, their time or their source. */
export const isFiltered = ({use, minimumLevel, sourcePick, range}: LogState): boolean =>
  use.filters.length > 0 || minimumLevel !== 'none' || sourcePick !== undefined || range !== undefined;
