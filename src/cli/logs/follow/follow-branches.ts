import type {Poll} from '#app/tail/poll-tail.ts';
import {intervalMsMin} from '#log/ingest/pace.ts';
import {type FollowOptions, followLog} from '../follow.ts';
import type {BranchPrinter, PrintVerdict} from '../print/branch-printer.ts';
import {createRequestTurns} from '../request-turns.ts';
import type {PrintedBranch} from './poll-branch.ts';

export type FollowBranchesOptions = Pick<
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
