import type {Answer} from '../../api/answer.ts';
import {ApiError} from '../../api/api-error.ts';
import type {LogAnswer} from '../../api/decode/log-window.ts';
import type {AnswerTimes} from '../../api/recording/recording-format.ts';
import {pollFailed, type Tail, windowArrived} from '../../app/tail/tail.ts';
import type {Entry} from '../../log/line/entry.ts';
import type {Clock} from '../io/io.ts';

export type FollowOptions = {
  readonly tail: Tail;
  fetchLog(signal: AbortSignal): Promise<Answer<LogAnswer>>;
  /** Waited for before each poll, where others are made beside these. */
  readonly waitForTurn?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** When an answer was asked for and came, where somebody else has the say in it: a recording must tell the same. */
  readonly timesOf?: ((result: Answer<LogAnswer> | ApiError) => AnswerTimes | undefined) | undefined;
  /** What a good poll brought; the next one waits until this has resolved. */
  windowCame(entries: readonly Entry[], answer: Answer<LogAnswer>, times: AnswerTimes): Promise<'goOn' | 'stop'>;
  /** A poll failed after a good one. */
  pollFailed(error: ApiError): void;
  /** Called next; the next poll waits until this has resolved. */
  afterFailure?(times: AnswerTimes): Promise<'goOn' | 'stop'>;
  readonly clock: Clock;
  /** When to stop, by the monotonic clock; one last poll is made then, so that nothing of the time before is missing. */
  readonly deadlineMs: number | undefined;
  random(): number;
  /** Aborted: ends the loop between polls and within one. */
  readonly signal: AbortSignal;
};

/**
 * Polls one branch's log until told to stop, one request at a time. The first poll's `ApiError` is thrown; after one
 * good poll faults are reported and never end it. Resolves when `windowCame` or `afterFailure` says stop, or after the last poll at the
 * deadline; rejects with the signal's reason.
 */
export const followLog = async (options: FollowOptions): Promise<void> => {
  const {clock, signal, deadlineMs = Number.POSITIVE_INFINITY} = options;
  let {tail} = options;
  let isFirst = true;
  for (;;) {
    await options.waitForTurn?.(signal);
    const isLast = clock.monotonicMs() >= deadlineMs;
    const beganMs = clock.monotonicMs();
    const answer = await options.fetchLog(signal).catch((error: unknown) => {
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
      const step = windowArrived(tail, answer, at);
      ({tail, nextPollInMs} = step);
      isFirst = false;
      if ((await options.windowCame(step.added, answer, times)) === 'stop') {
        return;
      }
    }
    if (isLast) {
      return;
    }
    // The pace counts from the answer: time spent on printing is not waited for again.
    const wakeAtMs = Math.min(nowMs + nextPollInMs, deadlineMs);
    await clock.sleep(Math.max(0, wakeAtMs - clock.monotonicMs()), signal);
  }
};
