import {readUpTo} from '../../log/numbered/numbered.ts';
import type {Effect} from '../state/effect.ts';
import {viewLog} from '../state/log-sources.ts';
import type {LogSource, LogState} from '../state/state.ts';
import {hasUnread} from '../tail/has-unread.ts';
import type {Tail} from '../tail/tail.ts';

/** So near to the first entry, lines from before it are asked for: some screens. */
const nearEntries = 200;
/** Requests what a branch's log does not have yet. `log`: the log on the screen, if it is that. */
export const fetchWindow = ({branch, tail}: LogSource, siteId: string, generation: number, log?: LogState): Effect => {
  const after = readUpTo(tail.log.numbered);
  const wantsEarlier = after !== undefined && log !== undefined && wantsEarlierLines(tail, log);
  const known = wantsEarlier ? {...after, wantsEarlier} : after;
  return {kind: 'fetchWindow', siteId, branchId: branch._id, generation, ...(known && {after: known})};
};

const wantsEarlierLines = (tail: Tail, log: LogState): boolean =>
  (hasUnread(tail) && isNearFirst(log)) || (log.goToAt !== undefined && hasUnread(tail, log.goToAt));

const isNearFirst = (log: LogState): boolean =>
  log.viewport.kind === 'paused' && viewLog(log).indexOf(log.viewport.top) < nearEntries;
