import type {Instant} from '#log/line/instant.ts';
import type {ContainerPlace} from '../container-logs.ts';
import {type ContainerStream, isSameState, mayBeOfNext} from '../followed-container.ts';
import {
  hasJustEnded,
  isDrained,
  isReached,
  type LogEnd,
  noteDrained,
  noteInstance,
  noteReadEnd,
} from '../log/log-end.ts';
import type {LogReadEnd} from '../log/log-read.ts';
import {type LogLine, readGoneInstance} from '../log-lines.ts';
import {isWaiting, troubleOf} from './read-pause.ts';

/** A stream should end this soon after its container did, milliseconds. */
const overdueMs = 2_000;
/** How long the rest of a pod that is gone is read, milliseconds, and how much silence ends it. */
const goneMsMax = 10_000;
const goneSilentMs = 3_000;

type Life =
  | {readonly kind: 'followed'}
  /** The pod is gone. `hasNext`: another one has its name, so that no further read would be of this one. */
  | {readonly kind: 'leaving'; readonly sinceMs: number; readonly hasNext: boolean}
  | {readonly kind: 'closed'};

/** A container whose log is followed, beside the lines seen of it. Times are monotonic milliseconds. */
export type ContainerState = {
  readonly place: ContainerPlace;
  readonly life: Life;
  /** Undefined between two reads. */
  readonly stream: ContainerStream | undefined;
  readonly logEnd: LogEnd;
  /** Who wrote the last line seen, as far as is known: the watch reports an instance later than its log does. */
  readonly seenOf: Pick<ContainerPlace, 'instanceId' | 'restartCount'> | undefined;
  /** Reads in a row without any proof or any new line. */
  readonly emptyReads: number;
  /** Since when the log of a container that has ended cannot be found. */
  readonly missingMs: number | undefined;
  readonly hasTried: boolean;
  /** The first read may have been of the second instance: then the next reported restart is not a new one. */
  readonly isFirstInDoubt: boolean;
  /** The last read did not join the lines before it, so it may be of a new pod of the same name. */
  readonly mayBeOfNextPod: boolean;
  /** A last line that is known not to be in the log any more. */
  readonly lastGone: LogLine | undefined;
};

/** Another pod that has the name now. */
type NextPod = {
  readonly next: ContainerPlace;
  /** Belongs to the first line that the stream brought. */
  readonly firstStamp: Instant | undefined;
};

export type ContainerEvent =
  /** `stayed`: the pod is not gone after all. `doubted`: the previous instance is looked at for a proof. */
  | {readonly kind: 'left' | 'stayed' | 'closed' | 'opened' | 'joined' | 'doubted' | 'undecided'}
  | {readonly kind: 'placed'; readonly place: ContainerPlace}
  /** `isJoined`: the lines of the stream are known to be those of this container. */
  | ({readonly kind: 'handedOver'; readonly isJoined: boolean} & NextPod)
  /** `unseen`: what is known to be missing before the first line. */
  | ({readonly kind: 'began'; readonly unseen: string | undefined} & Pick<ContainerStream, 'asOf' | 'isFirst'>)
  /** The first read began with the first line of the log, which may be that of the second instance. */
  | {readonly kind: 'firstDoubted'}
  /** `isNext`: the read is of the instance after the one whose lines were seen; else nobody knows. */
  | {
      readonly kind: 'joinedByPrevious';
      readonly lastBefore: LogLine | undefined;
      readonly isFirst: boolean;
      readonly isNext: boolean;
    }
  | {
      readonly kind: 'readEnded';
      readonly end: LogReadEnd;
      readonly isAtEnd: boolean;
      /** Its lines follow the lines seen before. */
      readonly isJoined: boolean;
    }
  /** A read is over, or could not begin. */
  | {readonly kind: 'turned'; readonly asOf: ContainerPlace; readonly end: LogReadEnd}
  /** `silentMs`: since the stream brought something, or was audited. Lines are no events: there are too many. */
  | {readonly kind: 'ticked'; readonly silentMs: number; readonly isAuditDue: boolean};

