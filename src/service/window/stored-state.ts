import type {ClockState} from '../lines/stamp-clock.ts';
import type {StreamStamps} from '../lines/stream-stamps.ts';
import type {HeldPieces} from './container-line.ts';
import type {Fingerprint} from './fingerprint.ts';
import type {KeptLoss} from './window-losses.ts';

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
