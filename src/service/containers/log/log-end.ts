import type {LogReadEnd} from './log-read.ts';

/** The end of one container's log, as far as it is known, should the container be gone. */
export type LogEnd = {
  /** Reads in a row that must end properly and bring nothing more: a single one may have been cut. */
  readonly readsMin: number;
  /** A container that ended before the branch was followed is nobody's loss. */
  readonly mayHaveUnread: boolean;
  /** The branch was followed before this container came. */
  readonly isLate: boolean;
  /** How often the log was opened. If it was empty, it was so when it was opened before. */
  readonly opens: number;
  readonly reads: number;
  readonly readsAfterEnd: number;
  /** Restarts of the last instance that was read to its end. */
  readonly drainedCount: number | undefined;
  /** When the last read ended, monotonic milliseconds, if it did so in order and had all lines before. */
  readonly endedMs: number | undefined;
};

export const unopenedLog = (options: Pick<LogEnd, 'readsMin' | 'mayHaveUnread' | 'isLate'>): LogEnd => ({
  ...options,
  opens: 0,
  reads: 0,
  readsAfterEnd: 0,
  drainedCount: undefined,
  endedMs: undefined,
});

/**
 * The next read begins this soon after one that ended in order, milliseconds. Its node was there all the time: had the
 * stream been cut in that moment, and not ended because its container had, the log would still be there.
 */
const endedMsMax = 1_000;

/** Checks whether a read that began then came right after one that ended in order. */
export const hasJustEnded = ({endedMs}: LogEnd, beganMs: number): boolean =>
  endedMs !== undefined && beganMs - endedMs <= endedMsMax;

/** Notes that all was read that an instance wrote. `isNewest`: the watch has reported no later one. */
export const noteDrained = (log: LogEnd, restartCount: number, isNewest: boolean): LogEnd => ({
  ...log,
  ...(isNewest && {reads: log.readsMin, readsAfterEnd: log.readsMin, mayHaveUnread: false}),
  drainedCount: restartCount,
});

type EndedRead = {
  /** It ended in order, with the last line seen and nothing after it. */
  readonly isAtEnd: boolean;
  /** When it began, the instance was known to have ended. */
  readonly hasEnded: boolean;
  readonly restartCount: number;
};

/** Notes the end of a read. */
export const noteReadEnd = (log: LogEnd, end: LogReadEnd, {isAtEnd, hasEnded, restartCount}: EndedRead): LogEnd => {
  const readsAfterEnd = isAtEnd && hasEnded ? log.readsAfterEnd + 1 : 0;
  const isDrained = readsAfterEnd >= log.readsMin;
  // A request that was refused says nothing of the log.
  const isRefused = end.kind === 'failed' && end.error.kind === 'status';
  return {
    ...log,
    readsAfterEnd,
    mayHaveUnread: log.mayHaveUnread && !isDrained,
    drainedCount: isDrained ? restartCount : log.drainedCount,
    reads: isRefused ? log.reads : isAtEnd ? log.reads + 1 : 0,
  };
};

/** Notes that the log is that of another instance now. */
export const noteInstance = (log: LogEnd, hasStarted: boolean): LogEnd => ({
  ...log,
  mayHaveUnread: hasStarted,
  reads: 0,
  readsAfterEnd: 0,
});

/** Checks whether all was read that an instance wrote that is known to have ended. */
export const isDrained = ({readsAfterEnd, readsMin}: LogEnd): boolean => readsAfterEnd >= readsMin;

/** Checks, while nothing is being read, whether there is nothing more, as far as anybody can know. */
export const isReached = ({reads, readsMin}: LogEnd): boolean => reads >= readsMin;
