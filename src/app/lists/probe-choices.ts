import type {Branch} from '#api/client/answer.ts';
import {listBranches, selectedPlace} from '#app/choices/branch-choices.ts';
import {isFilterOpen} from '#app/keys/input-focus.ts';
import {detailsPlace, listRows} from '#app/record/details.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import type {KnownPulses} from '#app/tail/known-pulse.ts';
import {heldPolledMsMax} from '#app/tail/polls.ts';
import {describeStatus} from '#app/words/describe-status.ts';

/** Ids of branches that may be looked at, in the order of the list. */
export type ProbeChoices = {
  /** Those on the screen. */
  readonly shown: readonly string[];
  readonly others: readonly string[];
};

/** Branches on the screen are looked at again after this long, milliseconds: rates are per minute. */
export const shownAgainMs = 10_000;
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
export const probeChoices = (state: State, branches: BranchesState): ProbeChoices => {
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
