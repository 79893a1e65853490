import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {doWork} from '#api/client/do-work.ts';
import type {AnswerTimes} from '#api/recording/recording-format.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {type Added, asEntries, countLate, insertAdded, markersIn} from '#log/ingest/added.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {readUpTo} from '#log/ingest/numbered.ts';
import {createPace, type Pace, stepPace} from '#log/ingest/pace.ts';
import {insertEnd, insertHorizon} from '#log/ingest/place-markers.ts';
import type {WindowTaken} from '#log/ingest/take-unnumbered.ts';
import {takingWindow} from '#log/ingest/take-window.ts';
import type {Entry, Unreadable} from '#log/line/entry.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import type {ReadDirection} from '#log/line/unread.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {CutSaid} from '#log/words/proof-words.ts';
import {finishWork, type Work} from '#log/work.ts';
import {failAgain, type LastingFailure} from './backoff.ts';
import {followSeenPods, type SeenPod} from './branch-changes.ts';
import {addPoll, noPolls, type Polls} from './polls.ts';

/** State of the connection to the service. Times are milliseconds by a monotonic clock. */
export type Connection =
  | {readonly kind: 'connecting'}
  | {
      readonly kind: 'live';
      readonly lastGoodAtMs: number;
      readonly nextPollAtMs: number;
      /** The delay of the next poll if it is noticeably longer than wanted because of a 429. */
      readonly slowedToMs: number | undefined;
    }
  /** A recording was played to its end: nothing more will come, and polling stops. */
  | {readonly kind: 'ended'; readonly lastGoodAtMs: number | undefined}
  | ({readonly kind: 'failing'; readonly lastGoodAtMs: number | undefined} & LastingFailure);

/** A watched branch: the log held, the state of the connection and the pace of polling. */
export type Tail = {
  readonly log: BranchLog;
  readonly pace: Pace;
  readonly connection: Connection;
  /**
   * Whether late lines that no longer fit the buffer are returned as well: a printer has no buffer to put them in
   * order.
   */
  readonly keepsLateLines: boolean;
  readonly firstAnswerAtMs: number | undefined;
  readonly lastAnswerAtMs: number | undefined;
  /**
   * When a line last arrived, by a monotonic clock. The lines of the first window were there before: their own times
   * say how old they are.
   */
  readonly lastNewLineAtMs: number | undefined;
  /** The last answer said which numbers its lines have, or how many lines there were. */
  readonly isNumbered: boolean;
  /** Older lines come, one answer after the other, whether or not they were asked for. */
  readonly isReadingBack: boolean;
  /** The next lines were there at the last answer. */
  readonly isCatchingUp: boolean;
  /** How many items of the last answer were no lines. */
  readonly notLineCount: number;
  /** The pods that cannot be read, by the last answer. */
  readonly unreadable?: Unreadable | undefined;
  /** When the last answer came that said nothing of such pods; undefined if the first one did. */
  readonly unreadableSinceMs?: number | undefined;
  /** Factor on the interval: doubled after a 429, and reduced again with each good answer. */
  readonly slowDown: number;
  /** The claims of the last answer about its window. */
  readonly said: CutSaid;
  /** Outcomes of the polls, for the inspector and exports. */
  readonly polls: Polls;
  /** The pods that run, and those that went while they were watched. */
  readonly pods: readonly SeenPod[];
  readonly marksHorizon: boolean;
};

type TailOptions = {
  /** Wanted freshness, milliseconds. */
  readonly intervalMs: number;
  readonly bufferBytesMax: number;
  readonly keepsLateLines: boolean;
  /**
   * Whether the log begins with a marker for what the service held at the first request. The marker is not among the
   * returned entries.
   */
  readonly marksHorizon?: boolean;
};

export const createTail = ({intervalMs, bufferBytesMax, keepsLateLines, marksHorizon = false}: TailOptions): Tail => ({
  log: createBranchLog(bufferBytesMax),
  pace: createPace(intervalMs),
  connection: {kind: 'connecting'},
  keepsLateLines,
  firstAnswerAtMs: undefined,
  lastAnswerAtMs: undefined,
  lastNewLineAtMs: undefined,
  isNumbered: false,
  isReadingBack: false,
  isCatchingUp: false,
  notLineCount: 0,
  slowDown: 1,
  said: {},
  polls: noPolls,
  pods: [],
  marksHorizon,
});

