import {filteredOf, isFiltering} from '../log-sources.ts';
import type {LogState, State} from '../state.ts';
import {withLog} from './handler.ts';
import {seekOn} from './search.ts';

/** Has filters go on that could not get to all lines at once; undefined where there are none. A search may wait for what they leave. */
export const filterOn = (state: State, log: LogState): State | undefined => {
  if (!isFiltering(log)) {
    return undefined;
  }
  const lineFilters = log.lineFilters?.map((filter, index) =>
    filteredOf(log, index)?.waitingCount === 0 ? filter : filter.next(),
  );
  return withLog(state, seekOn(state, {...log, lineFilters}));
};
