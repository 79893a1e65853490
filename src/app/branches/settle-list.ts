import type {Branch} from '#api/client/answer.ts';
import {listBranches, placeById} from '#app/choices/branch-choices.ts';
import {visibleRange} from '#app/choices/picker.ts';
import {withoutIdWords} from '#app/choices/without-id-words.ts';
import {topInView} from '#app/list-pane/list-place.ts';
import {listRows} from '#app/record/details-place.ts';
import {nameCharsMax} from '#app/rows/word-limits.ts';
import type {BranchesState, State} from '#app/state/state.ts';
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
  const orderedPulses = isOrderedAnew && branches.order === 'errors' ? branches.pulses : branches.orderedPulses;
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
