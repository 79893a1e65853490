import type {Branch} from '#api/client/answer.ts';
import {listBranches, selectedPlace} from '#app/choices/branch-choices.ts';
import {heldPolledMsMax} from '#app/log/update-held.ts';
import {detailsPlace, listRows} from '#app/record/details-place.ts';
import {isFilterOpen} from '#app/state/input-focus.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import type {LookChoices} from '../pulse/next-look.ts';

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
export const lookChoices = (state: State, branches: BranchesState): LookChoices => {
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
  if (state.logSettings.looksOnlyAtShown) {
    return {shown: [...shown], others: []};
  }
  const others = branches.branches.filter(branch => !shown.has(branch._id) && isAsked(branch)).map(({_id}) => _id);
  return {shown: [...shown], others};
};
