import type {Answer, Branch} from '#api/client/answer.ts';
import type {ApiError} from '#api/client/api-error.ts';
import {findNamed, listBranches, nameWords, selectedPlace} from '#app/choices/branch-choices.ts';
import {newsAfter, newsSeen} from '#app/choices/list-words.ts';
import {markedBranches, toggleMark} from '#app/choices/mark-branches.ts';
import {orderAfter} from '#app/choices/order-branches.ts';
import {filterPicker, movedIndex} from '#app/choices/picker.ts';
import {type Command, keyFor} from '#app/keys/keymap.ts';
import {openLog} from '#app/log/update-polls.ts';
import {branchesIntervalMs} from '#app/polling/branch-watch.ts';
import {selectedBranch} from '#app/record/details.ts';
import {detailsColumnsMin, listRows} from '#app/record/details-place.ts';
import {enterDetails, toggleDetails, updateDetails} from '#app/record/update-details.ts';
import type {Moment} from '#app/state/event.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import {failAgain} from '#app/tail/backoff.ts';

const withBranches = (state: State, change: Partial<BranchesState>): State =>
  state.branches === undefined ? state : {...state, branches: {...state.branches, ...change}};

/** Handles commands on the branches screen. */
export const updateBranches = (state: State, command: Command): Step => {
  const {branches} = state;
  if (branches === undefined) {
    return stay(state);
  }
  const inDetails = updateDetails(state, branches, command);
  if (inDetails !== undefined) {
    return inDetails;
  }
  const choices = listBranches(branches);
  const highlighted = selectedBranch(branches);
  const moved = movedIndex(selectedPlace(branches), choices.length, command, listRows(state, choices.length));
  if (moved !== undefined) {
    const picker = {...branches.picker, selectedId: choices[moved]?._id};
    return stay(withBranches(state, {picker, news: newsSeen(branches.news, [highlighted?._id])}));
  }
  switch (command) {
    case 'open':
      return highlighted === undefined ? stay(state) : openMarkedOr(state, branches, highlighted);
    case 'toggleMark':
      return highlighted === undefined ? stay(state) : stay(toggleMark(state, branches, highlighted));
    case 'toggleDeployed':
      return stay(withBranches(state, {shows: branches.shows === 'deployed' ? 'all' : 'deployed'}));
    case 'toggleFaults':
      return stay(withBranches(state, {shows: branches.shows === 'faults' ? 'all' : 'faults'}));
    case 'nextOrder':
      return stay(withBranches(state, {order: orderAfter(branches.order, branches.looks !== undefined)}));
    case 'toggleDetails':
      return toggleDetails(state, branches);
    case 'enterDetails':
      return enterDetails(state, branches);
    case 'revealSecret':
    case 'copyField':
      return stay({
        ...state,
        notice: `${keyFor('enterDetails', 'branches')} goes into the record, to reveal or copy a field`,
      });
    case 'back':
      return goBack(state, branches);
    default:
      return stay(state);
  }
};

/** Opens the marked branches together, even those hidden by the filter; if none is marked, the highlighted one. */
const openMarkedOr = (state: State, branches: BranchesState, highlighted: Branch): Step => {
  const [first = highlighted, ...others] = markedBranches(branches);
  const opened = [first, ...others] as const;
  const news = newsSeen(
    branches.news,
    opened.map(({_id}) => _id),
  );
  return openLog(withBranches(state, {news}), branches.siteId, opened);
};

const goBack = (state: State, branches: BranchesState): Step => {
  if (branches.picker.filter !== '') {
    return stay(withBranches(state, {picker: filterPicker(branches.picker, '')}));
  }
  if (state.columns < detailsColumnsMin && state.showsDetails) {
    return stay({...state, showsDetails: false});
  }
  if (markedBranches(branches).length > 0) {
    return stay(withBranches(state, {marked: []}));
  }
  const sitePicker = {...state.sitePicker, selectedId: branches.siteId};
  return stay(
    {...state, screen: 'sites', generation: state.generation + 1, branches: undefined, sitePicker},
    {kind: 'cancel'},
  );
};

