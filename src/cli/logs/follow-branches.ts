import type {Answer} from '../../api/answer.ts';
import {ApiError} from '../../api/api-error.ts';
import type {LogAnswer} from '../../api/decode/log-window.ts';
import type {AnswerTimes} from '../../api/recording/recording-format.ts';
import type {Tail} from '../../app/tail/tail.ts';
import type {ReadUpTo} from '../../log/line/numbering.ts';
import {intervalMsMin} from '../../log/merge/pace.ts';
import type {Clock} from '../io/io.ts';
import type {BranchPrinter} from '../print/branch-printer.ts';
import {followLog} from './follow.ts';
import {createRequestTurns} from './request-turns.ts';

/** One of the followed branches. */
export type FollowedBranch = {
  readonly tail: Tail;
  /** Prefix of an error that ends it; undefined if there is only one branch. */
  readonly name: string | undefined;
  fetchLog(signal: AbortSignal, after?: ReadUpTo): Promise<Answer<LogAnswer>>;
};

export type FollowBranchesOptions = {
  readonly branches: readonly FollowedBranch[];
  readonly printer: BranchPrinter;
  /** Undefined if the times are those of the clock. */
  readonly timesOf: ((result: Answer<LogAnswer> | ApiError) => AnswerTimes | undefined) | undefined;
  /** See `FollowOptions`. */
  readonly watchToken?: (() => () => Promise<boolean>) | undefined;
  readonly clock: Clock;
  /** On the monotonic clock. Each branch is polled one last time then. */
  readonly deadlineMs: number | undefined;
  random(): number;
  readonly signal: AbortSignal;
};

/**
 * Follows branches in parallel, each with its own engine, pace and at most one request at a time; requests of several
 * branches are spread out. Ends when the printer says stop or after the deadline. If the first poll of any branch
 * fails, rejects with its `ApiError`. Leaves held lines to the caller, to print or to drop.
 */
export const followBranches = async (options: FollowBranchesOptions): Promise<void> => {
  const {branches, printer, timesOf, watchToken, clock, deadlineMs, random} = options;
  const finished = new AbortController();
  const signal = AbortSignal.any([options.signal, finished.signal]);
  const isSeveral = branches.length > 1;
  const waitForTurn = isSeveral ? createRequestTurns(clock, intervalMsMin / branches.length) : undefined;
  let failure: {readonly error: unknown} | undefined;
  const finish = (error?: unknown): void => {
    if (!finished.signal.aborted) {
      failure = error === undefined ? undefined : {error};
      finished.abort();
    }
  };

  // The times of answers may have another zero than the clock, as in a recording.
  let zeroMs = 0;
  let isWaiting = false;
  const expireInTime = async (): Promise<void> => {
    if (isWaiting || !isSeveral) {
      return;
    }
    isWaiting = true;
    try {
      for (let dueMs = printer.nextExpiryMs; dueMs !== undefined; dueMs = printer.nextExpiryMs) {
        const waitMs = dueMs - (clock.monotonicMs() - zeroMs);
        if (waitMs > 0) {
          await clock.sleep(Math.ceil(waitMs), signal);
        } else if ((await printer.expire(clock.monotonicMs() - zeroMs)) === 'stop') {
          finish();
          return;
        }
      }
    } finally {
      isWaiting = false;
    }
  };
  const afterPoll = async (verdict: Promise<'goOn' | 'stop'>, {cameMs}: AnswerTimes): Promise<'goOn' | 'stop'> => {
    zeroMs = timesOf ? clock.monotonicMs() - cameMs : 0;
    expireInTime().catch(finish);
    return verdict;
  };

  const follow = async ({tail, name, fetchLog}: FollowedBranch, index: number): Promise<void> => {
    try {
      let hasStarted = false;
      let isStopped = false;
      const heed = async (verdict: Promise<'goOn' | 'stop'>, times: AnswerTimes) => {
        const heeded = await afterPoll(verdict, times);
        isStopped ||= heeded === 'stop';
        return heeded;
      };
      await followLog({
        tail,
        fetchLog: async (fetchSignal, after) => {
          try {
            return await fetchLog(fetchSignal, after);
          } catch (error) {
            throw hasStarted ? error : nameError(error, name);
          }
        },
        waitForTurn,
        timesOf,
        watchToken,
        windowCame: (step, answer, times) => {
          hasStarted = true;
          return heed(printer.windowCame(index, step, answer, times), times);
        },
        pollFailed: error => printer.pollFailed(index, error),
        afterFailure: times => heed(printer.afterFailure(index, times), times),
        clock,
        deadlineMs,
        random,
        signal,
      });
      printer.branchEnded(index);
      if (isStopped) {
        finish();
      }
    } catch (error) {
      finish(error);
    }
  };

  await Promise.all(branches.map(follow));
  finish();
  if (failure) {
    throw failure.error;
  }
};

/** With several branches, an error must name its branch. */
export const nameError = (error: unknown, name: string | undefined): unknown =>
  name !== undefined && error instanceof ApiError && error.kind !== 'cancelled'
    ? new ApiError(error.kind, `${name}: ${error.message}`, {
        status: error.status,
        retryAfterMs: error.retryAfterMs,
        cause: error,
      })
    : error;