export type ContainerEffect =
  | {readonly kind: 'close' | 'closeRead' | 'audit' | 'wake' | 'tellUnread' | 'takeRest'}
  | {readonly kind: 'hole'; readonly why: string}
  /** The node wrote this in place of a line. */
  | {readonly kind: 'warnOfFault'; readonly sentence: string};

type Step = {readonly state: ContainerState; readonly effects: readonly ContainerEffect[]};

export const beginContainer = (place: ContainerPlace, logEnd: LogEnd, hasTried: boolean): ContainerState => ({
  place,
  life: {kind: 'followed'},
  stream: undefined,
  logEnd,
  seenOf: undefined,
  emptyReads: 0,
  missingMs: undefined,
  hasTried,
  isFirstInDoubt: false,
  mayBeOfNextPod: false,
  lastGone: undefined,
});

const isAtLogEnd = ({stream, logEnd}: ContainerState): boolean => stream === undefined && isReached(logEnd);

/** Checks whether a container has ended, and the rest of its log may still be read. */
export const isFinishing = (state: ContainerState): boolean =>
  state.life.kind !== 'closed' &&
  state.logEnd.mayHaveUnread &&
  (state.life.kind === 'leaving' || state.place.state === 'terminated') &&
  !isAtLogEnd(state);

/** Checks whether time alone may end something: of thousands of containers, it may of few. */
export const mustBeTicked = ({life, missingMs, stream}: ContainerState): boolean =>
  life.kind === 'leaving' || missingMs !== undefined || stream?.overdueMs !== undefined;

/** Checks whether what is read may be of the next pod of the same name. */
export const isShared = (
  {mayBeOfNextPod, stream}: ContainerState,
  {next: pod, firstStamp}: NextPod,
  atMs: number,
): boolean => mayBeOfNextPod || (stream !== undefined && mayBeOfNext({...stream, firstStamp}, pod, atMs));

const next = (state: ContainerState, ...effects: readonly ContainerEffect[]): Step => ({state, effects});

const then = ({state, effects}: Step, follow: (state: ContainerState) => Step): Step => {
  const followed = follow(state);
  return next(followed.state, ...effects, ...followed.effects);
};

const changeStream = (state: ContainerState, changes: Partial<ContainerStream>): ContainerState =>
  state.stream ? {...state, stream: {...state.stream, ...changes}} : state;

const close = (state: ContainerState): Step =>
  state.life.kind === 'closed' ? next(state) : next({...state, life: {kind: 'closed'}}, {kind: 'close'});

/** Tells, once for an instance, that lines may never be read. */
const tellUnread = (state: ContainerState): Step => {
  const {life, logEnd} = state;
  if (life.kind === 'closed' || isAtLogEnd(state) || !logEnd.mayHaveUnread) {
    return next(state);
  }
  return next(
    {...state, logEnd: {...logEnd, mayHaveUnread: false}},
    logEnd.opens > 0 ? {kind: 'tellUnread'} : {kind: 'hole', why: 'it was gone before it could be read'},
  );
};

const giveUp = (state: ContainerState): Step => then(tellUnread(state), close);

const takePlace = (before: ContainerState, place: ContainerPlace, atMs: number): Step => {
  const {stream, seenOf} = before;
  // Its log may have been read before the watch reported it.
  const isSeen = seenOf?.instanceId === undefined && seenOf?.restartCount === place.restartCount;
  const isNew = before.place.instanceId !== place.instanceId && !isSeen;
  const state = {
    ...before,
    place,
    seenOf: isSeen ? place : seenOf,
    mayBeOfNextPod: before.mayBeOfNextPod && !isNew,
    logEnd: isNew ? noteInstance(before.logEnd, place.instanceId !== undefined) : before.logEnd,
  };
  if (isSameState(before.place, place)) {
    return next(state);
  }
  const isOver = place.state === 'terminated' || stream?.asOf.instanceId !== place.instanceId;
  const isAfterSeen = state.seenOf !== undefined && place.restartCount > state.seenOf.restartCount;
  const mayEnd = stream?.asOf.state === 'running' || (state.isFirstInDoubt && place.restartCount > 0) || isAfterSeen;
  const isDue = isOver && mayEnd && stream?.overdueMs === undefined;
  const due = isDue ? changeStream(state, {overdueMs: atMs + overdueMs}) : state;
  // Of a log that was read to its end there is nothing to be read again.
  return isDrained(state.logEnd) ? next(due) : next(due, {kind: 'wake'});
};

