import type {Branch} from '#api/client/answer.ts';
import {keyFor} from '#app/keys/keymap.ts';
import {branchTones} from '#app/rows/view-row.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {branchById} from './branch-choices.ts';

/** The limit of distinct tones, and of parallel requests that one user may send to the service. */
export const markedMax = branchTones.length;

/**
 * Returns the marked branches that can still be opened, in the order of marking: without those that are gone or no
 * longer built out.
 */
export const markedBranches = ({branches, marked}: BranchesState): readonly Branch[] =>
  marked.flatMap(id => {
    const branch = branchById(branches, id);
    return branch === undefined || branch.status === null ? [] : [branch];
  });

/** Marks or unmarks a branch; a notice says why if that is not possible. */
export const toggleMark = (state: State, branches: BranchesState, branch: Branch): State => {
  const marked = markedBranches(branches).map(({_id}) => _id);
  const withMarks = (ids: readonly string[]): State => ({
    ...state,
    branches: {...branches, marked: ids},
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
