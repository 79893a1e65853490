import {ApiError} from '#api/client/api-error.ts';
import type {Poll, PollOptions} from '#app/tail/tail.ts';
import type {Clock} from '#cli/io/io.ts';
import {intervalMsMin} from '#log/ingest/pace.ts';
import type {BranchPrinter, PrintVerdict} from '../print/branch-printer.ts';
import {createRequestTurns, type PrintedBranch, pollBranch} from './poll-branch.ts';

type FollowOptions = Pick<PollOptions, 'timesOf' | 'random'> & {
  readonly branch: PrintedBranch;
  /** Awaited before each poll, if other branches are polled too. */
  readonly waitForTurn?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Called with the outcome of each poll; the next one waits until this resolves. */
  polled(poll: Poll): Promise<PrintVerdict>;
  /** Starts to look for a new token, each second, while the service refuses the old one. */
  readonly watchToken?: (() => () => Promise<boolean>) | undefined;
  readonly clock: Clock;
  /**
   * When to stop, on the monotonic clock. One last poll is made then, so that nothing before the deadline is missing.
   */
  readonly deadlineMs: number | undefined;
  /** When aborted, ends the loop, between polls or during one. */
  readonly signal: AbortSignal;
};

/**
 * Polls one branch's log until stopped, with one request at a time. Throws the `ApiError` of the first poll; after one
 * successful poll, errors are outcomes and never end it. Resolves when `polled` returns `stop`, or after the last poll
 * at the deadline. Rejects with the signal's reason.
 */
export const followLog = async (options: FollowOptions): Promise<void> => {
  const {branch, clock, signal, timesOf, random, deadlineMs = Number.POSITIVE_INFINITY} = options;
  let {tail} = branch;
  for (;;) {
    await options.waitForTurn?.(signal);
    const isLast = clock.monotonicMs() >= deadlineMs;
    const poll = await pollBranch(branch, tail, {nowMs: clock.monotonicMs, random, timesOf, signal});
    tail = poll.tail;
    if ((await options.polled(poll)) === 'stop' || isLast) {
      return;
    }
    const wakeAtMs = Math.min(poll.nextPollAtMs, deadlineMs);
    const {result} = poll;
    const isSignedOut = result instanceof ApiError && (result.kind === 'unauthorised' || result.kind === 'token');
    const hasNewToken = isSignedOut ? options.watchToken?.() : undefined;
    do {
      const leftMs = Math.max(0, wakeAtMs - clock.monotonicMs());
      await clock.sleep(hasNewToken === undefined ? leftMs : Math.min(leftMs, tokenCheckMs), signal);
    } while (clock.monotonicMs() < wakeAtMs && hasNewToken !== undefined && !(await hasNewToken()));
  }
};

/** While signed out, the token file is checked this often, in milliseconds. */
const tokenCheckMs = 1000;

type FollowBranchesOptions = Pick<
  FollowOptions,
  'timesOf' | 'watchToken' | 'clock' | 'deadlineMs' | 'random' | 'signal'
> & {
  readonly branches: readonly PrintedBranch[];
  readonly printer: BranchPrinter;
};

/**
 * Follows branches in parallel, each with its own engine, pace and at most one request at a time; requests of several
 * branches are spread out. Ends when the printer says stop or after the deadline. If the first poll of any branch
 * fails, rejects with its `ApiError`. Leaves held lines to the caller, to print or to drop.
 */
export const followBranches = async (options: FollowBranchesOptions): Promise<void> => {
  const {branches, printer, timesOf, clock} = options;
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
      for (let dueMs = printer.nextExpiryMs(); dueMs !== undefined; dueMs = printer.nextExpiryMs()) {
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
  const follow = async (branch: PrintedBranch, index: number): Promise<void> => {
    try {
      let isStopped = false;
      const polled = async (poll: Poll): Promise<PrintVerdict> => {
        const printed = printer.polled(index, poll);
        zeroMs = timesOf ? clock.monotonicMs() - poll.times.cameMs : 0;
        expireInTime().catch(finish);
        isStopped = (await printed) === 'stop';
        return printed;
      };
      await followLog({...options, branch, waitForTurn, polled, signal});
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
