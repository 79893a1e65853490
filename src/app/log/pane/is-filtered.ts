import type {LogState} from '../../state/state.ts';

/** Are some lines perhaps not shown? */
export const isFiltered = ({use, minimumLevel}: LogState): boolean => use.filters.length > 0 || minimumLevel !== 'none';
