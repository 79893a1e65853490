import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {HeldStamps} from '../ingest/window/restamp.ts';

/** What is held of a branch's log, as far as the next window is read by it. */
export type HeldSoFar = {
  readonly buffer: LineBuffer;
  /** The last windows that were not empty, newest first: lagging replicas may show their lines again. */
  readonly recent: readonly ReadWindow[];
  /** The window before those that brought nothing and lacked lines of it: they may have been older ones. */
  readonly maybeNewer: ReadWindow | undefined;
  /** The service lists the newest lines first. */
  readonly isReversed: boolean;
  readonly heldStamps: HeldStamps;
  /** What lines became that were read while they were being written, by the piece: an older answer shows it again. */
  readonly pieces: ReadonlyMap<string, string>;
};
