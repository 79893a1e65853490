import type {Branch} from '../../api/decode/branch.ts';
import {type FuzzyMatch, fuzzyMatch} from '../../log/fuzzy/fuzzy.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {nameCharsMax} from '../rows/word-limits.ts';
import type {BranchesState} from '../state/state.ts';
import {describeStatus} from '../words/describe-status.ts';
import {orderBranches} from './order-branches.ts';

/** Returns a branch's name as lists show it and filters match it. */
export const branchName = (branch: Branch): string => sanitiseWord(branch.name, nameCharsMax);

type Asked = Pick<BranchesState, 'branches' | 'picker' | 'shows' | 'order'>;

/**
 * Returns the listed branches: the best match first while a filter is typed, otherwise in the chosen order. Returns
 * the same array for the same arguments.
 */
export const listBranches = (state: BranchesState): readonly Branch[] =>
  state.listed.answer([state.branches, state.picker.filter, state.shows, state.order], () => findBranches(state));

const findBranches = ({branches, picker, shows, order}: Asked): readonly Branch[] => {
  const shown = orderBranches(branches, order).filter(branch => {
    const {isDeployed, isFault} = describeStatus(branch.status);
    return shows === 'all' || (shows === 'deployed' ? isDeployed : isFault);
  });
  const filter = picker.filter.trim();
  return filter === ''
    ? shown
    : shown
        .flatMap(branch => {
          const score = scoreOf(filter, branch);
          return score === undefined ? [] : [{branch, score}];
        })
        .sort((a, b) => b.score - a.score)
        .map(({branch}) => branch);
};

/** Returns the match ranges of the filter in the name; undefined if it does not match. */
export const matchName = (filter: string, branch: Branch): FuzzyMatch | undefined =>
  filter.trim() === '' ? undefined : fuzzyMatch(filter, branchName(branch));

const behindNames = Number.MIN_SAFE_INTEGER;

/**
 * Ids and statuses must contain the text literally: a fuzzy match on an id would match anything. They rank after
 * names.
 */
const scoreOf = (filter: string, branch: Branch): number | undefined => {
  const wanted = filter.toLowerCase();
  const others = [branch._id, branch.status, describeStatus(branch.status).words];
  return (
    matchName(filter, branch)?.score ??
    (others.some(word => word?.toLowerCase().includes(wanted)) ? behindNames : undefined)
  );
};

/** Finds a branch by id or, if no id matches, by name. */
export const findBranch = (branches: readonly Branch[], idOrName: string): Branch | undefined =>
  branches.find(branch => branch._id === idOrName) ?? branches.find(branch => branch.name === idOrName);
