import type {Effect} from '#app/state/effect.ts';
import {viewAll, viewLog} from '#app/state/log-sources.ts';
import type {LogSource, LogState} from '#app/state/state.ts';
import type {Step} from '#app/state/step.ts';
import {canReadOn, isUnread} from '#app/tail/tail.ts';
import {fetchWindow, nearEnds, wantedLines} from './fetch-window.ts';

/** Runs after a key: asks at once for the lines that the reader comes near to, instead of with the next poll. */
export const readOn = (before: LogState, {state, effects}: Step): Step => {
  const {log, generation} = state;
  if (log === undefined || log === before || log.siteId !== before.siteId) {
    return {state, effects};
  }
  const [source] = log.sources;
  const wants = wantedLines(source.tail, log);
  const order =
    wants !== undefined && wants !== wantedLines(before.sources[0].tail, before)
      ? fetchWindow(source, log.siteId, generation, log)
      : moveOn(source, before, log, generation);
  return {state, effects: order === undefined ? effects : [...effects, order]};
};

/** At an end of a full buffer, other lines have to go: the part is opened that goes on there. */
const moveOn = (source: LogSource, before: LogState, log: LogState, generation: number): Effect | undefined => {
  const {branch, tail} = source;
  const {viewport} = log;
  const isMoved = viewport !== before.viewport && viewport.kind === 'paused';
  const direction = nearEnds(log).find(end => isUnread(tail, end) && !canReadOn(tail, end));
  if (!isMoved || direction === undefined || (direction === 'earlier' && viewLog(log).indexOf(viewport.top) > 0)) {
    return undefined;
  }
  const at = viewAll(log).timeAt(0);
  return {
    kind: 'findUnread',
    branchId: branch._id,
    // Evicted lines lie between the first line of the buffer and the part that was not read.
    wish: tail.log.buffer.evictedLines > 0 && at !== undefined ? {kind: 'time', at} : {kind: 'edge', direction},
    generation,
  };
};
