import type {LogState} from '../../state/state.ts';

/** Returns whether lines may be hidden by a filter or the minimum level. */
export const isFiltered = ({use, minimumLevel}: LogState): boolean => use.filters.length > 0 || minimumLevel !== 'none';
