import type {Answer} from '../api/answer.ts';
import type {ApiError} from '../api/api-error.ts';
import type {Branch} from '../api/branch.ts';
import {backoffMs} from './backoff.ts';
import {findBranch, listBranches} from './branch-choices.ts';
import {branchesIntervalMs} from './branch-watch.ts';
import type {Moment} from './event.ts';
import type {Command} from './keymap.ts';
import {markedBranches, toggleMark} from './mark-branches.ts';
import {movePicker, selectedIndex} from './picker.ts';
import {type BranchesState, paneRows, type State} from './state.ts';
import {type Step, stay} from './step.ts';
import {openLog} from './update-log.ts';

const withBranches = (state: State, change: Partial<BranchesState>): State =>
  state.branches === undefined ? state : {...state, branches: {...state.branches, ...change}};

/** Below this width the record would leave no room for the list: it takes the list's place when asked for. */
export const detailsColumnsMin = 100;

/** Is the record shown? By itself on a wide terminal, until the user says otherwise. */
export const areDetailsShown = (state: Pick<State, 'columns' | 'showsDetails'>): boolean =>
  state.showsDetails ?? state.columns >= detailsColumnsMin;

/** Commands on the branches screen. */
export const updateBranches = (state: State, command: Command): Step => {
  const {branches} = state;
  if (branches === undefined) {
    return stay(state);
  }
  const choices = listBranches(branches);
  const ids = choices.map(branch => branch._id);
  const moved = movePicker(ids, branches.picker, command, paneRows(state));
  if (moved) {
    return stay(withBranches(state, {picker: moved}));
  }
  switch (command) {
    case 'open': {
      const branch = choices[selectedIndex(ids, branches.picker)];
      return branch === undefined
        ? stay(state)
        : openMarkedOr(withBranches(state, {picker: {...branches.picker, selectedId: branch._id}}), branches, branch);
    }
    case 'toggleMark': {
      const branch = choices[selectedIndex(ids, branches.picker)];
      return branch === undefined ? stay(state) : stay(toggleMark(state, branches, branch));
    }
    case 'toggleDeployed':
      return stay(withBranches(state, {deployedOnly: !branches.deployedOnly}));
    case 'toggleDetails':
      return stay({...state, showsDetails: !areDetailsShown(state)});
    case 'back':
      return goBack(state, branches);
    default:
      return stay(state);
  }
};

/** The marked branches together, whether the filter shows them or not; where none is, the highlighted one. */
const openMarkedOr = (state: State, branches: BranchesState, highlighted: Branch): Step => {
  const [first = highlighted, ...others] = markedBranches(branches);
  return openLog(state, branches.siteId, [first, ...others]);
};

const goBack = (state: State, branches: BranchesState): Step => {
  if (branches.picker.filter !== '') {
    return stay(withBranches(state, {picker: {...branches.picker, filter: ''}}));
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

/** Asks for the branches now. */
export const refreshBranches = (state: State): Step =>
  state.branches === undefined
    ? stay(state)
    : stay(
        state,
        {kind: 'cancel'},
        {kind: 'fetchBranches', siteId: state.branches.siteId, generation: state.generation},
      );

/** The branches came: they take the place of those before, and the highlight stays where it is. */
export const branchesArrived = (state: State, answer: Answer<readonly Branch[]>): Step => {
  const {branches, generation} = state;
  if (branches === undefined) {
    return stay(state);
  }
  const isFirst = branches.listing.kind === 'loading';
  const next = withBranches(state, {
    branches: answer.value,
    skippedCount: answer.skipped.length,
    listing: {kind: 'good', atMs: state.nowMs},
    openWhenKnown: undefined,
  });
  const again = {kind: 'refreshAfter', delayMs: branchesIntervalMs, generation} as const;
  const remember = isFirst ? [{kind: 'rememberSite', siteId: branches.siteId} as const] : [];
  if (branches.openWhenKnown === undefined) {
    return stay(next, again, ...remember);
  }
  const wanted = findBranch(answer.value, branches.openWhenKnown);
  if (wanted === undefined) {
    return stay({...next, notice: `no branch here has the id or name “${branches.openWhenKnown}”`}, again, ...remember);
  }
  const opened = openLog(withBranches(next, {picker: {selectedId: wanted._id, filter: ''}}), branches.siteId, [wanted]);
  return {state: opened.state, effects: [...remember, ...opened.effects]};
};

/** They did not come: those before stay on the screen. */
export const branchesFailed = (state: State, error: ApiError, {nowMs, random}: Moment): Step => {
  const {branches, generation} = state;
  if (branches === undefined || error.kind === 'cancelled') {
    return stay(state);
  }
  const failed = branches.listing.kind === 'failed' ? branches.listing : undefined;
  const attemptNumber = (failed?.attemptNumber ?? 0) + 1;
  const delayMs = Math.round(backoffMs({error, attemptNumber, random}));
  return stay(
    withBranches(state, {
      listing: {
        kind: 'failed',
        message: error.message,
        sinceMs: failed?.sinceMs ?? nowMs,
        retryAtMs: nowMs + delayMs,
        attemptNumber,
      },
    }),
    {kind: 'refreshAfter', delayMs, generation},
  );
};
