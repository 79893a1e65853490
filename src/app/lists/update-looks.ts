import type {ApiError, ApiErrorKind} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {doWork} from '#api/client/do-work.ts';
import type {Effect} from '#app/state/effect.ts';
import type {Moment} from '#app/state/event.ts';
import type {BranchesState, LogSource, State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';
import {failAgain} from '#app/tail/backoff.ts';
import type {KnownPulse, KnownPulses, LookAnswer, Looks} from '#app/tail/known-pulse.ts';
import {countWindow, joinPulses, pulseOfBuffer} from '#log/overview/pulse.ts';
import {lookChoices, nextLook, shownAgainMs} from './look-choices.ts';

/** Counts the logs that are held in memory: they are polled, so nobody has to look at them. */
export const countHeldPulses = (before: State, state: State): State => {
  const {branches, held} = state;
  if (branches?.looks === undefined || held === before.held) {
    return state;
  }
  const known = new Set(before.held.map(({log}) => log));
  const changed = held.filter(({log}) => log.siteId === branches.siteId && !known.has(log));
  if (changed.length === 0) {
    return state;
  }
  const pulses = new Map(branches.pulses);
  for (const source of changed.flatMap(({log}) => log.sources)) {
    const found = pulseOfSource(source, pulses.get(source.branch._id), state.clockOffsetMs);
    if (found !== undefined) {
      pulses.set(source.branch._id, found);
    }
  }
  return {...state, branches: {...branches, pulses}};
};

const pulseOfSource = (
  {tail}: LogSource,
  before: KnownPulse | undefined,
  clockOffsetMs: number,
): KnownPulse | undefined => {
  const {lastAnswerAtMs, connection, log, polls} = tail;
  const last = polls.latest.at(-1);
  if (lastAnswerAtMs === undefined || last === undefined) {
    return before;
  }
  const pulse = joinPulses(before?.pulse, pulseOfBuffer(log.buffer, lastAnswerAtMs + clockOffsetMs));
  const counted = {pulse, countedAtMs: lastAnswerAtMs, lookedAtMs: last.atMs};
  return connection.kind === 'failing' && last.kind === 'failed'
    ? {...counted, failure: {errorKind: connection.errorKind, status: last.status, message: connection.message}}
    : counted;
};

/**
 * Has the service count the errors of all branches, if that is wanted and it can; otherwise requests one window of the
 * branch and counts it between keys. Nothing else of it is kept.
 */
export const takeLook = async (
  client: Pick<Client, 'lookAtLog' | 'countErrors'>,
  {siteId, branchId, wantsAll}: {readonly siteId: string; readonly branchId: string; readonly wantsAll: boolean},
  signal: AbortSignal,
): Promise<LookAnswer> => {
  const ofAll = wantsAll ? await client.countErrors(siteId, signal) : undefined;
  if (ofAll !== undefined) {
    return {...ofAll, isOfAll: true};
  }
  const answer = await client.lookAtLog(siteId, branchId, signal);
  const {lines, numbering} = answer.value;
  const pulse = await doWork(countWindow(lines, numbering, answer.serviceTimeMs), signal);
  return {...answer, value: new Map([[branchId, pulse]]), isOfAll: false};
};

/** The service spends at most a quarter of the time on looks, however slow its answers are. */
const pauseTimes = 3;
const slowDownMax = 16;

/** Faults of one branch, not of the service: the other branches are looked at as before. */
const isOfBranch: ReadonlySet<ApiErrorKind> = new Set(['forbidden', 'notFound', 'badId', 'tooLarge', 'notInterface']);

const withLooks = (
  state: State,
  branches: BranchesState,
  looks: Looks,
  change: Partial<BranchesState> = {},
): State => ({
  ...state,
  branches: {...branches, ...change, looks},
});

const lookAfter = ({generation, nowMs}: State, {nextAtMs}: Looks): Effect => ({
  kind: 'lookAfter',
  delayMs: Math.max(0, nextAtMs - nowMs),
  generation,
});

/** Runs after each listing: begins to look at logs, or goes on. A request for the branches ended any look. */
export const beginLooks = ({state, effects}: Step): Step => {
  const {branches} = state;
  if (branches?.looks === undefined || state.screen !== 'branches') {
    return {state, effects};
  }
  const looks = {...branches.looks, asking: undefined};
  const ids = new Set(branches.branches.map(({_id}) => _id));
  const isGone = [...branches.pulses.keys()].some(id => !ids.has(id));
  const pulses = isGone ? new Map([...branches.pulses].filter(([id]) => ids.has(id))) : branches.pulses;
  return {state: withLooks(state, branches, looks, {pulses}), effects: [...effects, lookAfter(state, looks)]};
};

/** Looks at the log of the branch whose turn it is. While none may be looked at, the next listing goes on. */
export const lookDue = (before: State, state: State): Step => {
  const {branches, logSettings, generation, nowMs} = state;
  const intervalMs = logSettings.lookIntervalMs;
  if (branches?.looks === undefined || intervalMs === undefined || branches.looks.asking) {
    return next(before);
  }
  const nextState = nextLook(lookChoices(state, branches), branches.pulses, {nowMs, intervalMs});
  if (nextState === undefined || nextState.dueAtMs > nowMs) {
    // The rows on the screen may be others by then.
    return next(before, {kind: 'lookAfter', delayMs: intervalMs, generation});
  }
  const {branchId} = nextState;
  const looks = {...branches.looks, asking: {branchId, sinceMs: nowMs}, nextAtMs: nowMs + intervalMs};
  const {siteId} = branches;
  const wantsAll = nowMs >= looks.allAtMs;
  return next(withLooks(state, branches, looks), {kind: 'lookAtBranch', siteId, branchId, wantsAll, generation});
};

/** Ends a look: the budget decides when the next one may begin. */
const lookEnded = (
  state: State,
  known: KnownPulses,
  {
    slowDown,
    failure,
    tookMs,
    allAtMs,
    delayMs = 0,
  }: Pick<Looks, 'slowDown' | 'failure'> & {
    readonly tookMs: number;
    readonly allAtMs?: number | undefined;
    readonly delayMs?: number;
  },
): Step => {
  const {branches, nowMs, logSettings} = state;
  if (branches?.looks?.asking === undefined || logSettings.lookIntervalMs === undefined) {
    return next(state);
  }
  const {sinceMs} = branches.looks.asking;
  const byBudget = sinceMs + logSettings.lookIntervalMs * slowDown;
  const byLoad = nowMs + pauseTimes * tookMs;
  const nextAtMs = Math.max(byBudget, byLoad, nowMs + delayMs);
  const looks = {slowDown, failure, nextAtMs, allAtMs: allAtMs ?? branches.looks.allAtMs};
  const pulses = new Map([...branches.pulses, ...known]);
  return next(withLooks(state, branches, looks, {pulses}), lookAfter(state, looks));
};

/** Takes what was counted. A branch that the service has not counted with the others is looked at by itself. */
export const lookArrived = (state: State, {value, durationMs, serviceTimeMs, isOfAll}: LookAnswer): Step => {
  const {nowMs, branches} = state;
  if (branches === undefined) {
    return next(state);
  }
  const slowDown = Math.max(1, (branches.looks?.slowDown ?? 1) / 2);
  const known = branches.branches.flatMap(({_id}): (readonly [string, KnownPulse])[] => {
    const pulse = value.get(_id);
    // A service may have read the log some time ago.
    const countedAtMs = pulse && nowMs - Math.max(0, (serviceTimeMs ?? pulse.toMs) - pulse.toMs);
    return pulse
      ? [[_id, {pulse: joinPulses(branches.pulses.get(_id)?.pulse, pulse), countedAtMs, lookedAtMs: nowMs}]]
      : [];
  });
  const allAtMs = isOfAll ? nowMs + shownAgainMs : undefined;
  return lookEnded(state, new Map(known), {slowDown, tookMs: durationMs, allAtMs});
};

/** Keeps the last count, with its age and the reason why there is none newer. */
export const lookFailed = (state: State, branchId: string, error: ApiError, moment: Moment): Step => {
  const {nowMs, branches} = state;
  if (branches === undefined || error.kind === 'cancelled') {
    return next(state);
  }
  const {kind: errorKind, status, message} = error;
  const failed = {...branches.pulses.get(branchId), lookedAtMs: nowMs, failure: {errorKind, status, message}};
  const known = new Map([[branchId, failed]]);
  const {slowDown = 1, failure: failing, asking} = branches.looks ?? {};
  const tookMs = nowMs - (asking?.sinceMs ?? nowMs);
  if (isOfBranch.has(errorKind)) {
    return lookEnded(state, known, {slowDown, tookMs});
  }
  const {failure, delayMs} = failAgain(failing, error, moment);
  const slower = errorKind === 'tooManyRequests' ? Math.min(slowDownMax, slowDown * 2) : slowDown;
  return lookEnded(state, known, {slowDown: slower, failure, tookMs, delayMs});
};
