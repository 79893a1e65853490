import {listBuffer} from '../log/entry-list.ts';
import type {LogView} from '../log/log-view.ts';
import {mergeBuffers, mergeLists} from '../log/merged-view.ts';
import type {LogSource, LogState} from './state.ts';
import type {Tail} from './tail.ts';

/** What the log screen holds, as one log; where there are filters, what they leave of it. */
export const viewLog = ({sources, lineFilters}: LogState): LogView =>
  lineFilters === undefined
    ? mergeBuffers(sources.map(({tail}) => tail.log.buffer))
    : mergeLists(
        sources.map(({tail}, index) => lineFilters[index]?.apply(tail.log.buffer).list ?? listBuffer(tail.log.buffer)),
      );

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
