import type {LogJoin} from '../log/log-join.ts';
import type {LogRead} from '../log/log-read.ts';
import {createWaitForEnd} from './wait-for-end.ts';

/** A read that is not proven after this time asks for the previous instance, milliseconds. */
const proofMsMax = 5_000;
/** Unknown lines wait this long for the last line seen, which should stand before them, milliseconds. */
const doubtMs = 200;
const stepMs = 50;

export type AwaitJoinOptions = {
  readonly read: LogRead;
  readonly join: LogJoin;
  /** There is a line that may come again. */
  readonly canJoin: boolean;
  readonly monotonicMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

/** Waits until a read joins, ends, or looks as if it never would: at once where it cannot join by itself. */
export const awaitJoin = async ({read, join, canJoin, monotonicMs, wait}: AwaitJoinOptions): Promise<void> => {
  let sentMs: number | undefined;
  let heldMs: number | undefined;
  const waitForEnd = createWaitForEnd({read, wait});
  while (!join.isJoined() && !read.isEnded() && !join.isOverfull() && (canJoin || !read.isOpen())) {
    const atMs = monotonicMs();
    sentMs ??= read.isSent() ? atMs : undefined;
    heldMs ??= join.heldCount() > 0 ? atMs : undefined;
    if ((sentMs !== undefined && atMs - sentMs >= proofMsMax) || (heldMs !== undefined && atMs - heldMs >= doubtMs)) {
      return;
    }
    await waitForEnd(stepMs);
  }
};
