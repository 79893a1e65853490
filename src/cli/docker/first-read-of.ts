import {resolveRange} from '#cli/arguments/time-range.ts';
import type {LogWanted} from '#cli/connection/asked-service.ts';
import {instantFromMs} from '#log/line/instant.ts';
import type {FirstRead} from '#service/containers/followed-container.ts';

/**
 * Returns how far back logs are read for what a command wants: to their beginning, unless it says how far. Of a range
 * that has ended, the last lines are not those of the log.
 */
export const firstReadOf = ({since, to, ...wanted}: LogWanted, nowMs: number): FirstRead => {
  const tail = to === undefined ? wanted.tail : undefined;
  const {from} = resolveRange({since}, instantFromMs(nowMs));
  return {since: from ?? (tail === undefined ? 0n : undefined), tailLines: tail};
};
