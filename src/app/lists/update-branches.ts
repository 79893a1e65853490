import type {Answer, Branch} from '#api/client/answer.ts';
import type {ApiError} from '#api/client/api-error.ts';
import {
  branchesToOpen,
  findNamed,
  listBranches,
  markedBranches,
  nameWords,
  orderAfter,
  placeById,
  selectedPlace,
  toggleMark,
} from '#app/choices/branch-choices.ts';
import {topInView} from '#app/choices/list-pane.ts';
import {newsAfter, newsSeen, withoutIdWords} from '#app/choices/list-words.ts';
import {filterPicker, movedIndex, visibleRange} from '#app/choices/palette.ts';
import {type Command, keyFor} from '#app/keys/keymap.ts';
import {openLog} from '#app/log/update-polls.ts';
import {
  detailsColumnsMin,
  enterDetails,
  listRows,
  selectedBranch,
  toggleDetails,
  updateDetails,
} from '#app/record/details.ts';
import {nameCharsMax} from '#app/rows/fit-row.ts';
import type {Moment} from '#app/state/event.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {next, type Step, withLog} from '#app/state/step.ts';
import {failAgain} from '#app/tail/backoff.ts';
import {branchesIntervalMs} from '#app/tail/branch-changes.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';

/**
 * Settles the list after an event: the highlight is on a branch of the list, in view, and no row moves unless the user
 * chose other rows, another order, or was away.
 */
export const settleList = (before: State, state: State): State => {
  const {branches} = state;
  if (branches === undefined) {
    return state;
  }
  const was = before.branches ?? branches;
  // The list before first: only the last one is kept.
  const wasList = listBranches(was);
  const isOrderedAnew =
    state.screen !== 'branches' ||
    before.screen !== 'branches' ||
    wasList.length === 0 ||
    was.shows !== branches.shows ||
    was.order !== branches.order ||
    was.picker.filter !== branches.picker.filter;
  const ordered = isOrderedAnew ? branches.branches : branches.ordered;
  const orderedPulses = isOrderedAnew ? branches.pulses : branches.orderedPulses;
  const list = listBranches({...branches, ordered, orderedPulses});
  const {selectedId: wantedId} = branches.picker;
  const selectedId =
    placeById(list, wantedId) === undefined ? (nearest(wasList, list, wantedId)?._id ?? wantedId) : wantedId;
  const place = placeById(list, selectedId) ?? 0;
  const rows = listRows(state, list.length);
  const isRefound = was.picker.filter !== branches.picker.filter || wasList.length === 0;
  const top = isRefound
    ? visibleRange(list.length, place, rows).from
    : // The highlight keeps its row on the screen, as far as the list has rows around it.
      topInView(list === wasList ? was.top : place - (placeById(wasList, was.picker.selectedId) ?? 0) + was.top, {
        place,
        length: list.length,
        room: rows,
      });
  const isOrderKept = ordered === branches.ordered && orderedPulses === branches.orderedPulses;
  if (isOrderKept && selectedId === wantedId && top === branches.top) {
    return state;
  }
  const gone = isOrderedAnew || selectedId === wantedId ? undefined : wasList[placeById(wasList, wantedId) ?? -1];
  return {
    ...state,
    notice: gone === undefined ? state.notice : goneWords(gone, branches),
    branches: {...branches, ordered, orderedPulses, top, picker: {...branches.picker, selectedId}},
  };
};

/** A record that has lost its id may be that of the branch. */
const goneWords = (gone: Branch, {withoutIdCount}: BranchesState): string => {
  const words = `${sanitiseWord(gone.name, nameCharsMax)} is no longer listed`;
  return withoutIdCount === 0 ? words : `${words}, but ${withoutIdWords(withoutIdCount)}`;
};

/**
 * Returns the branch that gets the highlight of one that is no longer listed: the next in the list before that still
 * is, else the one before; the first if there was no highlight.
 */
const nearest = (was: readonly Branch[], list: readonly Branch[], id: string | undefined): Branch | undefined => {
  const place = placeById(was, id);
  const isListed = ({_id}: Branch): boolean => placeById(list, _id) !== undefined;
  return place === undefined
    ? list[0]
    : (was.slice(place).find(isListed) ?? was.slice(0, place).findLast(isListed) ?? list[0]);
};

const withBranches = (state: State, change: Partial<BranchesState>): State =>
  state.branches === undefined ? state : {...state, branches: {...state.branches, ...change}};

/** Handles commands on the branches screen. */
export const updateBranches = (state: State, command: Command): Step => {
  const {branches} = state;
  if (branches === undefined) {
    return next(state);
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
    return next(withBranches(state, {picker, news: newsSeen(branches.news, [highlighted?._id])}));
  }
  switch (command) {
    case 'open':
      return highlighted === undefined ? next(state) : openHighlighted(state, branches, highlighted);
    case 'toggleMark':
      return highlighted === undefined ? next(state) : next(toggleMark(state, branches, highlighted));
    case 'toggleDeployed':
      return next(withBranches(state, {shows: branches.shows === 'deployed' ? 'all' : 'deployed'}));
    case 'toggleFaults':
      return next(withBranches(state, {shows: branches.shows === 'faults' ? 'all' : 'faults'}));
    case 'nextOrder':
      return next(withBranches(state, {order: orderAfter(branches.order, branches.probes !== undefined)}));
    case 'toggleDetails':
      return toggleDetails(state, branches);
    case 'enterDetails':
      return enterDetails(state, branches);
    case 'revealSecret':
    case 'copyField':
      return next({
        ...state,
        notice: `${keyFor('enterDetails', 'branches')} goes into the record, to reveal or copy a field`,
      });
    case 'back':
      return goBack(state, branches);
    default:
      return next(state);
  }
};

