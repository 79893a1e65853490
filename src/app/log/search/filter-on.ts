import {withLog} from '../../state/handler.ts';
import {isFiltering} from '../../state/log-sources.ts';
import type {LogState, State} from '../../state/state.ts';
import {applyFilter} from './apply-filters.ts';
import {seekOn} from './search.ts';

/** Has filters go on that could not get to all lines at once; undefined where there are none. A search may wait for what they leave. */
export const filterOn = (state: State, log: LogState): State | undefined => {
  if (!isFiltering(log)) {
    return undefined;
  }
  const filtering = log.filtering?.map((each, index) =>
    each.filtered.waitingCount === 0 ? each : applyFilter(log, each.filter.next(), index),
  );
  return withLog(state, seekOn(state, {...log, filtering}));
};
