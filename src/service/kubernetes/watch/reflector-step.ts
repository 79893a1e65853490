import {type CallError, isRefusal, operatorWords} from '#service/backend/errors.ts';
import {isAskedToWait, KubeError, planRetry} from '../kube-client.ts';
import type {WatchEvent} from './watch-lines.ts';

/**
 * A watch that was open for less is no success, and the next one waits: otherwise a proxy that ends each watch would be
 * asked without a pause.
 */
const shortWatchMs = 1_000;
/**
 * After a longer pause without a watch, objects that the next one adds at its beginning may have existed for a while.
 */
const pauseMsMax = 2_000;
/** Changes during a pause have arrived this long after a watch was opened. */
const catchUpMs = 2_000;
/** Changes that have not come for so long count as unknown, milliseconds: API servers restart. */
const outageMsMin = 10_000;
/** Failed tries in a row before a warning, about eight seconds: an API server that restarts takes that long. */
const quietFailures = 5;
/** A list tells whether all rights were taken away, but not more often than this, milliseconds. */
const refusedPauseMs = 30_000;

/** The state of a resource besides its objects, and of the requests for it. Times are monotonic milliseconds. */
export type ReflectorState = {
  readonly isListed: boolean;
  /** Why the last list failed; undefined after a good one. */
  readonly failure: CallError | undefined;
  /** The outages of the watch of which nobody knows the changes. */
  readonly outages: number;
  /** Why changes do not come, unless it is a refusal. */
  readonly broken: {readonly error: CallError; readonly sinceMs: number} | undefined;
  /** The version up to which all changes are known. */
  readonly version: string;
  readonly listedMs: number;
  /** When the cluster was last heard: changes up to then are known. */
  readonly heardMs: number;
  readonly watch: {
    /** When the cluster was last heard before it. */
    readonly lastHeardMs: number;
    readonly openedMs: number | undefined;
    /** It brought nothing, not even the version that the server tells at the end of a quiet watch. */
    readonly isSilent: boolean;
  };
  /** The request after the pause. */
  readonly next: 'list' | 'watch';
  /** Failures that the next pause is counted from. */
  readonly failures: number;
  /** Failed tries since the last success, of any kind. */
  readonly failedTries: number;
  readonly lastWarning: string | undefined;
};

export type WatchEnd =
  | {readonly kind: 'ended'}
  /** Changes since the version are no longer known. */
  | {readonly kind: 'gone'}
  | {readonly kind: 'failed'; readonly error: CallError};

export type ReflectorEvent =
  | {readonly kind: 'listed'; readonly version: string; readonly startedMs: number}
  | {readonly kind: 'listFailed'; readonly error: CallError}
  /** The version that the cluster is at after a silent watch. */
  | {readonly kind: 'versionRead'; readonly version: string | undefined}
  | {readonly kind: 'versionFailed'; readonly error: CallError}
  /** `rested`: the pause is over. */
  | {readonly kind: 'opened' | 'rested'}
  | {readonly kind: 'told'; readonly told: WatchEvent}
  | {readonly kind: 'watchEnded'; readonly end: WatchEnd};

export type ReflectorEffect =
  | {readonly kind: 'list' | 'watch' | 'readVersion'}
  | {readonly kind: 'pause'; readonly ms: number}
  | {readonly kind: 'endWatch'; readonly end: WatchEnd}
  | {readonly kind: 'put'; readonly object: unknown; readonly isFromStart: boolean}
  | {readonly kind: 'remove'; readonly object: unknown; readonly uid: string | undefined}
  | {readonly kind: 'warn'; readonly message: string}
  /** The first list has come or failed. */
  | {readonly kind: 'settle'}
  /** Readers of the state are told that it changed. */
  | {readonly kind: 'tell'};

/** Time, chance and options at an event. */
export type ReflectorMoment = {
  readonly atMs: number;
  /** From 0 to 1. */
  readonly random: number;
  /** The resource: `pods of namespace shop`. */
  readonly name: string;
  /** A resource that is not needed may be absent or refused without a word. */
  readonly isNeeded: boolean;
};

type Step = {readonly state: ReflectorState; readonly effects: readonly ReflectorEffect[]};

export const firstReflectorState: ReflectorState = {
  isListed: false,
  failure: undefined,
  outages: 0,
  broken: undefined,
  version: '',
  listedMs: 0,
  heardMs: 0,
  watch: {lastHeardMs: 0, openedMs: undefined, isSilent: true},
  next: 'list',
  failures: 0,
  failedTries: 0,
  lastWarning: undefined,
};

/** Checks whether a resource does not exist, or may not be read: the others of its namespace can be. */
export const isAway = (error: CallError): boolean => isRefusal(error) || error.status === 404;

/** Why changes have not come for a while, if that is not known to be a refusal; undefined if they come. */
export const findOutage = ({broken}: ReflectorState, atMs: number): CallError | undefined =>
  broken && atMs - broken.sinceMs >= outageMsMin ? broken.error : undefined;

/** Checks whether the server no longer knows the changes since a version. */
export const isGone = ({status, reason}: Pick<CallError, 'status' | 'reason'>): boolean =>
  status === 410 || reason === 'Expired' || reason === 'Gone';

const isNumber = (text: string): boolean => /^\d+$/.test(text);

const next = (state: ReflectorState, ...effects: readonly ReflectorEffect[]): Step => ({state, effects});

const success = {failures: 0, failedTries: 0, lastWarning: undefined};

const go = (state: ReflectorState): Step =>
  state.next === 'list'
    ? next(state, {kind: 'list'})
    : next({...state, watch: {lastHeardMs: state.heardMs, openedMs: undefined, isSilent: true}}, {kind: 'watch'});

