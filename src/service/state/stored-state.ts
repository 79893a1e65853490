import type {HeldPieces} from '../lines/container-line.ts';
import type {Fingerprint} from '../lines/fingerprint.ts';
import type {ClockState} from '../lines/stamp-clock.ts';
import type {StreamStamps} from '../lines/stream-stamps.ts';

/** A log file as it is remembered over restarts. */
export type StoredFile = {
  readonly key: number;
  readonly podKey: number;
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  readonly print: Fingerprint;
  readonly held: HeldPieces;
  readonly stamps: StreamStamps;
  /** False once it was let go: its rest was read, and it is only kept to know it again. */
  readonly isFollowed: boolean;
};

export type StoredBranch = {
  readonly key: number;
  readonly createdAtMs: number;
  /** When the configured record was last another one. */
  readonly updatedAtMs: number;
  readonly clock: ClockState;
  /** Names the numbers of this branch: a state made anew, or a branch that left the configuration, begins another series. */
  readonly series: string;
  /** The highest arrival number given in this branch; 0 where there is none. */
  readonly lastSequence: number;
  /** The highest arrival number whose line is no longer in the window, or never was. */
  readonly dropped: number;
};
