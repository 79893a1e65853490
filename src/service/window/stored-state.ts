import type {Instant} from '#log/line/instant.ts';
import type {HeldPieces} from './container-line.ts';
import type {Fingerprint} from './fingerprint.ts';
import type {KeptLoss} from './window-losses.ts';

/** Times up to this far ahead of the clock are accepted: the clocks of two synchronised machines differ by less. */
export const aheadNsMax = 2_000_000_000n;

/** The clock state that must survive restarts. */
export type ClockState = {
  /** The last stamp given. */
  readonly last: Instant;
  /** The highest stamp ever given: above `last` only if the machine's clock was set back. */
  readonly highest: Instant;
};

type StampWanted = {readonly now: Instant; readonly after: Instant | undefined; readonly sequence: number};

/** A millisecond clock leaves six digits. */
const nanosPerMilli = 1_000_000;

/** Gives lines the instant at which they were read. */
export const createStampClock = ({last: lastGiven, highest: highestGiven}: ClockState) => {
  let last = lastGiven;
  let highest = highestGiven;
  return {
    /**
     * Returns a stamp later than all previous ones and later than `after`: a nanosecond later if the machine's clock
     * has not advanced. Stamps more than `aheadNsMax` ahead of `now` came from a wrong clock: the next ones go back
     * with the clock.
     */
    next: ({now, after, sequence}: StampWanted): Instant => {
      const limit = now + aheadNsMax;
      // Times that recur get digits of their own: with an old stamp, a repeated text would be an old line.
      const isRepeated = now <= highest && (last > limit || last < highest);
      let stamp = isRepeated ? now + BigInt(sequence % nanosPerMilli) : now;
      for (const before of [last, after]) {
        if (before !== undefined && before <= limit && stamp <= before) {
          stamp = before + 1n;
        }
      }
      last = stamp;
      highest = stamp > highest ? stamp : highest;
      return stamp;
    },
    state: (): ClockState => ({last, highest}),
  };
};

/** The form of a stream's lines: written by a container runtime, each with a timestamp and a stream, or any text. */
export type LineFormat = 'container' | 'plain';

/** The stamps of a stream so far. Those of a file are part of the state and survive a restart. */
export type StreamStamps = {
  /** Undefined until the first lines determine it. */
  readonly format: LineFormat | undefined;
  /** The stamp of the last line read; undefined if none was read. */
  readonly last: Instant | undefined;
  /** The last line read kept its own time as its stamp, and the end of the stream has not been reached since. */
  readonly isBacklog: boolean;
};

/** Nothing read yet. */
export const emptyStreamStamps: StreamStamps = {format: undefined, last: undefined, isBacklog: false};

/** A log file as stored across restarts. */
export type StoredFile = {
  readonly key: number;
  readonly podKey: number;
  /** The configured name it was first found under. It remains the name of the log when the file is renamed. */
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  readonly print: Fingerprint;
  readonly held: HeldPieces;
  readonly stamps: StreamStamps;
  /** False after its release: it was read to its end, and is kept only to recognise it. */
  readonly isFollowed: boolean;
};

/** How far a pod's journal was read, or what of a command's output was served in parts. */
export type StoredCursor = {readonly podKey: number; readonly cursor: string};

export type StoredBranch = {
  readonly key: number;
  readonly createdAtMs: number;
  /** When the configured record last changed. */
  readonly updatedAtMs: number;
  readonly clock: ClockState;
  /**
   * Names the numbering of this branch: a new state, a branch that left the configuration, or a time in which the state
   * could not be written begins another series.
   */
  readonly series: string;
  /** The highest arrival number given in this branch; 0 if there is none. */
  readonly lastSequence: number;
  /** The highest arrival number whose line has left the window, or never was in it. */
  readonly dropped: number;
  /** All losses noted in this branch, those that have left included. */
  readonly lossCount: number;
  readonly losses: readonly KeptLoss[];
};
