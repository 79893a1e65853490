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

/** What is known of the end of a container's log, should the container be gone. */
export type LogEnd = {
  /** The log was opened: what it holds so far comes. */
  noteOpen(): void;
  /**
   * A read has ended. `isAtEnd`: in order, with the last line seen and nothing after it. `hasEnded`: when it began,
   * the instance was known to have ended.
   */
  noteRead(end: LogReadEnd, read: {readonly isAtEnd: boolean; readonly hasEnded: boolean}, restartCount: number): void;
  /** All that an instance wrote that is known to have ended was read. */
  isDrained(): boolean;
  /** All that the instance before this restart wrote was read. */
  isNextOfDrained(restartCount: number): boolean;
  noteInstance(hasStarted: boolean): void;
  /** The log was open before it was opened last. */
  wasOpenBefore(): boolean;
  /** While nothing is being read: there is nothing more, as far as anybody can know. */
  isReached(): boolean;
  mayHaveUnread(): boolean;
  /** Tells, once for an instance, that lines may never be read. */
  tell(): void;
};

/** Creates the record of one container. */
export const createLogEnd = (options: LogEndOptions): LogEnd => {
  const {readsMin} = options;
  let {mayHaveUnread} = options;
  let opens = 0;
  let reads = 0;
  let readsAfterEnd = 0;
  /** Restarts of the last instance that was read to its end. */
  let drainedCount: number | undefined;
  return {
    noteOpen: () => {
      opens += 1;
    },
    noteRead: (end, {isAtEnd, hasEnded}, restartCount) => {
      readsAfterEnd = isAtEnd && hasEnded ? readsAfterEnd + 1 : 0;
      mayHaveUnread &&= readsAfterEnd < readsMin;
      drainedCount = readsAfterEnd >= readsMin ? restartCount : drainedCount;
      // A request that was refused says nothing of the log.
      if (end.kind !== 'failed' || end.error.kind !== 'status') {
        reads = isAtEnd ? reads + 1 : 0;
      }
    },
    isDrained: () => readsAfterEnd >= readsMin,
    isNextOfDrained: restartCount => drainedCount !== undefined && restartCount === drainedCount + 1,
    noteInstance: hasStarted => {
      mayHaveUnread = hasStarted;
      reads = 0;
      readsAfterEnd = 0;
    },
    wasOpenBefore: () => opens > 1,
    isReached: () => reads >= readsMin,
    mayHaveUnread: () => mayHaveUnread,
    tell: () => {
      if (mayHaveUnread) {
        mayHaveUnread = false;
        (opens > 0 ? options.onUnread : options.onMissed)();
      }
    },
  };
};
