import type {Branch} from '#api/client/answer.ts';
import {listBranches, selectedPlace} from '#app/choices/branch-choices.ts';
import {isFilterOpen} from '#app/state/input-focus.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {detailsPlace} from './details-place.ts';
import {fieldInFocus, type OpenRecord, stillRevealed} from './open-record.ts';
import {pulseGroups} from './pulse-fields.ts';
import {groupRecord, type RecordField, type RecordGroup} from './record-fields.ts';

/** Returns a branch's record in groups; the same array for the same record. */
const recordGroups: (branch: Branch) => readonly RecordGroup[] = once(createWeakCache(), groupRecord);

/** What its log says comes first: it is the only part that changes while one looks. */
export const shownGroups = (branches: BranchesState, branch: Branch): readonly RecordGroup[] => [
  ...pulseGroups(branches, branch),
  ...recordGroups(branch),
];

const recordFields = (branches: BranchesState, branch: Branch): readonly RecordField[] =>
  shownGroups(branches, branch).flatMap(({fields}) => fields);

/** Returns the highlighted branch; undefined if the list is empty. */
export const selectedBranch = (branches: BranchesState): Branch | undefined =>
  listBranches(branches)[selectedPlace(branches)];

/** Returns the record of the highlighted branch; undefined if the list is empty. */
export const openRecordOf = (branches: BranchesState): OpenRecord | undefined => {
  const branch = selectedBranch(branches);
  return (
    branch && {ownerId: branch._id, ownerName: branch.name, fields: recordFields(branches, branch), place: branches}
  );
};

/** Returns the highlighted field; undefined while the highlight is in the list. */
export const focusedField = (branches: BranchesState): RecordField | undefined => {
  const record = branches.details && openRecordOf(branches);
  return record && fieldInFocus(record);
};

/** Masks every secret: that of a branch's record, and that of a pod. */
export const withoutRevealed = (state: State): State => {
  const {branches, log} = state;
  const pane = log?.overlay;
  return {
    ...state,
    branches: branches?.revealed === undefined ? branches : {...branches, revealed: undefined},
    log:
      pane?.kind !== 'pods' || pane.revealed === undefined
        ? log
        : log && {...log, overlay: {...pane, revealed: undefined}},
  };
};

/**
 * Keeps the highlight in the record only while the record is on the screen, and a secret revealed only while it is the
 * highlighted field and nothing is open over it.
 */
export const settleDetails = (state: State): State => {
  const {branches} = state;
  if (branches === undefined || (branches.details === undefined && branches.revealed === undefined)) {
    return state;
  }
  const record = openRecordOf(branches);
  const isShown =
    record !== undefined && state.screen === 'branches' && !isFilterOpen(state) && detailsPlace(state) !== 'nowhere';
  const details = isShown ? branches.details : undefined;
  const revealed = isShown ? stillRevealed(state, record) : undefined;
  return details === branches.details && revealed === branches.revealed
    ? state
    : {...state, branches: {...branches, details, revealed}};
};