/** Input from outside: a monotonic clock in milliseconds, and a random number from 0 to 1. */
type PollMoment = {readonly nowMs: number; readonly random: number};

export type TailStep = {
  readonly tail: Tail;
  /** New lines and markers, in print order. */
  readonly added: Added;
  readonly nextPollInMs: number;
};

const slowDownMax = 16;

/** So much longer than wanted, milliseconds, is worth telling: delays are shown in seconds. */
const slowedMsMin = 1000;

/** Takes the window of an answer into the log. */
export function* takeAnswer({log, marksHorizon}: Tail, {value, serviceTimeMs}: Answer<LogAnswer>): Work<WindowTaken> {
  const serviceAt = serviceTimeMs === undefined ? undefined : instantFromMs(serviceTimeMs);
  const taken = yield* takingWindow(log, {...value, serviceAt});
  const {horizon, heldTo} = taken.log;
  if (value.kept !== undefined) {
    return taken;
  }
  const begun =
    marksHorizon && horizon !== undefined && log.horizon !== horizon
      ? insertHorizon(taken.log, horizon, log.horizon)
      : taken.log;
  const isEndMoved = heldTo !== undefined && (heldTo.at !== log.heldTo?.at || heldTo.why !== log.heldTo.why);
  return {...taken, log: marksHorizon && isEndMoved ? insertEnd(begun, heldTo, log.heldTo?.at) : begun};
}

/** Takes the window of a good poll into the log, unless `takeAnswer` did before, and adapts the pace. */
export const windowArrived = (
  tail: Tail,
  answer: Answer<LogAnswer>,
  {nowMs, random}: PollMoment,
  taken: WindowTaken = finishWork(takeAnswer(tail, answer)),
): TailStep => {
  const before = tail.log.before;
  const {lines, pods, cut, sources, arrivals, numbering, next, areEarlier} = answer.value;
  const windowLines = lines.length;
  const markers = markersIn(taken.added);
  // Lines that were read back are no news.
  const newLines = areEarlier ? 0 : taken.added.length - markers.length;
  // An answer with numbers has only the new lines: they are lost when as many newer ones come as the service holds.
  const heldLines = numbering && arrivals ? arrivals.last - arrivals.dropped : 0;
  const shareLines = Math.max(taken.shareLines, heldLines);
  const step = stepPace(tail.pace, {
    newLines,
    leftLines: numbering && arrivals?.dropped === 0 ? 0 : taken.leftCount,
    windowLinesBefore: Math.max(tail.log.numbered?.windowLines ?? before?.lines.length ?? 0, heldLines),
    shareLines,
    isGap: taken.verdict.kind === 'gap',
    elapsedMs: tail.lastAnswerAtMs === undefined ? undefined : nowMs - tail.lastAnswerAtMs,
    random,
  });
  const nextPollInMs = next ? 0 : Math.round(step.nextPollInMs * tail.slowDown);
  return {
    tail: {
      ...tail,
      log: taken.log,
      pods:
        pods === tail.log.pods ? tail.pods : followSeenPods(tail.pods, pods, {nowMs, isFirst: before === undefined}),
      pace: step.pace,
      connection: {
        kind: 'live',
        lastGoodAtMs: nowMs,
        nextPollAtMs: nowMs + nextPollInMs,
        slowedToMs: tail.slowDown > 1 && nextPollInMs >= tail.pace.wantedMs + slowedMsMin ? nextPollInMs : undefined,
      },
      firstAnswerAtMs: tail.firstAnswerAtMs ?? nowMs,
      lastAnswerAtMs: nowMs,
      lastNewLineAtMs: newLines > 0 && before !== undefined && !tail.isCatchingUp ? nowMs : tail.lastNewLineAtMs,
      isNumbered: numbering !== undefined || arrivals !== undefined,
      // Lines written meanwhile come in between.
      isReadingBack:
        taken.log.heldFrom?.why === 'unread' && (areEarlier === true || (tail.isReadingBack && newLines > 0)),
      isCatchingUp: next === 'there',
      notLineCount: answer.value.notLines?.length ?? 0,
      unreadable: answer.value.unreadable,
      unreadableSinceMs: tail.unreadable === undefined ? tail.lastAnswerAtMs : tail.unreadableSinceMs,
      slowDown: Math.max(1, tail.slowDown * 0.8),
      said: {cut, sources, arrivals},
      polls: addPoll(tail.polls, {
        kind: 'good',
        atMs: nowMs,
        status: answer.status,
        durationMs: answer.durationMs,
        bytes: answer.bodyBytes,
        lines: windowLines,
        newLines: newLines + taken.tooLate.length,
        lateLines: countLate(taken.added) + taken.tooLate.length,
        overlapShare: before === undefined ? undefined : taken.overlapShare,
        hasGap: taken.verdict.kind === 'gap',
        gap: markers.find(entry => entry.kind === 'gap'),
        nextPollInMs,
        reason: tail.slowDown > 1 ? 'slower after 429' : step.reason,
      }),
    },
    added: areEarlier ? [] : tail.keepsLateLines ? insertAdded<Entry>(taken.added, 0, taken.tooLate) : taken.added,
    nextPollInMs,
  };
};

