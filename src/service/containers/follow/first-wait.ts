import type {LogRead} from '../log/log-read.ts';
import {createWaitForEnd} from './wait-for-end.ts';

/** A kubelet may say nothing of an empty log: a read that has not been answered after this time is in, milliseconds. */
const silentMsMax = 2_000;

export type FirstWaitOptions = {
  /** It is in when nothing more comes for this long, milliseconds. */
  readonly quietMs: number;
  /** The longest wait for one read, milliseconds. */
  readonly msMax: number;
  readonly monotonicMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** A read failed, and the next one may bring what there is. */
  readonly isInDoubt: () => boolean;
};

/** A read that may be the first one, and what it has brought so far. */
export type AwaitedRead = {
  readonly read: LogRead;
  /** When the read was opened or brought something last. */
  readonly activeMs: () => number;
  /** The newest line was written after the read began. */
  readonly isCaughtUp: () => boolean;
  /** Called when it is in. */
  readonly settle: () => Promise<void>;
};

/** Creates the wait of one container for what there is of its log when it is first read. */
export const createFirstWait = (options: FirstWaitOptions) => {
  const {promise: isOver, resolve: end} = Promise.withResolvers<void>();
  let isIn = false;
  return {
    /** Resolves when what there is has come, or will not come soon. */
    isOver,
    /** What there is has come. */
    isIn: (): boolean => isIn,
    /** Follows a read, unless an earlier one has brought what there is. */
    follow: async (awaited: AwaitedRead): Promise<void> => {
      if (isIn) {
        return;
      }
      await awaitFirst(awaited, options, end);
      if (!options.isInDoubt()) {
        await awaited.settle();
        isIn = true;
        end();
      }
    },
    end,
  };
};

/**
 * Waits until a first read has brought what there is, or has ended. One that has brought nothing may be of an empty
 * log, and others need not wait for it: then `onSilent` is called, and the wait goes on.
 */
const awaitFirst = async (
  {read, activeMs, isCaughtUp}: AwaitedRead,
  {msMax, quietMs, monotonicMs, wait}: FirstWaitOptions,
  onSilent: () => void,
): Promise<void> => {
  const startedMs = monotonicMs();
  const leftMs = (): number => msMax - (monotonicMs() - startedMs);
  const quietLeftMs = (): number => quietMs - (monotonicMs() - activeMs());
  const waitForEnd = createWaitForEnd({read, wait});
  let silentMs = 0;
  // Thousands of reads may wait in the queue at a time: they are told, and don't look.
  while (!read.isOpen() && !read.isEnded() && leftMs() > 0 && silentMs < silentMsMax) {
    const isSent = read.isSent();
    const waitMs = Math.min(silentMsMax, leftMs());
    await Promise.race([read.opened, waitForEnd(waitMs)]);
    silentMs += isSent ? waitMs : 0;
  }
  const isSilent = !read.isOpen() && !read.isEnded();
  if (isSilent) {
    onSilent();
    await Promise.race([read.opened, read.ended]);
  }
  while (read.isOpen() && !isCaughtUp() && (isSilent || leftMs() > 0) && quietLeftMs() > 0) {
    await waitForEnd(Math.max(1, quietLeftMs()));
  }
};
