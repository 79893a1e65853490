import type {Answer} from '../../api/answer.ts';
import type {ApiError, ApiErrorKind} from '../../api/api-error.ts';
import type {LogAnswer} from '../../api/decode/log-window.ts';
import type {Entry} from '../../log/line/entry.ts';
import {instantFromMs} from '../../log/line/instant.ts';
import {type BranchLog, createBranchLog, takeWindow} from '../../log/merge/branch-log.ts';
import {insertHorizon} from '../../log/merge/insert-marker.ts';
import {createPace, type Pace, stepPace} from '../../log/merge/pace.ts';
import {backoffMs} from './backoff.ts';
import {addPoll, noPolls, type Polls} from './polls.ts';

/** How the service is answering. Times are milliseconds by a monotonic clock. */
export type Connection =
  | {readonly kind: 'connecting'}
  | {readonly kind: 'live'; readonly lastGoodAtMs: number}
  /** A recording was played to its end: nothing more will come, and nothing is asked. */
  | {readonly kind: 'ended'; readonly lastGoodAtMs: number | undefined}
  | {
      readonly kind: 'failing';
      readonly errorKind: ApiErrorKind;
      /** What is wrong, one sentence without a secret. */
      readonly message: string;
      readonly sinceMs: number;
      readonly retryAtMs: number;
      /** Failed polls since the last good one. */
      readonly attemptNumber: number;
      readonly lastGoodAtMs: number | undefined;
    };

/** A branch's log being watched: what is held of it, how the service answers and how often it is asked. */
export type Tail = {
  readonly log: BranchLog;
  readonly pace: Pace;
  readonly connection: Connection;
  /**
   * Late lines that no longer fit the buffer are handed out all the same: a printer has no buffer to put them in order.
   */
  readonly keepsLateLines: boolean;
  readonly lastAnswerAtMs: number | undefined;
  /** When a line last was new, by a monotonic clock. */
  readonly lastNewLineAtMs: number | undefined;
  /** After 429 the interval is doubled, and eased back with each good answer. */
  readonly slowDown: number;
  /** What the polls came to, for whoever asks. */
  readonly polls: Polls;
  readonly marksHorizon: boolean;
};

export type TailOptions = {
  /** The freshness wanted, milliseconds. */
  readonly intervalMs: number;
  readonly bufferBytesMax: number;
  readonly keepsLateLines: boolean;
  /**
   * The log begins with a marker that says what the service held when it was first asked; it is none of what is handed
   * out.
   */
  readonly marksHorizon?: boolean;
};

export const createTail = ({intervalMs, bufferBytesMax, keepsLateLines, marksHorizon = false}: TailOptions): Tail => ({
  log: createBranchLog(bufferBytesMax),
  pace: createPace(intervalMs),
  connection: {kind: 'connecting'},
  keepsLateLines,
  lastAnswerAtMs: undefined,
  lastNewLineAtMs: undefined,
  slowDown: 1,
  polls: noPolls,
  marksHorizon,
});

/** What the shell around this knows: a monotonic clock in milliseconds, and chance from 0 to 1. */
export type PollMoment = {readonly nowMs: number; readonly random: number};

export type TailStep = {
  readonly tail: Tail;
  /** New lines and markers, in the order to print them. */
  readonly added: readonly Entry[];
  readonly nextPollInMs: number;
};

const slowDownMax = 16;

/** A good poll: its window is taken into the log, and the pace learns from it. */
export const windowArrived = (tail: Tail, answer: Answer<LogAnswer>, {nowMs, random}: PollMoment): TailStep => {
  const before = tail.log.before;
  const {serviceTimeMs} = answer;
  const taken = takeWindow(tail.log, {
    ...answer.value,
    serviceAt: serviceTimeMs === undefined ? undefined : instantFromMs(serviceTimeMs),
  });
  const windowLines = answer.value.lines.length;
  const added = taken.added.filter(entry => entry.kind === 'line');
  const newLines = added.length;
  const step = stepPace(tail.pace, {
    newLines,
    leftLines: taken.leftCount,
    windowLinesBefore: before?.lines.length ?? 0,
    shareLines: taken.shareLines,
    isGap: taken.verdict.kind === 'gap',
    elapsedMs: tail.lastAnswerAtMs === undefined ? undefined : nowMs - tail.lastAnswerAtMs,
    random,
  });
  const {horizon} = taken.log;
  const nextPollInMs = Math.round(step.nextPollInMs * tail.slowDown);
  return {
    tail: {
      ...tail,
      log:
        tail.marksHorizon && tail.log.horizon === undefined && horizon !== undefined
          ? insertHorizon(taken.log, horizon)
          : taken.log,
      pace: step.pace,
      connection: {kind: 'live', lastGoodAtMs: nowMs},
      lastAnswerAtMs: nowMs,
      lastNewLineAtMs: newLines > 0 ? nowMs : tail.lastNewLineAtMs,
      slowDown: Math.max(1, tail.slowDown * 0.8),
      polls: addPoll(tail.polls, {
        kind: 'good',
        atMs: nowMs,
        status: answer.status,
        durationMs: answer.durationMs,
        bytes: answer.bodyBytes,
        lines: windowLines,
        newLines: newLines + taken.tooLate.length,
        lateLines: added.filter(({late}) => late).length + taken.tooLate.length,
        overlapShare: before === undefined ? undefined : taken.overlapShare,
        hasGap: taken.verdict.kind === 'gap',
        gap: taken.added.find(entry => entry.kind === 'gap'),
        nextPollInMs,
        reason: tail.slowDown > 1 ? 'slower after 429' : step.reason,
      }),
    },
    added: tail.keepsLateLines ? [...taken.tooLate, ...taken.added] : taken.added,
    nextPollInMs,
  };
};

/** A failed poll: the log stays as it was, the next try is put off. */
export const pollFailed = (
  tail: Tail,
  error: Pick<ApiError, 'kind' | 'message' | 'retryAfterMs'> & {readonly status?: number | undefined},
  {nowMs, random}: PollMoment,
): TailStep => {
  const failing = tail.connection.kind === 'failing' ? tail.connection : undefined;
  const attemptNumber = (failing?.attemptNumber ?? 0) + 1;
  const nextPollInMs = Math.round(backoffMs({error, attemptNumber, random}));
  return {
    tail: {
      ...tail,
      connection: {
        kind: 'failing',
        errorKind: error.kind,
        message: error.message,
        sinceMs: failing?.sinceMs ?? nowMs,
        retryAtMs: nowMs + nextPollInMs,
        attemptNumber,
        lastGoodAtMs: tail.connection.kind === 'live' ? tail.connection.lastGoodAtMs : failing?.lastGoodAtMs,
      },
      slowDown: error.kind === 'tooManyRequests' ? Math.min(slowDownMax, tail.slowDown * 2) : tail.slowDown,
      polls: addPoll(tail.polls, {
        kind: 'failed',
        atMs: nowMs,
        errorKind: error.kind,
        status: error.status,
        nextPollInMs,
        reason: error.retryAfterMs === undefined ? `try ${attemptNumber} failed` : 'as the service asked',
      }),
    },
    added: [],
    nextPollInMs,
  };
};

/** A recording has no further answer: the log stays as it is, for good. */
export const recordingEnded = (tail: Tail): Tail => ({
  ...tail,
  connection: {kind: 'ended', lastGoodAtMs: tail.connection.kind === 'live' ? tail.connection.lastGoodAtMs : undefined},
});