/** Orders the rows anew, and once more when the listing that the same key asks for arrives. */
export const orderNow = (state: State): State => {
  const {branches: ordered = [], pulses: orderedPulses = new Map()} = state.branches ?? {};
  return withBranches(state, {ordered, orderedPulses, orderedAtMs: state.nowMs});
};

/** A listing that arrives later than this after the key was not asked for by it: the key asks at most once a second. */
const askedWithinMs = 10_000;

/** Requests the branches now. */
export const refreshBranches = (state: State): Step => {
  const {branches, generation, nowMs} = state;
  if (branches === undefined) {
    return stay(state);
  }
  const {listing, siteId} = branches;
  return stay(
    listing.kind === 'failed' ? withBranches(state, {listing: {...listing, retryAtMs: nowMs}}) : state,
    {kind: 'cancel'},
    {kind: 'fetchBranches', siteId, generation},
  );
};

/** Replaces the branches by those that arrived; the highlight stays in place. */
export const branchesArrived = (state: State, answer: Answer<readonly Branch[]>): Step => {
  const {branches, generation} = state;
  if (branches === undefined) {
    return stay(state);
  }
  const isListed = state.sites.some(({id}) => id === branches.siteId);
  const isFirst = branches.listing.kind === 'loading' || !isListed;
  // An id that was typed is a site once the service says so: a slip of the fingers must not stay in the list.
  const sites = isListed
    ? state.sites
    : [...state.sites, {id: branches.siteId, name: undefined, openedAtMs: undefined}];
  const next = withBranches(
    {...state, sites},
    {
      branches: answer.value,
      ordered: state.nowMs - branches.orderedAtMs < askedWithinMs ? answer.value : branches.ordered,
      orderedAtMs: Number.NEGATIVE_INFINITY,
      news: newsAfter(branches, answer.value, state.log?.sources.map(({branch}) => branch._id) ?? []),
      skippedCount: answer.skipped.length,
      withoutIdCount: answer.withoutId ?? 0,
      listing: {kind: 'good', atMs: state.nowMs},
      openWhenKnown: undefined,
      openAt: undefined,
    },
  );
  const again = {kind: 'refreshAfter', delayMs: branchesIntervalMs, generation} as const;
  const remember = isFirst ? [{kind: 'rememberSite', siteId: branches.siteId} as const] : [];
  if (branches.openWhenKnown === undefined) {
    return stay(next, again, ...remember);
  }
  const [wanted, ...others] = findNamed(answer.value, branches.openWhenKnown);
  if (wanted === undefined || others.length > 0) {
    const notice =
      wanted === undefined
        ? `no branch here has the id or name “${branches.openWhenKnown}”`
        : `“${branches.openWhenKnown}” names ${others.length + 1} branches: ${[wanted, ...others].map(nameWords).join(', ')}`;
    return stay({...next, notice}, again, ...remember);
  }
  const picked = withBranches(next, {picker: {selectedId: wanted._id, filter: ''}});
  const opened = openLog(picked, branches.siteId, [wanted], branches.openAt);
  return {state: opened.state, effects: [...remember, ...opened.effects]};
};

/** Handles a failed listing: the previous branches stay on the screen. */
export const branchesFailed = (state: State, error: ApiError, moment: Moment): Step => {
  const {branches, generation} = state;
  if (branches === undefined || error.kind === 'cancelled') {
    return stay(state);
  }
  const failed = branches.listing.kind === 'failed' ? branches.listing : undefined;
  const {failure, delayMs} = failAgain(failed, error, moment);
  return stay(withBranches(state, {orderedAtMs: Number.NEGATIVE_INFINITY, listing: {kind: 'failed', ...failure}}), {
    kind: 'refreshAfter',
    delayMs,
    generation,
  });
};