/** Returns the instance that was started last. */
const latest = (left: ContainerState['seenOf'], right: ContainerState['seenOf']): ContainerState['seenOf'] =>
  left && right ? (left.restartCount > right.restartCount ? left : right) : (left ?? right);

/** Whether the log of the instance whose lines were seen last was read to its end, before a read that began then. */
export const isReadToEnd = ({logEnd, seenOf}: ContainerState, beganMs: number): boolean =>
  (seenOf !== undefined && logEnd.drainedCount === seenOf.restartCount) || hasJustEnded(logEnd, beganMs);

/** Whether a sentence says that the log of just that instance is gone. */
export const saysSeenIsGone = ({seenOf}: ContainerState, sentence: string): boolean =>
  seenOf?.instanceId !== undefined && readGoneInstance(sentence) === seenOf.instanceId;

const takeReadEnd = (
  state: ContainerState,
  {end, isAtEnd, isJoined}: Extract<ContainerEvent, {readonly kind: 'readEnded'}>,
  atMs: number,
): Step => {
  const {place, stream, seenOf} = state;
  const asOf = stream?.asOf ?? place;
  const restartCount = seenOf?.restartCount ?? place.restartCount;
  const noted = noteReadEnd(state.logEnd, end, {
    isAtEnd: isAtEnd && asOf.instanceId === place.instanceId,
    hasEnded: asOf.state !== 'running' && isSameState(asOf, place),
    restartCount,
  });
  const isGone = end.kind === 'fault' && !end.hasLines && saysSeenIsGone(state, end.sentence);
  // What was gone before the branch was followed is nobody's loss, though the watch did not tell so yet.
  const wasGone = isGone && !noted.isLate && noted.opens <= 1 && stream?.isFirst === true;
  const isRead = isGone && stream !== undefined && isReadToEnd(state, stream.beganMs);
  const logEnd =
    (end.kind === 'removed' && isJoined) || isRead
      ? noteDrained(noted, restartCount, seenOf?.instanceId === place.instanceId)
      : {...noted, mayHaveUnread: noted.mayHaveUnread && !wasGone};
  const endedMs = end.kind === 'clean' && isJoined ? atMs : undefined;
  const after = {...state, stream: undefined, logEnd: {...logEnd, endedMs}};
  return isRead ? next(after, {kind: 'takeRest'}) : next(after);
};

const takeTurn = (before: ContainerState, asOf: ContainerPlace, end: LogReadEnd, atMs: number): Step => {
  const {life, place, logEnd} = before;
  const trouble = troubleOf(end);
  const isMissing = trouble === 'fault' || (trouble !== 'ended' && isWaiting(trouble));
  const isRead = asOf.isFinished && (isDrained(logEnd) || (isMissing && !logEnd.mayHaveUnread));
  const isGone = life.kind === 'leaving' && (life.hasNext || isAtLogEnd(before) || (isMissing && trouble !== 'fault'));
  const missingMs = isMissing && asOf.state === 'terminated' ? (before.missingMs ?? atMs) : undefined;
  // If a log runs and begins with such a message, the answers tell.
  // Nor need anybody hear of a log that is gone, and was read.
  const isTold =
    end.kind === 'fault' &&
    (logEnd.mayHaveUnread || readGoneInstance(end.sentence) === undefined) &&
    (end.hasLines || (asOf.state !== 'running' && !asOf.isFinished));
  return then(
    next({...before, missingMs}, ...(isTold ? [{kind: 'warnOfFault', sentence: end.sentence} as const] : [])),
    state => (isGone || (isRead && isSameState(asOf, place)) ? giveUp(state) : next(state)),
  );
};

