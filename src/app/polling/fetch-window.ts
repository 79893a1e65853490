import {readUpTo} from '../../log/numbered/numbered.ts';
import type {Effect} from '../state/effect.ts';
import {viewLog} from '../state/log-sources.ts';
import type {LogSource, LogState} from '../state/state.ts';
import type {Tail} from '../tail/tail.ts';

/** So near to the first entry, lines from before it are asked for: some screens. */
const nearEntries = 200;
/** Past this share of the buffer, what is older would only leave it again. */
const filledShareMax = 0.9;

/** Requests what a branch's log does not have yet. `log`: the log on the screen, if it is that. */
export const fetchWindow = ({branch, tail}: LogSource, siteId: string, generation: number, log?: LogState): Effect => {
  const after = readUpTo(tail.log.numbered);
  const wantsEarlier = after !== undefined && log !== undefined && hasUnread(tail) && isNearFirst(log);
  const known = wantsEarlier ? {...after, wantsEarlier} : after;
  return {kind: 'fetchWindow', siteId, branchId: branch._id, generation, ...(known && {after: known})};
};

const hasUnread = ({log: {heldFrom, buffer}}: Tail): boolean =>
  heldFrom?.why === 'asked' && buffer.evictedLines === 0 && buffer.bytes < filledShareMax * buffer.bytesMax;

const isNearFirst = (log: LogState): boolean =>
  log.viewport.kind === 'paused' && viewLog(log).indexOf(log.viewport.top) < nearEntries;
