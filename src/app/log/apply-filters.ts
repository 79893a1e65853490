import type {LogState, SourceFiltering} from '#app/state/state.ts';
import type {LineFilter} from '#log/view/line-filter.ts';

/**
 * Applies the filters to the lines held and to the matches known so far. Free if neither changed; otherwise handles a
 * bounded number of chunks, those near the reader first.
 */
export const applyFilters = (log: LogState): LogState => {
  const {filtering} = log;
  const applied = filtering?.map(({filter}, index) => applyFilter(log, filter, index));
  return applied === undefined || applied.every(({filtered}, index) => filtered === filtering?.[index]?.filtered)
    ? log
    : {...log, filtering: applied};
};

/** Applies a filter to one source. */
export const applyFilter = ({sources, viewport}: LogState, filter: LineFilter, index: number): SourceFiltering => {
  const {buffer} = (sources[index] ?? sources[0]).tail.log;
  const near = viewport.kind === 'paused' ? viewport.top.at : undefined;
  return {filter, filtered: filter.apply(buffer, near)};
};
