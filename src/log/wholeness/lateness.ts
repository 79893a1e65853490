import type {LineEntry} from '#log/line/entry.ts';
import {type Instant, laterOf} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {Added} from '../ingest/added.ts';
import {offMax} from '../ingest/completeness/believe.ts';
import {decimalsLost} from './tick.ts';

/** How late lines have been, in nanoseconds. */
export type Lateness = {
  /** The greatest ever seen: how far apart clocks are does not become less by being forgotten. */
  readonly ever: Instant;
  /**
   * Since the last turn and before it, of lines that came together with newer ones only: without a newer line, a clock
   * may have been set back.
   */
  readonly recentBeside: Instant;
  readonly olderBeside: Instant;
  /** Polls that brought lines, up to the number after which lateness counts as known. */
  readonly pollsSeen: number;
  /** Late lines fall within the window's span, so a shorter window may not show them. */
  readonly isShown: boolean;
};

/** Until this many polls have brought lines, lateness is not known… */
const pollsToLearn = 10;
/** …and one second is assumed: clocks kept by NTP differ by less. */
const latenessAssumed: Instant = 1_000_000_000n;

export const noLateness: Lateness = {ever: 0n, recentBeside: 0n, olderBeside: 0n, pollsSeen: 0, isShown: false};

/** Returns the greatest recent lateness of lines that came together with newer ones. */
export const latenessBesideOf = ({recentBeside, olderBeside}: Lateness): Instant => laterOf(recentBeside, olderBeside);

/** Checks whether enough polls brought lines to know the lateness. */
const isLatenessKnown = ({pollsSeen}: Lateness): boolean => pollsSeen >= pollsToLearn;

/** Returns how far before the newest held line a line that has not arrived yet may be. */
export const marginOf = (lateness: Lateness): Instant =>
  isLatenessKnown(lateness) ? lateness.ever : laterOf(lateness.ever, latenessAssumed);

/** Forgets what was seen long ago. */
export const turnLateness = (lateness: Lateness): Lateness => ({
  ...lateness,
  recentBeside: 0n,
  olderBeside: lateness.recentBeside,
});

/**
 * Updates the lateness from the lines a poll added. A line is late by at most the time the log had advanced past it on
 * arrival. A line older than the whole previous window is not late: the window reaches further back.
 */
export const learnLateness = (
  lateness: Lateness,
  seen: {
    readonly before: ReadWindow | undefined;
    readonly added: Added<LineEntry>;
    readonly newestBefore: Instant | undefined;
    readonly newestNow: Instant | undefined;
    /** Is this a line that the service stamps anew for each window? */
    readonly isBanner: (line: LineEntry) => boolean;
  },
): Lateness => {
  const {before, added, newestBefore, newestNow, isBanner} = seen;
  const oldest = before?.lines.timeAt(0);
  if (added.length === 0 || oldest === undefined || newestBefore === undefined || newestNow === undefined) {
    return lateness;
  }
  const pollsSeen = Math.min(pollsToLearn, lateness.pollsSeen + 1);
  const first = added.find(
    line => line.textIndex !== 0 && line.at >= oldest && line.at >= newestBefore - offMax && !isBanner(line),
  );
  // If stamps have lost decimals, a line may have been later than its stamp.
  const isLate =
    first !== undefined && first.at < newestBefore && first.at + decimalsLost(before, added) < newestBefore;
  const isBeside = isLate && (newestNow > newestBefore || added.some(({at}) => at === newestBefore));
  // A line older than the whole previous window is shown, so this service does not cut by time.
  const showsOlder = (added.at(0)?.at ?? oldest) < oldest;
  return {
    ever: isLate ? laterOf(laterOf(newestNow, newestBefore) - first.at, lateness.ever) : lateness.ever,
    pollsSeen,
    // The oldest one came first: when it did the log had hardly moved on.
    recentBeside: isBeside ? laterOf(newestBefore - first.at, lateness.recentBeside) : lateness.recentBeside,
    olderBeside: lateness.olderBeside,
    isShown: !showsOlder && (lateness.isShown || isBeside),
  };
};
