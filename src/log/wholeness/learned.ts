import type {Instant} from '../line/instant.ts';
import type {ReadWindow} from '../line/window-line.ts';
import {type Lateness, noLateness} from './lateness.ts';
import {type Capacity, capacityOf, largerCapacity, noCapacity} from './share.ts';

/** What the polls of a log have taught about its service. */
export type Learned = {
  /**
   * A line left although it came after one that stayed, and nothing else explains it: each source is cut on its own.
   */
  readonly sawHole: boolean;
  /** A line left a window: windows are bounded. */
  readonly sawLeave: boolean;
  /** Number of lines that stayed at the front the last time lines after them left. */
  readonly bannerLines: number;
  /** The largest windows seen since the last turn and before it. */
  readonly capacity: {readonly recent: Capacity; readonly older: Capacity};
  readonly lateness: Lateness;
  readonly pollsSinceTurn: number;
};

/** What was learned is forgotten after one to two times this many polls, so that a service may change its behaviour. */
const pollsPerTurn = 50;

export const learnedNothing: Learned = {
  sawHole: false,
  sawLeave: false,
  bannerLines: 0,
  capacity: {recent: noCapacity, older: noCapacity},
  lateness: noLateness,
  pollsSinceTurn: 0,
};

/** Learns from a window how much windows hold and how they are cut. */
export const learnFromWindow = (
  learned: Learned,
  seen: {
    readonly now: ReadWindow;
    readonly podCount: number;
    readonly believedThrough: Instant | undefined;
    readonly didLeave: boolean;
    readonly bannerLines: number;
    readonly hasHole: boolean;
  },
): Learned => ({
  ...learned,
  sawHole: learned.sawHole || seen.hasHole,
  sawLeave: learned.sawLeave || seen.didLeave,
  bannerLines: seen.bannerLines,
  capacity: {
    ...learned.capacity,
    recent: largerCapacity(learned.capacity.recent, capacityOf(seen.now, seen.podCount, seen.believedThrough)),
  },
});

/** Returns the largest extents that windows have had recently. */
export const mostOf = ({capacity}: Learned): Capacity => largerCapacity(capacity.recent, capacity.older);

/** Forgets what was learned long ago. */
export const turnLearned = (learned: Learned): Learned =>
  learned.pollsSinceTurn + 1 < pollsPerTurn
    ? {...learned, pollsSinceTurn: learned.pollsSinceTurn + 1}
    : {
        ...learned,
        capacity: {recent: noCapacity, older: learned.capacity.recent},
        lateness: {
          ...learned.lateness,
          recent: 0n,
          older: learned.lateness.recent,
          recentBeside: 0n,
          olderBeside: learned.lateness.recentBeside,
        },
        pollsSinceTurn: 0,
      };
