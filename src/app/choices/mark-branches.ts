import type {Branch} from '../../api/decode/branch.ts';
import {keyFor} from '../keys/keymap.ts';
import {branchTones} from '../rows/view-row.ts';
import type {BranchesState, State} from '../state/state.ts';

/** So many can be told apart by their tones, and so many requests at a time one user may ask of the service. */
export const markedMax = branchTones.length;

/** The branches that are marked and still can be opened, in the order of marking: one that is gone, or is no longer built out, is none of them. */
export const markedBranches = ({branches, marked}: BranchesState): readonly Branch[] =>
  marked.flatMap(id => branches.filter(branch => branch._id === id && branch.status !== null));

/** Marks a branch, or unmarks it; a notice says where that can't be. */
export const toggleMark = (state: State, branches: BranchesState, branch: Branch): State => {
  const marked = markedBranches(branches).map(({_id}) => _id);
  const withMarks = (ids: readonly string[]): State => ({
    ...state,
    branches: {...branches, picker: {...branches.picker, selectedId: branch._id}, marked: ids},
  });
  if (marked.includes(branch._id)) {
    return withMarks(marked.filter(id => id !== branch._id));
  }
  if (branch.status === null) {
    return {...state, notice: `${branch.name} is not built out, so it has no log`};
  }
  return marked.length >= markedMax
    ? {
        ...state,
        notice: `${markedMax} branches are marked, the maximum: unmark one with ${keyFor('toggleMark', 'branches')} first`,
      }
    : withMarks([...marked, branch._id]);
};
