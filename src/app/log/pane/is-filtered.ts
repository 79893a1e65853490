import type {LogState} from '../../state/state.ts';

/** Returns whether lines may be hidden by a filter, the minimum level or their source. */
export const isFiltered = ({use, minimumLevel, sourcePick}: LogState): boolean =>
  use.filters.length > 0 || minimumLevel !== 'none' || sourcePick !== undefined;
