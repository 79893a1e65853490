import type {LogView} from '../log/log-view.ts';
import {mergeBuffers} from '../log/merged-view.ts';
import type {LogSource, LogState} from './state.ts';
import type {Tail} from './tail.ts';

/** All that the log screen holds, as one log. */
export const viewLog = ({sources}: LogState): LogView => mergeBuffers(sources.map(({tail}) => tail.log.buffer));

/** A branch and its tail; undefined where it is none of those on the screen. */
export const findSource = ({sources}: LogState, branchId: string): LogSource | undefined =>
  sources.find(({branch}) => branch._id === branchId);

/** The log with one branch's tail changed; the others stay as they are. */
export const withTail = (log: LogState, branchId: string, tail: Tail): LogState => {
  const change = (source: LogSource): LogSource => (source.branch._id === branchId ? {...source, tail} : source);
  const [first, ...others] = log.sources;
  return {...log, sources: [change(first), ...others.map(change)]};
};
