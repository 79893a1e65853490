import type {Instant} from '#log/line/instant.ts';
import type {ContainerPlace} from '../container-logs.ts';
import {type ContainerStream, isSameState, mayBeOfNext} from '../followed-container.ts';
import {isDrained, isReached, type LogEnd, noteInstance, noteReadEnd} from '../log/log-end.ts';
import type {LogReadEnd} from '../log/log-read.ts';
import type {LogLine} from '../log-lines.ts';
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
  /** Reads in a row without any proof or any new line. */
  readonly emptyReads: number;
  /** Since when the log of a container that has ended cannot be found. */
  readonly missingMs: number | undefined;
  readonly hasTried: boolean;
  /** The first read may have been of the second instance: then the next restart that is told of is no news. */
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
  | {readonly kind: 'joinedByPrevious'; readonly lastBefore: LogLine | undefined; readonly isFirst: boolean}
  | {readonly kind: 'readEnded'; readonly end: LogReadEnd; readonly isAtEnd: boolean}
  /** A read is over, or could not begin. */
  | {readonly kind: 'turned'; readonly asOf: ContainerPlace; readonly end: LogReadEnd}
  /** `silentMs`: since the stream brought something, or was audited. Lines are no events: there are too many. */
  | {readonly kind: 'ticked'; readonly silentMs: number; readonly isAuditDue: boolean};

export type ContainerEffect =
  | {readonly kind: 'close' | 'closeRead' | 'audit' | 'wake' | 'tellUnread'}
  | {readonly kind: 'hole'; readonly why: string}
  /** The node wrote this in place of a line. */
  | {readonly kind: 'warnOfFault'; readonly sentence: string};

type Step = {readonly state: ContainerState; readonly effects: readonly ContainerEffect[]};

export const beginContainer = (place: ContainerPlace, logEnd: LogEnd, hasTried: boolean): ContainerState => ({
  place,
  life: {kind: 'followed'},
  stream: undefined,
  logEnd,
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
  const {stream} = before;
  const isNew = before.place.instanceId !== place.instanceId;
  const state = {
    ...before,
    place,
    mayBeOfNextPod: before.mayBeOfNextPod && !isNew,
    logEnd: isNew ? noteInstance(before.logEnd, place.instanceId !== undefined) : before.logEnd,
  };
  if (isSameState(before.place, place)) {
    return next(state);
  }
  const isOver = place.state === 'terminated' || stream?.asOf.instanceId !== place.instanceId;
  const mayEnd = stream?.asOf.state === 'running' || (state.isFirstInDoubt && place.restartCount > 0);
  const isDue = isOver && mayEnd && stream?.overdueMs === undefined;
  return next(isDue ? changeStream(state, {overdueMs: atMs + overdueMs}) : state, {kind: 'wake'});
};

const takeTurn = (before: ContainerState, asOf: ContainerPlace, end: LogReadEnd, atMs: number): Step => {
  const {life, place, logEnd} = before;
  const trouble = troubleOf(end);
  const isMissing = trouble === 'fault' || (trouble !== 'ended' && isWaiting(trouble));
  const isRead = asOf.isFinished && (isDrained(logEnd) || (isMissing && !logEnd.mayHaveUnread));
  const isGone = life.kind === 'leaving' && (life.hasNext || isAtLogEnd(before) || (isMissing && trouble !== 'fault'));
  const missingMs = isMissing && asOf.state === 'terminated' ? (before.missingMs ?? atMs) : undefined;
  // If a log runs and begins with such a message, the answers tell.
  const isTold = end.kind === 'fault' && (end.hasLines || (asOf.state !== 'running' && !asOf.isFinished));
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
      const begun = {asOf, isFirst, openedMs: undefined, overdueMs: undefined};
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
    case 'joined':
      return state.isFirstInDoubt && stream && stream.asOf.restartCount > 0
        ? next(
            {...state, emptyReads: 0, isFirstInDoubt: false},
            {kind: 'hole', why: 'the container restarted before it was first read'},
          )
        : next({...state, emptyReads: 0});
    case 'doubted':
      return next({...state, isFirstInDoubt: false});
    case 'joinedByPrevious':
      return next({...state, emptyReads: 0, lastGone: event.lastBefore, mayBeOfNextPod: !event.isFirst});
    case 'undecided':
      return next({...state, emptyReads: state.emptyReads + 1});
    case 'readEnded': {
      const {place} = state;
      const asOf = stream?.asOf ?? place;
      const logEnd = noteReadEnd(state.logEnd, event.end, {
        isAtEnd: event.isAtEnd && asOf.instanceId === place.instanceId,
        hasEnded: asOf.state !== 'running' && isSameState(asOf, place),
        restartCount: place.restartCount,
      });
      return next({...state, stream: undefined, logEnd});
    }
    case 'turned':
      return takeTurn(state, event.asOf, event.end, atMs);
    case 'ticked':
      if (state.missingMs === undefined || atMs - state.missingMs < goneMsMax) {
        return supervise(state, event, atMs);
      }
      return state.place.isFinished ? giveUp(state) : then(tellUnread(state), told => supervise(told, event, atMs));
  }
};
