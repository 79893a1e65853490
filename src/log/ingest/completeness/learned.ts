import type {Instant} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {type Lateness, noLateness, turnLateness} from '../../wholeness/lateness.ts';
import {type Extent, extentOf, largerExtent, noExtent} from './share.ts';

/** What the polls of a log have taught about its service. */
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

/** What was learned is forgotten after one to two times this many polls, so that a service may change its behaviour. */
const pollsPerTurn = 50;
/** So many polls in a row like that are no coincidence: windows are cut by lines. */
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

/** What a window shows of its service. */
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
