import type {Branch} from '../../api/decode/branch.ts';
import {Secret} from '../../api/secret.ts';
import {createSideTable, once} from '../../log/buffer/side-table.ts';
import {listBranches, selectedPlace} from '../choices/branch-choices.ts';
import {isFilterOpen} from '../state/front.ts';
import type {BranchesState, State} from '../state/state.ts';
import {detailsPlace} from './details-place.ts';
import {groupRecord, type RecordField, type RecordGroup} from './record-fields.ts';

/** How long a revealed secret stays readable, milliseconds. */
export const revealMs = 15_000;

/** Returns a branch's record in groups; the same array for the same record. */
export const recordGroups: (branch: Branch) => readonly RecordGroup[] = once(createSideTable(), groupRecord);

export const recordFields = (branch: Branch): readonly RecordField[] =>
  recordGroups(branch).flatMap(({fields}) => fields);

/** Returns the highlighted branch; undefined if the list is empty. */
export const selectedBranch = (branches: BranchesState): Branch | undefined =>
  listBranches(branches)[selectedPlace(branches)];

/** Returns the highlighted field, or the record's first field if the highlighted one is not there (any more). */
export const focusedField = (branches: BranchesState): RecordField | undefined => {
  const branch = branches.details && selectedBranch(branches);
  const fields = branch === undefined ? [] : recordFields(branch);
  return fields.find(({key}) => key === branches.details?.fieldKey) ?? fields[0];
};

/**
 * Checks for values never to be shown: private keys, which nobody needs on a screen, and anything in place of a
 * certificate.
 */
export const isNeverShown = ({key, value}: RecordField): boolean =>
  value instanceof Secret && (/private.?key|sslCertificate/i.test(key) || /PRIVATE KEY/.test(value.reveal()));

/** Checks whether this is the secret currently revealed. */
export const isRevealed = ({revealed}: BranchesState, branch: Branch, {key, value}: RecordField): boolean =>
  revealed !== undefined &&
  revealed.branchId === branch._id &&
  revealed.fieldKey === key &&
  value instanceof Secret &&
  value.reveal() === revealed.secret.reveal();

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
 * highlighted field and nothing is in front of it.
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
