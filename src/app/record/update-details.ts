import {listBranches} from '#app/choices/branch-choices.ts';
import type {Command} from '#app/keys/keymap.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import {openRecordOf, selectedBranch} from './details.ts';
import {areDetailsShown, detailsPlace, detailsRows} from './details-place.ts';
import {pressInRecord} from './open-record.ts';

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
  const record = branches.details && openRecordOf(branches);
  if (record === undefined) {
    return undefined;
  }
  switch (command) {
    case 'enterDetails':
      return stay(state);
    case 'back':
      return stay({
        ...state,
        showsDetails: detailsPlace(state) === 'instead' ? false : state.showsDetails,
        branches: {...branches, details: undefined},
      });
    default:
      return pressInRecord(state, record, command, {
        screen: 'branches',
        reveal: 'open',
        copy: 'copyField',
        pageRows: detailsRows(state, listBranches(branches).length),
        withPlace: place => ({...state, branches: {...branches, details: place.details, revealed: place.revealed}}),
      });
  }
};
