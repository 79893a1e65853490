import {listBuffer} from '../log/entry-list.ts';
import type {LogView} from '../log/log-view.ts';
import {mergeBuffers, mergeLists} from '../log/merged-view.ts';
import type {FilteredEntries} from '../log/pattern/line-filter.ts';
import type {LogSource, LogState} from './state.ts';
import type {Tail} from './tail.ts';

/** What the log screen holds, as one log; where there are filters, what they leave of it. */
export const viewLog = (log: LogState): LogView =>
  mergeLists(log.sources.map(({tail}, index) => filteredOf(log, index)?.list ?? listBuffer(tail.log.buffer)));

/** What the filters leave of a source, from 0, those lines first that are near to the reader; undefined where there are no filters. */
export const filteredOf = ({sources, viewport, lineFilters}: LogState, index: number): FilteredEntries | undefined => {
  const buffer = sources[index]?.tail.log.buffer;
  const near = viewport.kind === 'paused' ? viewport.top.at : undefined;
  return buffer && lineFilters?.[index]?.apply(buffer, near);
};

/** Have the filters not got to all lines yet? They go on by themselves. */
export const isFiltering = (log: LogState): boolean =>
  log.sources.some((_, index) => (filteredOf(log, index)?.waitingCount ?? 0) > 0);

/** All that the log screen holds, whatever its filters leave. */
export const viewAll = ({sources}: LogState): LogView => mergeBuffers(sources.map(({tail}) => tail.log.buffer));

/** A branch and its tail; undefined where it is none of those on the screen. */
export const findSource = ({sources}: LogState, branchId: string): LogSource | undefined =>
  sources.find(({branch}) => branch._id === branchId);

/** The log with one branch's tail changed; the others stay as they are. */
export const withTail = (log: LogState, branchId: string, tail: Tail): LogState => {
  const change = (source: LogSource): LogSource => (source.branch._id === branchId ? {...source, tail} : source);
  const [first, ...others] = log.sources;
  return {...log, sources: [change(first), ...others.map(change)]};
};
