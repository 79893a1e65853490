import {ApiError} from '#api/client/api-error.ts';
import type {Poll, PollOptions} from '#app/tail/poll-tail.ts';
import type {Clock} from '#cli/io/io.ts';
import {type PrintedBranch, pollBranch} from './follow/poll-branch.ts';
import type {PrintVerdict} from './print/branch-printer.ts';

export type FollowOptions = Pick<PollOptions, 'timesOf' | 'random'> & {
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
