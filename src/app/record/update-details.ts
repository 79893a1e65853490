import {Secret} from '../../api/secret.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {listBranches} from '../choices/branch-choices.ts';
import {type Command, keyFor} from '../keys/keymap.ts';
import {movement} from '../keys/movement.ts';
import {nameCharsMax} from '../rows/word-limits.ts';
import type {BranchesState, State} from '../state/state.ts';
import {type Step, stay} from '../state/step.ts';
import {focusedField, isNeverShown, isRevealed, recordFields, revealMs, selectedBranch} from './details.ts';
import {areDetailsShown, detailsPlace, detailsRows} from './details-place.ts';

/** Shows or hides the record. If it replaces the list, the highlight goes into it. */
export const toggleDetails = (state: State, branches: BranchesState): Step => {
  const toggled = {...state, showsDetails: !areDetailsShown(state)};
  return detailsPlace(toggled) === 'instead' ? enterDetails(toggled, branches) : stay(toggled);
};

/** Moves the highlight into the record, and shows the record if it is hidden. */
export const enterDetails = (state: State, branches: BranchesState): Step =>
  selectedBranch(branches) === undefined
    ? stay(state)
    : stay({
        ...state,
        showsDetails: areDetailsShown(state) ? state.showsDetails : true,
        branches: {...branches, details: {fieldKey: undefined}},
      });

/** Handles a command while the highlight is in the record; undefined if it means the same as in the list. */
export const updateDetails = (state: State, branches: BranchesState, command: Command): Step | undefined => {
  const branch = selectedBranch(branches);
  const field = focusedField(branches);
  if (branches.details === undefined || branch === undefined || field === undefined) {
    return undefined;
  }
  const fields = recordFields(branch);
  const distance = movement(command, detailsRows(state, listBranches(branches).length));
  if (distance !== undefined) {
    const index = Math.max(0, Math.min(fields.length - 1, fields.indexOf(field) + distance));
    return stay({...state, branches: {...branches, details: {fieldKey: fields[index]?.key}}});
  }
  switch (command) {
    case 'open':
    case 'revealSecret':
      return reveal(state, branches);
    case 'copyField':
      return copy(state, branches);
    case 'enterDetails':
      return stay(state);
    case 'back':
      return stay({
        ...state,
        showsDetails: detailsPlace(state) === 'instead' ? false : state.showsDetails,
        branches: {...branches, details: undefined},
      });
    default:
      return undefined;
  }
};

/** Reveals the highlighted secret for a while; masks any other. */
const reveal = (state: State, branches: BranchesState): Step => {
  const branch = selectedBranch(branches);
  const field = focusedField(branches);
  if (branch === undefined || field === undefined || !(field.value instanceof Secret)) {
    return stay({
      ...state,
      notice: `this is not a secret; ${keyFor('copyField', 'branches')} copies it`,
    });
  }
  if (isNeverShown(field)) {
    return stay({...state, notice: 'private keys are never shown'});
  }
  if (isRevealed(branches, branch, field)) {
    return stay({...state, branches: {...branches, revealed: undefined}});
  }
  const revealed = {branchId: branch._id, fieldKey: field.key, secret: field.value, untilMs: state.nowMs + revealMs};
  return stay(
    {
      ...state,
      branches: {...branches, details: {fieldKey: field.key}, revealed},
      notice: `shown for ${revealMs / 1000} s, or until you move on; ${keyFor('copyField', 'branches')} copies it`,
    },
    {kind: 'hideSecretAfter', delayMs: revealMs},
  );
};

/** Copies the value of the highlighted field as received; a secret only while it is revealed. */
const copy = (state: State, branches: BranchesState): Step => {
  const branch = selectedBranch(branches);
  const field = focusedField(branches);
  if (branch === undefined || field === undefined) {
    return stay(state);
  }
  const {label, value} = field;
  const what = sanitiseWord(`${label.trim() || 'the variable'} of ${branch.name}`, nameCharsMax);
  if (!(value instanceof Secret)) {
    return stay(state, {kind: 'copy', text: value, what});
  }
  if (isNeverShown(field)) {
    return stay({...state, notice: 'private keys are never shown or copied'});
  }
  return isRevealed(branches, branch, field)
    ? stay(state, {kind: 'copy', text: value.reveal(), what})
    : stay({...state, notice: `reveal the secret before copying it: ${keyFor('open', 'branches')}`});
};
