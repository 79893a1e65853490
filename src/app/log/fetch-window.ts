import type {Effect} from '#app/state/effect.ts';
import {viewLog} from '#app/state/log-sources.ts';
import type {LogSource, LogState} from '#app/state/state.ts';
import {canReadBackTo, canReadOn} from '#app/tail/has-unread.ts';
import type {Tail} from '#app/tail/tail.ts';
import {readUpTo} from '#log/ingest/numbered.ts';
import type {ReadDirection} from '#log/line/unread.ts';

/** So near to the first entry, lines from before it are asked for: some screens. */
const nearEntries = 200;

/** Requests what a branch's log does not have yet. `log`: the log on the screen, if it is that. */
export const fetchWindow = ({branch, tail}: LogSource, siteId: string, generation: number, log?: LogState): Effect => {
  const after = readUpTo(tail.log.numbered);
  const wants = log && wantedLines(tail, log);
  const known = after && (wants ? {...after, wants} : after);
  return {kind: 'fetchWindow', siteId, branchId: branch._id, generation, ...(known && {after: known})};
};

/** Returns where lines are wanted that were not read. */
export const wantedLines = (tail: Tail, log: LogState): ReadDirection | undefined => {
  const {viewport, goToAt, readBack} = log;
  const near = viewport.kind === 'paused' ? nearEnds(log) : [];
  return (
    near.find(direction => canReadOn(tail, direction)) ??
    ([goToAt, readBack?.to].some(at => at !== undefined && canReadBackTo(tail, at)) ? 'earlier' : undefined)
  );
};

/** Returns the ends of the log that the reader is near to. */
export const nearEnds = (log: LogState): readonly ReadDirection[] => {
  const view = viewLog(log);
  const index = log.viewport.kind === 'following' ? view.entryCount : view.indexOf(log.viewport.top);
  return [
    ...(index < nearEntries ? ['earlier' as const] : []),
    ...(index > view.entryCount - nearEntries ? ['later' as const] : []),
  ];
};
