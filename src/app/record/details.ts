import type {Branch} from '../../api/decode/branch.ts';
import {Secret} from '../../api/secret.ts';
import {createSideTable, once} from '../../log/buffer/side-table.ts';
import {listBranches} from '../choices/branch-choices.ts';
import {selectedIndex} from '../choices/picker.ts';
import {isFilterOpen} from '../state/front.ts';
import type {BranchesState, State} from '../state/state.ts';
import {detailsPlace} from './details-place.ts';
import {groupRecord, type RecordField, type RecordGroup} from './record-fields.ts';

/** How long a secret can be read before it is a mask again, milliseconds. */
export const revealMs = 15_000;

/** A branch's record in groups; the same ones for the same record. */
export const recordGroups: (branch: Branch) => readonly RecordGroup[] = once(createSideTable(), groupRecord);

export const recordFields = (branch: Branch): readonly RecordField[] =>
  recordGroups(branch).flatMap(({fields}) => fields);

/** The branch that is highlighted in the list, where it has any. */
export const selectedBranch = (branches: BranchesState): Branch | undefined => {
  const choices = listBranches(branches);
  return choices[
    selectedIndex(
      choices.map(({_id}) => _id),
      branches.picker,
    )
  ];
};

/** The field that is highlighted: the first one of the record where it doesn't have the one that was (any more). */
export const focusedField = (branches: BranchesState): RecordField | undefined => {
  const branch = branches.details && selectedBranch(branches);
  const fields = branch === undefined ? [] : recordFields(branch);
  return fields.find(({key}) => key === branches.details?.fieldKey) ?? fields[0];
};

/** A private key is of no use on a screen, and no screen is a place for one; so is what stands where a certificate should. */
export const isNeverShown = ({key, value}: RecordField): boolean =>
  value instanceof Secret && (/private.?key|sslCertificate/i.test(key) || /PRIVATE KEY/.test(value.reveal()));

/** Is this the secret that can be read at the moment? */
export const isRevealed = ({revealed}: BranchesState, branch: Branch, {key, value}: RecordField): boolean =>
  revealed !== undefined &&
  revealed.branchId === branch._id &&
  revealed.fieldKey === key &&
  value instanceof Secret &&
  value.reveal() === revealed.secret.reveal();

export const withoutRevealed = (state: State): State =>
  state.branches?.revealed === undefined ? state : {...state, branches: {...state.branches, revealed: undefined}};

/**
 * The state with the highlight in the record only as long as the record is on the screen, and a secret readable only as long as it is the highlighted field,
 * with nothing in front of it.
 */
export const settleDetails = (state: State): State => {
  const {branches} = state;
  if (branches === undefined || (branches.details === undefined && branches.revealed === undefined)) {
    return state;
  }
  const branch = selectedBranch(branches);
  const isShown =
    state.screen === 'branches' && !isFilterOpen(state) && branch !== undefined && detailsPlace(state) !== 'nowhere';
  const details = isShown ? branches.details : undefined;
  const field = details && focusedField(branches);
  const isReadable =
    isShown &&
    field !== undefined &&
    isRevealed(branches, branch, field) &&
    state.front.kind === 'none' &&
    state.nowMs < (branches.revealed?.untilMs ?? 0);
  const revealed = isReadable ? branches.revealed : undefined;
  return details === branches.details && revealed === branches.revealed
    ? state
    : {...state, branches: {...branches, details, revealed}};
};
