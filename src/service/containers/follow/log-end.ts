import type {LogReadEnd} from '../log/log-read.ts';

export type LogEndOptions = {
  /** Reads in a row that must end properly and bring nothing more: a single one may have been cut. */
  readonly readsMin: number;
  /** What had ended before the branch was followed is nobody's loss. */
  readonly mayHaveUnread: boolean;
  readonly onUnread: () => void;
  /** None of the log was read. */
  readonly onMissed: () => void;
};

/** Creates the record of what is known of the end of one container's log, should the container be gone. */
export const createLogEnd = (options: LogEndOptions) => {
  const {readsMin} = options;
  let {mayHaveUnread} = options;
  let opens = 0;
  let reads = 0;
  let readsAfterEnd = 0;
  /** Restarts of the last instance that was read to its end. */
  let drainedCount: number | undefined;
  return {
    /** The log was opened: what it holds so far comes. */
    noteOpen: (): void => {
      opens += 1;
    },
    /**
     * A read has ended. `isAtEnd`: in order, with the last line seen and nothing after it. `hasEnded`: when it began,
     * the instance was known to have ended.
     */
    noteRead: (
      end: LogReadEnd,
      {isAtEnd, hasEnded}: {readonly isAtEnd: boolean; readonly hasEnded: boolean},
      restartCount: number,
    ): void => {
      readsAfterEnd = isAtEnd && hasEnded ? readsAfterEnd + 1 : 0;
      mayHaveUnread &&= readsAfterEnd < readsMin;
      drainedCount = readsAfterEnd >= readsMin ? restartCount : drainedCount;
      // A request that was refused says nothing of the log.
      if (end.kind !== 'failed' || end.error.kind !== 'status') {
        reads = isAtEnd ? reads + 1 : 0;
      }
    },
    /** All that an instance wrote that is known to have ended was read. */
    isDrained: (): boolean => readsAfterEnd >= readsMin,
    /** All that the instance before this restart wrote was read. */
    isNextOfDrained: (restartCount: number): boolean => drainedCount !== undefined && restartCount === drainedCount + 1,
    noteInstance: (hasStarted: boolean): void => {
      mayHaveUnread = hasStarted;
      reads = 0;
      readsAfterEnd = 0;
    },
    /** The log was open before it was opened last. */
    wasOpenBefore: (): boolean => opens > 1,
    /** While nothing is being read: there is nothing more, as far as anybody can know. */
    isReached: (): boolean => reads >= readsMin,
    mayHaveUnread: (): boolean => mayHaveUnread,
    /** Tells, once for an instance, that lines may never be read. */
    tell: (): void => {
      if (mayHaveUnread) {
        mayHaveUnread = false;
        (opens > 0 ? options.onUnread : options.onMissed)();
      }
    },
  };
};
