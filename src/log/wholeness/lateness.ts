import type {LineEntry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import type {ReadWindow} from '../line/window-line.ts';

/** How late lines were seen to be, in nanoseconds: since the last turn, and before it. */
export type Lateness = {
  readonly recent: Instant;
  readonly older: Instant;
  /** Only of lines that came beside newer ones: where none is newer a clock may have been set back. */
  readonly recentBeside: Instant;
  readonly olderBeside: Instant;
  /** Polls that brought lines, up to the number after which lateness counts as known. */
  readonly pollsSeen: number;
  /** Late lines come within the window's span, so that a shorter one may not show them. */
  readonly isShown: boolean;
};

/** Until so many polls brought lines, how late they may be is not known… */
const pollsToLearn = 10;
/** …and a second is assumed: clocks that are kept by NTP differ by less. */
const latenessAssumed: Instant = 1_000_000_000n;

export const noLateness: Lateness = {
  recent: 0n,
  older: 0n,
  recentBeside: 0n,
  olderBeside: 0n,
  pollsSeen: 0,
  isShown: false,
};

/** The greatest lateness seen lately. */
export const latenessOf = ({recent, older}: Lateness): Instant => larger(recent, older);

/** The same, of lines that came beside newer ones. */
export const latenessBesideOf = ({recentBeside, olderBeside}: Lateness): Instant => larger(recentBeside, olderBeside);

const larger = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/** Have enough polls brought lines to know how late they may be? */
export const isLatenessKnown = ({pollsSeen}: Lateness): boolean => pollsSeen >= pollsToLearn;

/** How far before the newest line held a line may lie that is yet to come. */
export const marginOf = (lateness: Lateness): Instant => {
  const seen = latenessOf(lateness);
  return !isLatenessKnown(lateness) && seen < latenessAssumed ? latenessAssumed : seen;
};

/**
 * Learns from the lines that a poll added. A line is late by what the log had moved on to, at the most, when it came. Where it is older
 * than all of the window before, the window reaches further back: that is no lateness.
 */
export const learnLateness = (
  lateness: Lateness,
  {
    before,
    added,
    newestBefore,
    newestNow,
    isBanner,
  }: {
    readonly before: ReadWindow | undefined;
    readonly added: readonly LineEntry[];
    readonly newestBefore: Instant | undefined;
    readonly newestNow: Instant | undefined;
    /** Is this a line that the service stamps anew for each window? */
    readonly isBanner: (line: LineEntry) => boolean;
  },
): Lateness => {
  const oldest = before?.lines[0]?.at;
  if (added.length === 0 || oldest === undefined || newestBefore === undefined || newestNow === undefined) {
    return lateness;
  }
  const pollsSeen = Math.min(pollsToLearn, lateness.pollsSeen + 1);
  const first = added.find(line => line.textIndex !== 0 && line.at >= oldest && !isBanner(line));
  const isLate = first !== undefined && first.at < newestBefore;
  const isBeside = isLate && newestNow > newestBefore;
  const seen = isLate ? larger(newestNow, newestBefore) - first.at : 0n;
  // A line that is older than all of the window before and shown all the same: this service does not cut by time.
  const showsOlder = (added[0]?.at ?? oldest) < oldest;
  return {
    ...lateness,
    pollsSeen,
    recent: larger(seen, lateness.recent),
    // The oldest one came first: when it did the log had hardly moved on.
    recentBeside: isBeside ? larger(newestBefore - first.at, lateness.recentBeside) : lateness.recentBeside,
    isShown: !showsOlder && (lateness.isShown || isBeside),
  };
};