/** Pauses after a failure, and warns if it is one for a person, or lasts. */
const pauseAfter = (
  before: ReflectorState,
  error: CallError,
  verb: 'listed' | 'watched',
  {atMs, random, name, isNeeded}: ReflectorMoment,
): Step => {
  const {delayMs, failures} = planRetry(error, {failures: before.failures, random});
  const failedTries = before.failedTries + 1;
  const broken = isRefusal(error) ? undefined : {error, sinceMs: before.broken?.sinceMs ?? atMs};
  const state = {...before, failures, failedTries, broken};
  const message = `The ${name} cannot be ${verb}. ${operatorWords(error)}`;
  const isTold = (isNeeded || !isAway(error)) && (isRefusal(error) || failedTries >= quietFailures);
  return isTold && before.lastWarning !== message
    ? next({...state, lastWarning: message}, {kind: 'warn', message}, {kind: 'pause', ms: delayMs})
    : next(state, {kind: 'pause', ms: delayMs});
};

const afterFailedList = (before: ReflectorState, error: CallError, moment: ReflectorMoment): Step => {
  const {state, effects} = pauseAfter({...before, failure: error, next: 'list'}, error, 'listed', moment);
  return next(state, {kind: 'tell'}, ...(isAskedToWait(error) ? [] : [{kind: 'settle'} as const]), ...effects);
};

const take = (before: ReflectorState, event: WatchEvent, {atMs, name}: ReflectorMoment): Step => {
  const openedMs = before.watch.openedMs ?? atMs;
  const state = {...before, watch: {...before.watch, openedMs, isSilent: false}};
  if (event.kind === 'failed') {
    // The server is there, but not what it should tell: it is not heard.
    const error = new KubeError('status', `The watch ended: ${event.message}.`, event);
    return next(state, {kind: 'endWatch', end: isGone(event) ? {kind: 'gone'} : {kind: 'failed', error}});
  }
  const heard = {...state, heardMs: atMs};
  if (event.kind === 'unreadable') {
    return next(heard, {kind: 'warn', message: `A change of the ${name} could not be read and was skipped.`});
  }
  const known = {...heard, ...success, version: event.version ?? state.version};
  switch (event.kind) {
    case 'changed': {
      // Added now, it was made just now, unless it may be from a pause.
      const isLive = openedMs - state.watch.lastHeardMs <= pauseMsMax || atMs - openedMs >= catchUpMs;
      return next(known, {kind: 'put', object: event.object, isFromStart: event.isAdded && isLive});
    }
    case 'deleted':
      return next(known, {kind: 'remove', uid: event.uid, object: event.object});
    case 'bookmark':
      return next(known);
  }
};

const afterWatch = (before: ReflectorState, end: WatchEnd, moment: ReflectorMoment): Step => {
  const {watch, listedMs} = before;
  const {atMs} = moment;
  const isShort = watch.openedMs === undefined || atMs - watch.openedMs < shortWatchMs;
  if (watch.isSilent && !isShort && end.kind === 'ended') {
    return next(before, {kind: 'readVersion'});
  }
  const refusal = end.kind === 'failed' && isRefusal(end.error) ? end.error : undefined;
  const state: ReflectorState = {
    ...before,
    ...(!isShort && success),
    // Without the permission to watch, lists are all there is.
    next: end.kind === 'gone' || refusal ? 'list' : 'watch',
  };
  if (refusal?.status === 403 && atMs - listedMs >= refusedPauseMs) {
    return go(state);
  }
  if (refusal && refusal.status !== 403) {
    // A list would be refused, too.
    const {state: paused, effects} = pauseAfter({...state, failure: refusal}, refusal, 'watched', moment);
    return next(paused, {kind: 'tell'}, ...effects);
  }
  if (end.kind === 'failed') {
    return pauseAfter(state, end.error, 'watched', moment);
  }
  return isShort && (end.kind === 'ended' || atMs - listedMs < shortWatchMs)
    ? pauseAfter(state, new KubeError('connection', 'The watch ended at once.'), 'watched', moment)
    : go(state);
};

/** Takes an event of the requests for a resource. It is listed first, then watched until a new list is needed. */
export const step = (state: ReflectorState, event: ReflectorEvent, moment: ReflectorMoment): Step => {
  switch (event.kind) {
    case 'listed': {
      const {version, startedMs} = event;
      const isLost = state.isListed && startedMs - state.heardMs > pauseMsMax;
      const watched = go({
        ...state,
        isListed: true,
        failure: undefined,
        outages: state.outages + (isLost ? 1 : 0),
        broken: undefined,
        version,
        listedMs: moment.atMs,
        heardMs: startedMs,
        next: 'watch',
      });
      return next(watched.state, {kind: 'tell'}, {kind: 'settle'}, ...watched.effects);
    }
    case 'listFailed':
      return afterFailedList(state, event.error, moment);
    case 'versionRead': {
      // The cluster may be at an earlier version than the one that is watched from, as after its data was restored, and
      // tells nothing until it is there again.
      const now = event.version ?? '';
      const isBack = isNumber(now) && isNumber(state.version) && BigInt(now) < BigInt(state.version);
      return isBack ? go({...state, outages: state.outages + 1, next: 'list'}) : go({...state, ...success});
    }
    case 'versionFailed':
      return isRefusal(event.error) ? afterFailedList(state, event.error, moment) : go({...state, ...success});
    case 'opened':
      return next({
        ...state,
        broken: undefined,
        watch: {...state.watch, openedMs: state.watch.openedMs ?? moment.atMs},
      });
    case 'told':
      return take(state, event.told, moment);
    case 'watchEnded':
      return afterWatch(event.end.kind === 'ended' ? {...state, heardMs: moment.atMs} : state, event.end, moment);
    case 'rested':
      return go(state);
  }
};
