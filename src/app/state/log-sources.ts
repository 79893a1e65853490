import {listBuffer} from '../../log/buffer/entry-list.ts';
import type {FilteredEntries} from '../../log/filter/line-filter.ts';
import type {LogView} from '../../log/view/log-view.ts';
import {mergeBuffers, mergeLists} from '../../log/view/merged-view.ts';
import type {LogSource, LogState} from './state.ts';

/** What the log screen holds, as one log; where there are filters, what they leave of it. */
export const viewLog = (log: LogState): LogView =>
  mergeLists(log.sources.map(({tail}, index) => filteredOf(log, index)?.list ?? listBuffer(tail.log.buffer)));

/** What the filters leave of a source, from 0; undefined where there are no filters. */
export const filteredOf = ({filtering}: LogState, index: number): FilteredEntries | undefined =>
  filtering?.[index]?.filtered;

/** Have the filters not got to all lines yet? They go on by themselves. */
export const isFiltering = ({filtering}: LogState): boolean =>
  filtering?.some(({filtered}) => filtered.waitingCount > 0) === true;

/** All that the log screen holds, whatever its filters leave. */
export const viewAll = ({sources}: LogState): LogView => mergeBuffers(sources.map(({tail}) => tail.log.buffer));

/** A branch and its tail; undefined where it is none of those on the screen. */
export const findSource = ({sources}: LogState, branchId: string): LogSource | undefined =>
  sources.find(({branch}) => branch._id === branchId);