/** Gives up, ends or audits a stream, as its silence and its container's end demand. */
const supervise = (
  state: ContainerState,
  {silentMs, isAuditDue}: {readonly silentMs: number; readonly isAuditDue: boolean},
  atMs: number,
): Step => {
  const {life, stream} = state;
  if (life.kind === 'leaving' && (atMs - life.sinceMs >= goneMsMax || (stream && silentMs >= goneSilentMs))) {
    return giveUp(state);
  }
  if (life.kind === 'closed' || !stream) {
    return next(state);
  }
  if (stream.overdueMs !== undefined && atMs >= stream.overdueMs) {
    return next(state, {kind: 'closeRead'});
  }
  return isAuditDue ? next(state, {kind: 'audit'}) : next(state);
};

/** Takes an event of a container or of the reads of its log. */
export const step = (state: ContainerState, event: ContainerEvent, atMs: number): Step => {
  const {life, stream} = state;
  switch (event.kind) {
    case 'placed':
      return takePlace(state, event.place, atMs);
    case 'left':
      return next(
        life.kind === 'followed' ? {...state, life: {kind: 'leaving', sinceMs: atMs, hasNext: false}} : state,
        {kind: 'wake'},
      );
    case 'stayed':
      return next(life.kind === 'leaving' ? {...state, life: {kind: 'followed'}} : state);
    case 'handedOver': {
      const isOfBoth = isShared(state, event, atMs);
      const left = life.kind === 'leaving' ? {...state, life: {...life, hasNext: true}} : state;
      // Later lines cannot be read again: the name is the next pod's.
      const told = state.mayBeOfNextPod ? next(left) : tellUnread(left);
      const handOver = isOfBoth || !event.isJoined ? close : next;
      return then(told, handed => handOver({...handed, mayBeOfNextPod: false}));
    }
    case 'closed':
      return close(state);
    case 'began': {
      const {asOf, isFirst, unseen} = event;
      const begun = {asOf, isFirst, beganMs: atMs, openedMs: undefined, overdueMs: undefined};
      const effects = unseen === undefined ? [] : [{kind: 'hole', why: unseen} as const];
      return next({...state, hasTried: true, stream: begun}, ...effects);
    }
    case 'opened':
      return next({
        ...changeStream(state, {openedMs: atMs}),
        logEnd: {...state.logEnd, opens: state.logEnd.opens + 1},
      });
    case 'firstDoubted':
      return next({...state, isFirstInDoubt: true});
    case 'joined': {
      // The watch is never ahead of the log, so that the lines are of this instance or of a later one.
      const seenOf = latest(state.seenOf, stream?.asOf);
      const isSecond = state.isFirstInDoubt && stream !== undefined && stream.asOf.restartCount > 0;
      return isSecond
        ? next(
            {...state, seenOf, emptyReads: 0, isFirstInDoubt: false},
            {kind: 'hole', why: 'the container restarted before it was first read'},
          )
        : next({...state, seenOf, emptyReads: 0});
    }
    case 'doubted':
      return next({...state, isFirstInDoubt: false});
    case 'joinedByPrevious': {
      const {lastBefore: lastGone, isFirst, isNext} = event;
      const count = isNext && state.seenOf ? state.seenOf.restartCount + 1 : 0;
      const asOf = stream?.asOf ?? state.place;
      const seenOf = asOf.restartCount >= count ? asOf : {restartCount: count, instanceId: undefined};
      const logEnd = isFirst ? state.logEnd : noteInstance(state.logEnd, true);
      return next({
        ...state,
        seenOf,
        logEnd,
        emptyReads: 0,
        lastGone,
        mayBeOfNextPod: lastGone !== undefined && !isNext,
      });
    }
    case 'undecided':
      return next({...state, emptyReads: state.emptyReads + 1});
    case 'readEnded':
      return takeReadEnd(state, event, atMs);
    case 'turned':
      return takeTurn(state, event.asOf, event.end, atMs);
    case 'ticked':
      if (state.missingMs === undefined || atMs - state.missingMs < goneMsMax) {
        return supervise(state, event, atMs);
      }
      return state.place.isFinished ? giveUp(state) : then(tellUnread(state), told => supervise(told, event, atMs));
  }
};
