import type {Instant} from '../../log/instant.ts';
import type {HeldPieces} from './container-line.ts';
import type {Fingerprint} from './fingerprint.ts';

/** A log file as it is remembered over restarts. */
export type StoredFile = {
  readonly key: number;
  readonly podKey: number;
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  readonly print: Fingerprint;
  readonly held: HeldPieces;
  /** False once it was let go: its rest was read, and it is only kept to know it again. */
  readonly isFollowed: boolean;
};

export type StoredBranch = {
  readonly key: number;
  readonly createdAtMs: number;
  /** When the configured record was last another one. */
  readonly updatedAtMs: number;
  readonly lastStamp: Instant;
};
