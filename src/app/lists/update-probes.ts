import type {Branch} from '#api/client/answer.ts';
import type {ApiError, ApiErrorKind} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {doWork} from '#api/client/do-work.ts';
import {listBranches, selectedPlace} from '#app/choices/branch-choices.ts';
import {isFilterOpen} from '#app/keys/input-focus.ts';
import {detailsPlace, listRows} from '#app/record/details.ts';
import type {Effect} from '#app/state/effect.ts';
import type {Moment} from '#app/state/event.ts';
import type {BranchesState, LogSource, State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';
import {failAgain} from '#app/tail/backoff.ts';
import type {KnownPulse, KnownPulses, ProbeAnswer, Probes} from '#app/tail/known-pulse.ts';
import {heldPolledMsMax} from '#app/tail/polls.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import {countWindow, joinPulses, pulseOfBuffer} from '#log/overview/pulse.ts';

/** Ids of branches that may be looked at, in the order of the list. */
export type ProbeChoices = {
  /** Those on the screen. */
  readonly shown: readonly string[];
  readonly others: readonly string[];
};

/** Branches on the screen are looked at again after this long, milliseconds: rates are per minute. */
const shownAgainMs = 10_000;
const othersAgainMs = 30_000;
/** A branch that cannot be read is rarely so for seconds. */
const failedAgainMs = 60_000;

/**
 * Chooses the branch to look at next, and when it is due, in milliseconds by the monotonic clock, which may be in the
 * past. First come those on the screen that nobody has looked at, then all that are due, those on the screen first;
 * within each, the one whose probe is oldest. If there are others, those on the screen leave them half of the probes.
 */
export const nextProbe = (
  {shown, others}: ProbeChoices,
  pulses: KnownPulses,
  {nowMs, intervalMs}: {readonly nowMs: number; readonly intervalMs: number},
): {readonly branchId: string; readonly dueAtMs: number} | undefined => {
  const shownEveryMs = Math.max(shownAgainMs, others.length > 0 ? 2 * intervalMs * shown.length : 0);
  const first = firstDue(shown, shownEveryMs, pulses);
  const other = firstDue(others, othersAgainMs, pulses);
  return first === undefined || (other !== undefined && first.dueAtMs > nowMs && other.dueAtMs < first.dueAtMs)
    ? other
    : first;
};

const firstDue = (ids: readonly string[], everyMs: number, pulses: KnownPulses) => {
  let [branchId, dueAtMs]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const id of ids) {
    const known = pulses.get(id);
    const dueMs =
      known === undefined
        ? Number.NEGATIVE_INFINITY
        : known.probedAtMs + (known.failure === undefined ? everyMs : Math.max(everyMs, failedAgainMs));
    if (dueMs < dueAtMs) {
      [branchId, dueAtMs] = [id, dueMs];
    }
  }
  return branchId === undefined ? undefined : {branchId, dueAtMs};
};

/** Returns the branches on the screen: the rows of the list, or the one whose record is in its place. */
export const shownBranches = (state: State, branches: BranchesState): readonly Branch[] => {
  const list = listBranches(branches);
  if (detailsPlace(state) === 'instead' && !isFilterOpen(state)) {
    const place = selectedPlace(branches);
    return list.slice(place, place + 1);
  }
  return list.slice(branches.top, branches.top + listRows(state, list.length));
};

/**
 * Returns the branches that may be looked at: deployed ones, without those whose log is in memory and still polled.
 * None while the list is not on the screen, or the service does not even list branches.
 */