/** Handles a failed poll: the log does not change, and the next try is delayed. */
export const pollFailed = (
  tail: Tail,
  error: Pick<ApiError, 'kind' | 'message' | 'retryAfterMs'> & {readonly status?: number | undefined},
  moment: PollMoment,
): TailStep => {
  const failing = tail.connection.kind === 'failing' ? tail.connection : undefined;
  const {failure, delayMs: nextPollInMs} = failAgain(failing, error, moment);
  return {
    tail: {
      ...tail,
      connection: {
        kind: 'failing',
        ...failure,
        lastGoodAtMs: tail.connection.kind === 'live' ? tail.connection.lastGoodAtMs : failing?.lastGoodAtMs,
      },
      slowDown: error.kind === 'tooManyRequests' ? Math.min(slowDownMax, tail.slowDown * 2) : tail.slowDown,
      polls: addPoll(tail.polls, {
        kind: 'failed',
        atMs: moment.nowMs,
        errorKind: error.kind,
        status: error.status,
        nextPollInMs,
        reason: error.retryAfterMs === undefined ? `try ${failure.attemptNumber} failed` : 'as the service asked',
      }),
    },
    added: [],
    nextPollInMs,
  };
};

/** Notes that a request is sent: no other try is still to come. */
export const pollSent = (tail: Tail, nowMs: number): Tail =>
  tail.connection.kind === 'failing' && tail.connection.retryAtMs > nowMs
    ? {...tail, connection: {...tail.connection, retryAtMs: nowMs}}
    : tail;

/** Ends the tail of a recording: the log no longer changes. */
export const recordingEnded = (tail: Tail): Tail => ({
  ...tail,
  connection: {kind: 'ended', lastGoodAtMs: tail.connection.kind === 'live' ? tail.connection.lastGoodAtMs : undefined},
});

/** Past this share of the buffer, what is older would only leave it again. */
const filledShareMax = 0.9;

/** Whether there are lines in a direction from those that were read. */
export const isUnread = ({log: {heldFrom, heldTo}}: Pick<Tail, 'log'>, direction: ReadDirection): boolean =>
  (direction === 'earlier' ? heldFrom : heldTo)?.why === 'unread';

/** Whether lines before the first ones, or after the last ones of a part, can be read, and fit into the buffer. */
export const canReadOn = (tail: Pick<Tail, 'log'>, direction: ReadDirection): boolean => {
  const {buffer} = tail.log;
  return isUnread(tail, direction) && buffer.evictedLines === 0 && buffer.bytes < filledShareMax * buffer.bytesMax;
};

/** Whether lines since a time can be read on to. */
export const canReadBackTo = (tail: Pick<Tail, 'log'>, at: Instant): boolean =>
  canReadOn(tail, 'earlier') && (tail.log.heldFrom?.at ?? at) > at;

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
