import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {doWork} from '#api/client/do-work.ts';
import type {AnswerTimes} from '#api/recording/recording-format.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {asEntries} from '#log/ingest/added.ts';
import {readUpTo} from '#log/ingest/numbered.ts';
import type {Entry} from '#log/line/entry.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import {pollFailed, type Tail, type TailStep, takeAnswer, windowArrived} from './tail.ts';

/** The result of a request for a branch's log. */
export type PollResult = Answer<LogAnswer> | ApiError;

/** The outcome of one poll, and when its request began and its result came. */
export type Poll = Omit<TailStep, 'added'> & {
  /** New lines and markers, in print order. */
  readonly added: readonly Entry[];
  readonly result: PollResult;
  readonly times: AnswerTimes;
  /** When the next poll is due, on the clock. It counts from the arrival: time spent printing is not added. */
  readonly nextPollAtMs: number;
};

export type PollOptions = {
  /** `after`: what the log has; the answer need only have what follows. */
  fetchLog(signal: AbortSignal, after?: ReadUpTo): Promise<Answer<LogAnswer>>;
  /** A monotonic clock, milliseconds. */
  nowMs(): number;
  random(): number;
  /** Returns when the result was requested and when it came, if a recording decides this: both print the same. */
  readonly timesOf?: ((result: PollResult) => AnswerTimes | undefined) | undefined;
  readonly signal: AbortSignal;
};

/**
 * Polls a branch's log once: the one way from a request to the next tail without a screen. Throws the `ApiError` of a
 * branch that has not answered yet, and whatever is no `ApiError`; later failures are outcomes. Rejects with the
 * signal's reason.
 */
export const pollTail = async (tail: Tail, {fetchLog, nowMs, random, timesOf, signal}: PollOptions): Promise<Poll> => {
  const beganMs = nowMs();
  const result = await fetchLog(signal, readUpTo(tail.log.numbered)).catch((error: unknown) => {
    signal.throwIfAborted();
    if (tail.lastAnswerAtMs === undefined || !(error instanceof ApiError)) {
      throw error;
    }
    return error;
  });
  signal.throwIfAborted();
  const cameMs = nowMs();
  const moment = {nowMs: cameMs, random: random()};
  const times = timesOf?.(result) ?? {beganMs, cameMs};
  const step =
    result instanceof ApiError
      ? pollFailed(tail, result, moment)
      : windowArrived(tail, result, moment, await doWork(takeAnswer(tail, result), signal));
  const {buffer} = step.tail.log;
  const isKept = !(result instanceof ApiError) && result.value.kept !== undefined;
  const added = isKept ? sliceEntries(buffer, 0, buffer.entryCount) : asEntries(step.added);
  return {...step, added, result, times, nextPollAtMs: cameMs + step.nextPollInMs};
};