const probeChoices = (state: State, branches: BranchesState): ProbeChoices => {
  if (state.screen !== 'branches' || state.focus.kind === 'help' || branches.listing.kind !== 'good') {
    return {shown: [], others: []};
  }
  const watched = new Set(
    state.held
      .filter(({leftAtMs, log}) => log.siteId === branches.siteId && state.nowMs - leftAtMs <= heldPolledMsMax)
      .flatMap(({log}) => log.sources.map(({branch}) => branch._id)),
  );
  const isAsked = ({_id, status}: Branch): boolean => describeStatus(status).isDeployed && !watched.has(_id);
  const shown = new Set(
    shownBranches(state, branches)
      .filter(isAsked)
      .map(({_id}) => _id),
  );
  if (state.logSettings.probesOnlyShown) {
    return {shown: [...shown], others: []};
  }
  const others = branches.branches.filter(branch => !shown.has(branch._id) && isAsked(branch)).map(({_id}) => _id);
  return {shown: [...shown], others};
};

/** Counts the logs that are held in memory: they are polled, so nobody has to look at them. */
export const countHeldPulses = (before: State, state: State): State => {
  const {branches, held} = state;
  if (branches?.probes === undefined || held === before.held) {
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
  const counted = {pulse, countedAtMs: lastAnswerAtMs, probedAtMs: last.atMs};
  return connection.kind === 'failing' && last.kind === 'failed'
    ? {...counted, failure: {errorKind: connection.errorKind, status: last.status, message: connection.message}}
    : counted;
};

/**
 * Has the service count the errors of all branches, if that is wanted and it can; otherwise requests one window of the
 * branch and counts it between keys. Nothing else of it is kept.
 */
export const takeProbe = async (
  client: Pick<Client, 'probeLog' | 'countErrors'>,
  {siteId, branchId, wantsAll}: {readonly siteId: string; readonly branchId: string; readonly wantsAll: boolean},
  signal: AbortSignal,
): Promise<ProbeAnswer> => {
  const ofAll = wantsAll ? await client.countErrors(siteId, signal) : undefined;
  if (ofAll !== undefined) {
    return {...ofAll, isOfAll: true};
  }
  const answer = await client.probeLog(siteId, branchId, signal);
  const {lines, numbering} = answer.value;
  const pulse = await doWork(countWindow(lines, numbering, answer.serviceTimeMs), signal);
  return {...answer, value: new Map([[branchId, pulse]]), isOfAll: false};
};

/** The service spends at most a quarter of the time on probes, however slow its answers are. */
const pauseTimes = 3;
const slowDownMax = 16;

/** Faults of one branch, not of the service: the other branches are looked at as before. */
const isOfBranch: ReadonlySet<ApiErrorKind> = new Set(['forbidden', 'notFound', 'badId', 'tooLarge', 'notInterface']);

const withProbes = (
  state: State,
  branches: BranchesState,
  probes: Probes,
  change: Partial<BranchesState> = {},
): State => ({
  ...state,
  branches: {...branches, ...change, probes},
});

const probeAfter = ({generation, nowMs}: State, {nextAtMs}: Probes): Effect => ({
  kind: 'probeAfter',
  delayMs: Math.max(0, nextAtMs - nowMs),
  generation,
});

/** Runs after each listing: begins to look at logs, or goes on. A request for the branches ended any look. */
export const beginProbes = ({state, effects}: Step): Step => {
  const {branches} = state;
  if (branches?.probes === undefined || state.screen !== 'branches') {
    return {state, effects};
  }
  const probes = {...branches.probes, asking: undefined};
  const ids = new Set(branches.branches.map(({_id}) => _id));
  const isGone = [...branches.pulses.keys()].some(id => !ids.has(id));
  const pulses = isGone ? new Map([...branches.pulses].filter(([id]) => ids.has(id))) : branches.pulses;
  return {state: withProbes(state, branches, probes, {pulses}), effects: [...effects, probeAfter(state, probes)]};
};

/** Looks at the log of the branch whose turn it is. While none may be looked at, the next listing goes on. */
export const probeDue = (before: State, state: State): Step => {
  const {branches, logSettings, generation, nowMs} = state;
  const intervalMs = logSettings.probeIntervalMs;
  if (branches?.probes === undefined || intervalMs === undefined || branches.probes.asking) {
    return next(before);
  }
  const nextState = nextProbe(probeChoices(state, branches), branches.pulses, {nowMs, intervalMs});
  if (nextState === undefined || nextState.dueAtMs > nowMs) {
    // The rows on the screen may be others by then.
    return next(before, {kind: 'probeAfter', delayMs: intervalMs, generation});
  }
  const {branchId} = nextState;
  const probes = {...branches.probes, asking: {branchId, sinceMs: nowMs}, nextAtMs: nowMs + intervalMs};
  const {siteId} = branches;
  const wantsAll = nowMs >= probes.allAtMs;
  return next(withProbes(state, branches, probes), {kind: 'probeBranch', siteId, branchId, wantsAll, generation});
};

/** Ends a probe: the budget decides when the next one may begin. */
const probeEnded = (
  state: State,
  known: KnownPulses,
  {
    slowDown,
    failure,
    tookMs,
    allAtMs,
    delayMs = 0,
  }: Pick<Probes, 'slowDown' | 'failure'> & {
    readonly tookMs: number;
    readonly allAtMs?: number | undefined;
    readonly delayMs?: number;
  },
): Step => {
  const {branches, nowMs, logSettings} = state;
  if (branches?.probes?.asking === undefined || logSettings.probeIntervalMs === undefined) {
    return next(state);
  }
  const {sinceMs} = branches.probes.asking;
  const byBudget = sinceMs + logSettings.probeIntervalMs * slowDown;
  const byLoad = nowMs + pauseTimes * tookMs;
  const nextAtMs = Math.max(byBudget, byLoad, nowMs + delayMs);
  const probes = {slowDown, failure, nextAtMs, allAtMs: allAtMs ?? branches.probes.allAtMs};
  const pulses = new Map([...branches.pulses, ...known]);
  return next(withProbes(state, branches, probes, {pulses}), probeAfter(state, probes));
};

/** Takes what was counted. A branch that the service has not counted with the others is looked at by itself. */
export const probeArrived = (state: State, {value, durationMs, serviceTimeMs, isOfAll}: ProbeAnswer): Step => {
  const {nowMs, branches} = state;
  if (branches === undefined) {
    return next(state);
  }
  const slowDown = Math.max(1, (branches.probes?.slowDown ?? 1) / 2);
  const known = branches.branches.flatMap(({_id}): (readonly [string, KnownPulse])[] => {
    const pulse = value.get(_id);
    // A service may have read the log some time ago.
    const countedAtMs = pulse && nowMs - Math.max(0, (serviceTimeMs ?? pulse.toMs) - pulse.toMs);
    return pulse
      ? [[_id, {pulse: joinPulses(branches.pulses.get(_id)?.pulse, pulse), countedAtMs, probedAtMs: nowMs}]]
      : [];
  });
  const allAtMs = isOfAll ? nowMs + shownAgainMs : undefined;
  return probeEnded(state, new Map(known), {slowDown, tookMs: durationMs, allAtMs});
};

/** Keeps the last count, with its age and the reason why there is none newer. */
export const probeFailed = (state: State, branchId: string, error: ApiError, moment: Moment): Step => {
  const {nowMs, branches} = state;
  if (branches === undefined || error.kind === 'cancelled') {
    return next(state);
  }
  const {kind: errorKind, status, message} = error;
  const failed = {...branches.pulses.get(branchId), probedAtMs: nowMs, failure: {errorKind, status, message}};
  const known = new Map([[branchId, failed]]);
  const {slowDown = 1, failure: failing, asking} = branches.probes ?? {};
  const tookMs = nowMs - (asking?.sinceMs ?? nowMs);
  if (isOfBranch.has(errorKind)) {
    return probeEnded(state, known, {slowDown, tookMs});
  }
  const {failure, delayMs} = failAgain(failing, error, moment);
  const slower = errorKind === 'tooManyRequests' ? Math.min(slowDownMax, slowDown * 2) : slowDown;
  return probeEnded(state, known, {slowDown: slower, failure, tookMs, delayMs});
};
