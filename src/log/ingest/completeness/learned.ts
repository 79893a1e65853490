import {createWeakCache} from '#log/buffer/weak-cache.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {type Instant, laterOf} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {WindowLines} from '#log/window/window-lines.ts';
import {finishWork, linesPerPause, type Work} from '#log/work.ts';
import {type Added, timesIn} from '../added.ts';
import {offMax} from './believe.ts';
import {type Extent, extentOf, largerExtent, noExtent} from './share.ts';

/** Steps of the clocks that produce timestamps, in nanoseconds; each divides the one before. */
const ticks: readonly Instant[] = [1_000_000_000n, 1_000_000n, 1_000n, 1n];

const known = createWeakCache<Added<LineEntry> | WindowLines, Instant>();

/** Finds the step of the clock in these lines: the largest one that divides all times. */
function* findTick(lines: Added<LineEntry> | WindowLines): Work<Instant> {
  let [step, count] = [0, 0];
  for (const at of 'stampedTimes' in lines ? lines.stampedTimes() : timesIn(lines)) {
    while (at % (ticks[step] ?? 1n) !== 0n) {
      step += 1;
    }
    if (step === ticks.length - 1) {
      break;
    }
    count += 1;
    if (count % linesPerPause === 0) {
      yield;
    }
  }
  const tick = ticks[step] ?? 1n;
  known.set(lines, tick);
  return tick;
}

const tickOf = (lines: Added<LineEntry> | WindowLines): Instant => known.get(lines) ?? finishWork(findTick(lines));

/** From this many lines on, a key would notice that their step is found in one go. */
const manyLines = 16_384;

/** Finds the steps of the clock in long windows ahead of those who ask for them. */
export function* learnTicks({lines}: ReadWindow, added: Added<LineEntry>): Work<void> {
  for (const each of [lines, added]) {
    if (each.length >= manyLines) {
      yield* findTick(each);
    }
  }
}

/** Returns the step of the clock in a window. */
export const tickIn = ({lines}: ReadWindow): Instant => tickOf(lines);

/** Returns what the stamps of new lines leave out, if they are coarser than those before. */
export const decimalsLost = (before: ReadWindow | undefined, added: Added<LineEntry>): Instant => {
  const tick = before === undefined ? 1n : tickOf(added);
  return before !== undefined && tick > 1n && tick > tickIn(before) ? tick - 1n : 0n;
};

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
 * arrival. A line older than the whole previous window is not late where lines have left: that window did not reach so
 * far back.
 */
export const learnLateness = (
  lateness: Lateness,
  seen: {
    readonly before: ReadWindow | undefined;
    readonly added: Added<LineEntry>;
    readonly newestBefore: Instant | undefined;
    readonly newestNow: Instant | undefined;
    /** A line has left a window. */
    readonly sawLeave: boolean;
    /** Is this a line that the service stamps again for each window? */
    readonly isBanner: (line: LineEntry) => boolean;
  },
): Lateness => {
  const {before, added, newestBefore, newestNow, sawLeave, isBanner} = seen;
  const oldest = before?.lines.timeAt(0);
  if (added.length === 0 || oldest === undefined || newestBefore === undefined || newestNow === undefined) {
    return lateness;
  }
  const pollsSeen = Math.min(pollsToLearn, lateness.pollsSeen + 1);
  const first = added.find(
    line =>
      line.textIndex !== 0 && (!sawLeave || line.at >= oldest) && line.at >= newestBefore - offMax && !isBanner(line),
  );
  // If stamps have lost decimals, a line may have been later than its stamp.
  const isLate =
    first !== undefined && first.at < newestBefore && first.at + decimalsLost(before, added) < newestBefore;
  const isBeside = isLate && (newestNow > newestBefore || added.some(({at}) => at === newestBefore));
  // A line older than the whole previous window is shown, so this service does not cut by time.
  const showsOlder = sawLeave && (added.at(0)?.at ?? oldest) < oldest;
  return {
    ever: isLate ? laterOf(laterOf(newestNow, newestBefore) - first.at, lateness.ever) : lateness.ever,
    pollsSeen,
    // The oldest one came first: when it did the log had hardly moved on.
    recentBeside: isBeside ? laterOf(newestBefore - first.at, lateness.recentBeside) : lateness.recentBeside,
    olderBeside: lateness.olderBeside,
    isShown: !showsOlder && (lateness.isShown || isBeside),
  };
};

