import type {LogJoin} from '../log/log-join.ts';
import type {LogRead} from '../log/log-read.ts';

/**
 * Waits some milliseconds, and until what has come meanwhile was read: where the processor is busy, a timer is due
 * before the bytes that are there are looked at.
 */
export const waitAndRead = (ms: number): Promise<void> =>
  new Promise(resolve => setTimeout(() => setImmediate(resolve), ms));

/** The watch reports a restart within this time, milliseconds. */
const watchLagMsMax = 3_000;
const watchStepMs = 100;

/** Waits until the watch has reported what the log knows already, or should have reported it. */
export const waitForNews = async (isTold: () => boolean, wait: (ms: number) => Promise<void>): Promise<void> => {
  for (let ms = 0; !isTold() && ms < watchLagMsMax; ms += watchStepMs) {
    await wait(watchStepMs);
  }
};

type EndWait = {
  readonly read: LogRead;
  readonly wait: (ms: number) => Promise<void>;
};

/**
 * Creates a wait of some milliseconds that is over early when the read ends. It subscribes to the end once: each
 * `Promise.race` with it would stay in memory for as long as the read goes on.
 */
export const createWaitForEnd = ({read, wait}: EndWait): ((ms: number) => Promise<void>) => {
  let endWait: (() => void) | undefined;
  void read.ended.then(() => endWait?.());
  return ms =>
    new Promise(resolve => {
      endWait = resolve;
      void wait(ms).then(resolve);
    });
};

/** A read that is not proven after this time asks for the previous instance, milliseconds. */
const proofMsMax = 5_000;
/** Unknown lines wait this long for the last line seen, which should stand before them, milliseconds. */
const doubtMs = 200;
const stepMs = 50;

export type AwaitJoinOptions = EndWait & {
  readonly join: LogJoin;
  /** There is a line that may come again. */
  readonly canJoin: boolean;
  /** Much may come before it. */
  readonly isFarBack: boolean;
  readonly monotonicMs: () => number;
};

/** Waits until a read joins, ends, or looks as if it never would: at once where it cannot join by itself. */
export const awaitJoin = async (options: AwaitJoinOptions): Promise<void> => {
  const {read, join, canJoin, isFarBack, monotonicMs, wait} = options;
  let sentMs: number | undefined;
  let heldMs: number | undefined;
  const waitForEnd = createWaitForEnd({read, wait});
  while (!join.isJoined() && !read.isEnded() && !join.isOverfull() && (canJoin || !read.isOpen())) {
    const atMs = monotonicMs();
    sentMs ??= read.isSent() ? atMs : undefined;
    heldMs ??= join.heldCount() > 0 ? atMs : undefined;
    if (
      (sentMs !== undefined && atMs - sentMs >= proofMsMax) ||
      (heldMs !== undefined && !isFarBack && atMs - heldMs >= doubtMs)
    ) {
      return;
    }
    await waitForEnd(stepMs);
  }
};

/** A kubelet may say nothing of an empty log: a read that has not been answered after this time is in, milliseconds. */
const silentMsMax = 2_000;

type FirstWaitOptions = {
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
  /** Called when it looks as if it were in. Resolves to whether it is: whether nothing of it waits for a proof. */
  readonly settle: () => Promise<boolean>;
};

/** Creates the wait of one container for what there is of its log when it is first read. */
export const createFirstWait = (options: FirstWaitOptions) => {
  const {promise: isOver, resolve: end} = Promise.withResolvers<void>();
  let isIn = false;
  return {
    /** Resolves when what there is has come, or will not come soon. */
    isOver,
    /** The first read is complete. */
    isIn: (): boolean => isIn,
    /** Follows a read, unless an earlier one has brought what there is. */
    follow: async (awaited: AwaitedRead): Promise<void> => {
      if (isIn) {
        return;
      }
      await awaitFirst(awaited, options, end);
      if (!options.isInDoubt() && (await awaited.settle())) {
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
  // Thousands of reads may wait in the queue at a time: they are told when to go on, and don't ask.
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
