import type {Answer} from '../../api/answer.ts';
import {ApiError} from '../../api/api-error.ts';
import type {LogAnswer} from '../../api/decode/log-window.ts';
import {doWork} from '../../api/do-work.ts';
import type {AnswerTimes} from '../../api/recording/recording-format.ts';
import {pollFailed, type Tail, type TailStep, takeAnswer, windowArrived} from '../../app/tail/tail.ts';
import type {ReadUpTo} from '../../log/line/numbering.ts';
import {readUpTo} from '../../log/numbered/numbered.ts';
import type {Clock} from '../io/io.ts';

export type FollowOptions = {
  readonly tail: Tail;
  /** `after`: what the log has; the answer need only have what follows. */
  fetchLog(signal: AbortSignal, after?: ReadUpTo): Promise<Answer<LogAnswer>>;
  /** Awaited before each poll, if other branches are polled too. */
  readonly waitForTurn?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * Returns when the answer was requested and when it arrived, if a recording decides this: a replay must print the
   * same as the live run.
   */
  readonly timesOf?: ((result: Answer<LogAnswer> | ApiError) => AnswerTimes | undefined) | undefined;
  /** Called with the outcome of a successful poll; the next poll waits until this resolves. */
  windowCame(step: TailStep, answer: Answer<LogAnswer>, times: AnswerTimes): Promise<'goOn' | 'stop'>;
  /** Called when a poll fails after a successful one. */
  pollFailed(error: ApiError): void;
  /** Called after `pollFailed`; the next poll waits until this resolves. */
  afterFailure?(times: AnswerTimes): Promise<'goOn' | 'stop'>;
  /** Starts to look for a new token, each second, while the service refuses the old one. */
  readonly watchToken?: (() => () => Promise<boolean>) | undefined;
  readonly clock: Clock;
  /**
   * When to stop, on the monotonic clock. One last poll is made then, so that nothing before the deadline is missing.
   */
  readonly deadlineMs: number | undefined;
  random(): number;
  /** When aborted, ends the loop, between polls or during one. */
  readonly signal: AbortSignal;
};

/**
 * Polls one branch's log until stopped, with one request at a time. Throws the `ApiError` of the first poll; after one
 * successful poll, errors are reported and never end it. Resolves when `windowCame` or `afterFailure` returns `stop`,
 * or after the last poll at the deadline. Rejects with the signal's reason.
 */
export const followLog = async (options: FollowOptions): Promise<void> => {
  const {clock, signal, deadlineMs = Number.POSITIVE_INFINITY} = options;
  let {tail} = options;
  let isFirst = true;
  for (;;) {
    await options.waitForTurn?.(signal);
    const isLast = clock.monotonicMs() >= deadlineMs;
    const beganMs = clock.monotonicMs();
    const answer = await options.fetchLog(signal, readUpTo(tail.log.numbered)).catch((error: unknown) => {
      signal.throwIfAborted();
      if (isFirst || !(error instanceof ApiError)) {
        throw error;
      }
      return error;
    });
    signal.throwIfAborted();
    const nowMs = clock.monotonicMs();
    const times = options.timesOf?.(answer) ?? {beganMs, cameMs: nowMs};
    const at = {nowMs, random: options.random()};
    let nextPollInMs: number;
    if (answer instanceof ApiError) {
      const step = pollFailed(tail, answer, at);
      ({tail, nextPollInMs} = step);
      options.pollFailed(answer);
      if ((await options.afterFailure?.(times)) === 'stop') {
        return;
      }
    } else {
      const step = windowArrived(tail, answer, at, await doWork(takeAnswer(tail, answer), signal));
      ({tail, nextPollInMs} = step);
      isFirst = false;
      if ((await options.windowCame(step, answer, times)) === 'stop') {
        return;
      }
    }
    if (isLast) {
      return;
    }
    // The pace counts from the arrival of the answer: time spent printing is not added to the wait.
    const wakeAtMs = Math.min(nowMs + nextPollInMs, deadlineMs);
    const isSignedOut = answer instanceof ApiError && (answer.kind === 'unauthorised' || answer.kind === 'token');
    const hasNewToken = isSignedOut ? options.watchToken?.() : undefined;
    do {
      const leftMs = Math.max(0, wakeAtMs - clock.monotonicMs());
      await clock.sleep(hasNewToken === undefined ? leftMs : Math.min(leftMs, tokenLookMs), signal);
    } while (clock.monotonicMs() < wakeAtMs && hasNewToken !== undefined && !(await hasNewToken()));
  }
};

/** While signed out, the token file is looked at this often, in milliseconds. */
const tokenLookMs = 1000;