/** The facts learned about a service from the polls of its log. */
export type Learned = {
  /** A line left out of turn, and nothing else explains it: each source is cut on its own. */
  readonly sawHole: boolean;
  /** New lines stood ahead of others that are as old or older: sources are listed one after another. */
  readonly sawMixed: boolean;
  /** A line left a window: windows are bounded. */
  readonly sawLeave: boolean;
  /** Number of lines that stayed at the front the last time lines after them left. */
  readonly bannerLines: number;
  /** The largest windows seen with the pods of today, since the last turn and before it. */
  readonly capacity: {
    readonly recent: Extent;
    readonly older: Extent;
    readonly podCount: number;
    /** The longest time that a window has spanned: so old lines may become. */
    readonly span: Instant;
  };
  /** How many polls in a row pushed as many lines out as came, although those were longer or shorter. */
  readonly evenPolls: number;
  /** How many new lines a poll brought of late, halved with each poll. */
  readonly cameLately: number;
  readonly lateness: Lateness;
  readonly pollsSinceTurn: number;
};

/** Learned facts are forgotten after one to two times this many polls, so that a service may change its behaviour. */
const pollsPerTurn = 50;
/** This many polls in a row like that are no coincidence: windows are cut by lines. */
const evenPollsMin = 4;

export const learnedNothing: Learned = {
  sawHole: false,
  sawMixed: false,
  sawLeave: false,
  bannerLines: 0,
  capacity: {recent: noExtent, older: noExtent, podCount: 0, span: 0n},
  evenPolls: 0,
  cameLately: 0,
  lateness: noLateness,
  pollsSinceTurn: 0,
};

/** The evidence of a window about its service. */
export type SeenWindow = {
  readonly before: ReadWindow | undefined;
  readonly now: ReadWindow;
  readonly extent: Extent;
  readonly podCount: number;
  readonly leftCount: number;
  readonly cameCount: number;
  readonly bannerLines: number;
  readonly hasHole: boolean;
  readonly isMixed: boolean;
  /** From its oldest line to its newest, nanoseconds. */
  readonly span: Instant;
  /** How old the youngest line was that left, by the stamps; undefined if none did. */
  readonly youngestLeft: Instant | undefined;
};

/** Learns from a window how much windows hold and how they are cut. */
export const learnFromWindow = (learned: Learned, seen: SeenWindow): Learned => {
  const {extent, podCount, leftCount, cameCount} = seen;
  const {capacity} = learned;
  // A line that left younger than lines may become, or than others are, was pushed out: then this window is as full as
  // they get today.
  const isFull =
    cameCount > 0 && (seen.hasHole || (seen.youngestLeft !== undefined && seen.youngestLeft < capacity.span));
  const isOther = podCount !== capacity.podCount || isFull;
  const span = seen.span > capacity.span ? seen.span : capacity.span;
  const charactersBefore = seen.before === undefined ? 0 : extentOf(seen.before).characters;
  const isOtherSize = Math.abs(extent.characters - charactersBefore) * 20 > charactersBefore;
  const isEven = seen.before?.received.length === seen.now.received.length;
  // As many lines, whose sizes are alike, show nothing.
  const showsCount = leftCount > 0 && cameCount > 0 && !(isEven && !isOtherSize);
  return {
    ...learned,
    sawHole: learned.sawHole || seen.hasHole,
    sawMixed: learned.sawMixed || seen.isMixed,
    sawLeave: learned.sawLeave || leftCount > 0,
    bannerLines: seen.bannerLines,
    capacity: isOther
      ? {recent: extent, older: noExtent, podCount, span}
      : {...capacity, recent: largerExtent(capacity.recent, extent), span},
    evenPolls: showsCount ? (isEven ? learned.evenPolls + 1 : 0) : learned.evenPolls,
    // The lines of the first window were there before.
    cameLately: Math.max(seen.before === undefined ? 0 : cameCount, Math.floor(learned.cameLately / 2)),
  };
};

/** Returns the largest extent that windows have had recently. */
export const mostOf = ({capacity}: Learned): Extent => largerExtent(capacity.recent, capacity.older);

/** Checks whether windows were seen to be cut by lines and not by bytes. */
export const isCutByLines = ({evenPolls}: Learned): boolean => evenPolls >= evenPollsMin;

/** Forgets what was learned long ago. */
export const turnLearned = (learned: Learned): Learned =>
  learned.pollsSinceTurn + 1 < pollsPerTurn
    ? {...learned, pollsSinceTurn: learned.pollsSinceTurn + 1}
    : {
        ...learned,
        capacity: {...learned.capacity, recent: noExtent, older: learned.capacity.recent},
        lateness: turnLateness(learned.lateness),
        pollsSinceTurn: 0,
      };
