import {withLog} from '#app/state/handler.ts';
import {isFiltering} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {applyFilter} from '../apply-filters.ts';
import {seekOn} from '../search.ts';

/**
 * Continues filters that could not handle all lines at once; returns undefined if there are none. A search may be
 * waiting for their result.
 */
export const filterOn = (state: State, log: LogState): State | undefined => {
  if (!isFiltering(log)) {
    return undefined;
  }
  const filtering = log.filtering?.map((each, index) =>
    each.filtered.waitingCount === 0 ? each : applyFilter(log, each.filter.next(), index),
  );
  return withLog(state, seekOn(state, {...log, filtering}));
};