const openHighlighted = (state: State, branches: BranchesState, highlighted: Branch): Step => {
  const opened = branchesToOpen(branches, highlighted);
  const news = newsSeen(
    branches.news,
    opened.map(({_id}) => _id),
  );
  const {state: after, effects} = openLog(withBranches(state, {news}), branches.siteId, opened);
  return branches.guarded.size === 0 ? {state: after, effects} : next(after, ...effects, readGuard(after, branches));
};

/** A log on the screen shows what the guard reported about it. */
const readGuard = ({context, generation, log, screen}: State, {siteId}: BranchesState) => ({
  kind: 'readGuard' as const,
  contextName: context.name,
  ...{siteId, generation, looked: screen === 'log' && log ? log.sources.map(({branch}) => branch.name) : []},
});

/** Takes what the guard told. */
export const guardRead = (state: State, told: ReadonlyMap<string, number>): State => {
  const read = state.branches?.guarded.size === 0 && told.size === 0 ? state : withBranches(state, {guarded: told});
  const {log} = read;
  const count = (log && told.get(log.sources[0].branch.name)) ?? 0;
  // A log that the command line names is open before this is known; the next answer tells it.
  return log?.sinceLast === undefined || count <= log.sinceLast.guardTold
    ? read
    : withLog(read, {...log, sinceLast: {...log.sinceLast, guardTold: count}});
};

const goBack = (state: State, branches: BranchesState): Step => {
  if (branches.picker.filter !== '') {
    return next(withBranches(state, {picker: filterPicker(branches.picker, '')}));
  }
  if (state.columns < detailsColumnsMin && state.showsDetails) {
    return next({...state, showsDetails: false});
  }
  if (markedBranches(branches).length > 0) {
    return next(withBranches(state, {marked: []}));
  }
  const sitePicker = {...state.sitePicker, selectedId: branches.siteId};
  return next(
    {...state, screen: 'sites', generation: state.generation + 1, branches: undefined, sitePicker},
    {kind: 'cancel'},
  );
};

/** Orders the rows again, and once more when the listing that the same key asks for arrives. */
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
    return next(state);
  }
  const {listing, siteId} = branches;
  return next(
    listing.kind === 'failed' ? withBranches(state, {listing: {...listing, retryAtMs: nowMs}}) : state,
    {kind: 'cancel'},
    {kind: 'fetchBranches', siteId, generation},
  );
};

/** Replaces the branches by those that arrived; the highlight stays in place. */
export const branchesArrived = (state: State, answer: Answer<readonly Branch[]>): Step => {
  const {branches, generation} = state;
  if (branches === undefined) {
    return next(state);
  }
  const isListed = state.sites.some(({id}) => id === branches.siteId);
  const isFirst = branches.listing.kind === 'loading' || !isListed;
  // An id that was typed is a site once the service says so: a slip of the fingers must not stay in the list.
  const sites = isListed
    ? state.sites
    : [...state.sites, {id: branches.siteId, name: undefined, openedAtMs: undefined}];
  const nextState = withBranches(
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
  const remember = [
    ...(state.remembersLogs ? [readGuard(nextState, branches)] : []),
    ...(isFirst ? [{kind: 'rememberSite', siteId: branches.siteId} as const] : []),
  ];
  if (branches.openWhenKnown === undefined) {
    return next(nextState, again, ...remember);
  }
  const [wanted, ...others] = findNamed(answer.value, branches.openWhenKnown);
  if (wanted === undefined || others.length > 0) {
    const notice =
      wanted === undefined
        ? `no branch here has the id or name “${branches.openWhenKnown}”`
        : `“${branches.openWhenKnown}” names ${others.length + 1} branches: ${[wanted, ...others].map(nameWords).join(', ')}`;
    return next({...nextState, notice}, again, ...remember);
  }
  const picked = withBranches(nextState, {picker: {selectedId: wanted._id, filter: ''}});
  // What somebody saved together is shown together.
  const beside = state.context.saved ? answer.value.filter(each => each !== wanted) : [];
  const opened = openLog(picked, branches.siteId, [wanted, ...beside], branches.openAt);
  return {state: opened.state, effects: [...remember, ...opened.effects]};
};

/** Handles a failed listing: the previous branches stay on the screen. */
export const branchesFailed = (state: State, error: ApiError, moment: Moment): Step => {
  const {branches, generation} = state;
  if (branches === undefined || error.kind === 'cancelled') {
    return next(state);
  }
  const failed = branches.listing.kind === 'failed' ? branches.listing : undefined;
  const {failure, delayMs} = failAgain(failed, error, moment);
  return next(withBranches(state, {orderedAtMs: Number.NEGATIVE_INFINITY, listing: {kind: 'failed', ...failure}}), {
    kind: 'refreshAfter',
    delayMs,
    generation,
  });
};
