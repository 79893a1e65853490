import type {Branch} from '../../api/decode/branch.ts';
import {type FuzzyMatch, fuzzyMatch} from '../../log/fuzzy/fuzzy.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {nameCharsMax} from '../rows/word-limits.ts';
import type {BranchesState} from '../state/state.ts';
import {describeStatus} from '../words/describe-status.ts';
import {orderBranches} from './order-branches.ts';

/** A branch's name as lists show it, and as a filter is matched against it. */
export const branchName = (branch: Branch): string => sanitiseWord(branch.name, nameCharsMax);

type Asked = Pick<BranchesState, 'branches' | 'picker' | 'shows' | 'order'>;

/** The branches that are listed: the best fit first while a filter is typed, else in the order that was chosen. The same list for the same question. */
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

/** Where the name matches what was typed; undefined where it doesn't. */
export const matchName = (filter: string, branch: Branch): FuzzyMatch | undefined =>
  filter.trim() === '' ? undefined : fuzzyMatch(filter, branchName(branch));

const behindNames = Number.MIN_SAFE_INTEGER;

/** Ids and statuses have to hold it as it is: letters that are strewn over an id fit anything. They come after the names. */
const scoreOf = (filter: string, branch: Branch): number | undefined => {
  const wanted = filter.toLowerCase();
  const others = [branch._id, branch.status, describeStatus(branch.status).words];
  return (
    matchName(filter, branch)?.score ??
    (others.some(word => word?.toLowerCase().includes(wanted)) ? behindNames : undefined)
  );
};

/** A branch by its id or, where no id fits, by its name. */
export const findBranch = (branches: readonly Branch[], idOrName: string): Branch | undefined =>
  branches.find(branch => branch._id === idOrName) ?? branches.find(branch => branch.name === idOrName);
