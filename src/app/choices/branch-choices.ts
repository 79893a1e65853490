import type {Branch} from '../../api/decode/branch.ts';
import {isOfWorkload} from '../../api/is-of-workload.ts';
import {createSideTable, once} from '../../log/buffer/side-table.ts';
import {type FuzzyMatch, fuzzyMatch} from '../../log/fuzzy/fuzzy.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {nameCharsMax} from '../rows/word-limits.ts';
import type {BranchesState, ListedBranches} from '../state/state.ts';
import {describeStatus, notAsDescribed} from '../words/describe-status.ts';
import {orderBranches} from './order-branches.ts';

/** Returns a branch's name as received. A branch whose name is malformed is known by its id. */
export const nameWords = ({name, malformed}: Branch): string =>
  malformed.includes('name') ? `${name} (name ${notAsDescribed})` : name;

/** Returns a branch's name as lists show it and filters match it. */
export const branchName = (branch: Branch): string => sanitiseWord(nameWords(branch), nameCharsMax);

type Asked = Pick<BranchesState, 'branches' | 'picker' | 'shows' | 'order'>;

/**
 * Returns the listed branches: the best match first while a filter is typed, otherwise in the chosen order. Both are as
 * of the records in `ordered`; branches that have come to fit since then are at the end. Returns the same array for the
 * same arguments.
 */
export const listBranches = (state: BranchesState): readonly Branch[] => keepListed(state).list;

/** Checks whether ordering the rows anew would change nothing. */
export const areInOrder = (state: BranchesState): boolean => keepListed(state).areInOrder;

const keepListed = (state: BranchesState): ListedBranches =>
  state.listed.answer([state.branches, state.ordered, state.picker.filter, state.shows, state.order], () =>
    findInPlace(state),
  );

const findInPlace = (state: BranchesState): ListedBranches => {
  const ordered = findBranches(state);
  if (state.ordered === state.branches) {
    return {list: ordered, areInOrder: true};
  }
  const rows = findBranches({...state, branches: state.ordered});
  const list = [
    ...rows.flatMap(({_id}) => branchById(state.branches, _id) ?? []),
    ...ordered.filter(({_id}) => placeById(rows, _id) === undefined),
  ];
  return {list, areInOrder: list.length === ordered.length && list.every((branch, index) => branch === ordered[index])};
};

/** Returns the index of each branch in a list, by id. */
const placesIn: (list: readonly Branch[]) => ReadonlyMap<string, number> = once(
  createSideTable(),
  // Of two branches with one id the first counts, as everywhere.
  list => new Map(list.map(({_id}, index) => [_id, index] as const).reverse()),
);

/** Returns the index of a branch in a list; undefined if it is not there. */
export const placeById = (list: readonly Branch[], id: string | undefined): number | undefined =>
  id === undefined ? undefined : placesIn(list).get(id);

/** Returns the branch of a list that has this id. */
export const branchById = (list: readonly Branch[], id: string): Branch | undefined => list[placeById(list, id) ?? -1];

/** Returns the index of the highlight; 0 in an empty list. */
export const selectedPlace = (state: BranchesState): number =>
  placeById(listBranches(state), state.picker.selectedId) ?? 0;

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

/**
 * Finds the branches that a word names: by id, else by name, else by their workloads, as for kubectl, else by their
 * release.
 */
export const findNamed = (branches: readonly Branch[], word: string): readonly Branch[] => {
  const byId = branchById(branches, word);
  const found = [
    byId ? [byId] : [],
    branches.filter(({name}) => name === word),
    branches.filter(branch => isOfWorkload(branch, word)),
    branches.filter(({release}) => release === word),
  ];
  return found.find(each => each.length > 0) ?? [];
};
