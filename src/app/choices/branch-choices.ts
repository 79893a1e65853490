import {type Branch, isOfWorkload} from '#api/client/answer.ts';
import {nameCharsMax} from '#app/rows/word-limits.ts';
import type {BranchesState, ListedBranches} from '#app/state/state.ts';
import {describeStatus, notAsDescribed} from '#app/words/describe-status.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {bestFirst, createFuzzyScorer, type FuzzyMatch, fuzzyMatch, scoreItems} from '#log/fuzzy.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {orderBranches} from './order-branches.ts';

/** Returns a branch's name as received. A branch whose name is malformed is known by its id. */
export const nameWords = ({name, malformed}: Branch): string =>
  malformed.includes('name') ? `${name} (name ${notAsDescribed})` : name;

/** Returns a branch's name as lists show it and filters match it. */
export const branchName = (branch: Branch): string => sanitiseWord(nameWords(branch), nameCharsMax);

type Asked = Pick<BranchesState, 'branches' | 'picker' | 'shows' | 'order' | 'pulses'>;

/**
 * Returns the listed branches: the best match first while a filter is typed, otherwise in the chosen order. Both are as
 * of the records in `ordered`; branches that have come to fit since then are at the end. Returns the same array for the
 * same arguments.
 */
export const listBranches = (state: BranchesState): readonly Branch[] => keepListed(state).list;

/** Checks whether ordering the rows anew would change nothing. */
export const areInOrder = (state: BranchesState): boolean => keepListed(state).areInOrder;

const keepListed = (state: BranchesState): ListedBranches => {
  const {branches, ordered, picker, shows, order, pulses, orderedPulses} = state;
  const counted = order === 'errors' ? [pulses, orderedPulses] : [];
  return state.listed.answer([branches, ordered, picker.filter, shows, order, ...counted], () => findInPlace(state));
};

const findInPlace = (state: BranchesState): ListedBranches => {
  const ordered = findBranches(state);
  if (state.ordered === state.branches && (state.order !== 'errors' || state.orderedPulses === state.pulses)) {
    return {list: ordered, areInOrder: true};
  }
  const rows = findBranches({...state, branches: state.ordered, pulses: state.orderedPulses});
  const list = [
    ...rows.flatMap(({_id}) => branchById(state.branches, _id) ?? []),
    ...ordered.filter(({_id}) => placeById(rows, _id) === undefined),
  ];
  return {list, areInOrder: list.length === ordered.length && list.every((branch, index) => branch === ordered[index])};
};

/** Returns the index of each branch in a list, by id. */
const placesIn: (list: readonly Branch[]) => ReadonlyMap<string, number> = once(
  createWeakCache(),
  // Of two branches with one id the first counts, as everywhere.
  list => {
    const places = new Map<string, number>();
    for (let index = list.length - 1; index >= 0; index -= 1) {
      places.set(list[index]?._id ?? '', index);
    }
    return places;
  },
);

/** Returns the index of a branch in a list; undefined if it is not there. */
export const placeById = (list: readonly Branch[], id: string | undefined): number | undefined =>
  id === undefined ? undefined : placesIn(list).get(id);

/** Returns the branch of a list that has this id. */
export const branchById = (list: readonly Branch[], id: string): Branch | undefined => list[placeById(list, id) ?? -1];

/** Returns the index of the highlight; 0 in an empty list. */
export const selectedPlace = (state: BranchesState): number =>
  placeById(listBranches(state), state.picker.selectedId) ?? 0;

const findBranches = ({picker, shows, ...asked}: Asked): readonly Branch[] => {
  const inOrder = orderBranches(asked);
  const shown = shows === 'all' ? inOrder : shows === 'deployed' ? deployedOf(inOrder) : faultsOf(inOrder);
  const filter = picker.filter.trim();
  return filter === '' ? shown : matchesIn(shown, filter);
};

type Choice = (branches: readonly Branch[]) => readonly Branch[];

const deployedOf: Choice = once(createWeakCache(), branches =>
  branches.filter(({status}) => describeStatus(status).isDeployed),
);
const faultsOf: Choice = once(createWeakCache(), branches =>
  branches.filter(({status}) => describeStatus(status).isFault),
);

/** The branches that match a filter, in the order of the list. */
type Found = {readonly filter: string; readonly branches: readonly Branch[]};

/** What the last filters left of a list: each is the beginning of the next one, which can leave no more. */
const foundIn = createWeakCache<readonly Branch[], readonly Found[]>();

const matchesIn = (list: readonly Branch[], filter: string): readonly Branch[] => {
  const found = (foundIn.get(list) ?? []).filter(each => filter.startsWith(each.filter));
  const scored = scoreItems(found.at(-1)?.branches ?? list, createScorer(filter));
  const branches = scored.map(({item}) => item);
  foundIn.set(list, branches.length === found.at(-1)?.branches.length ? found : [...found, {filter, branches}]);
  return bestFirst(scored);
};

/** Returns the match ranges of the filter in the name; undefined if it does not match. */
export const matchName = (filter: string, branch: Branch): FuzzyMatch | undefined =>
  filter.trim() === '' ? undefined : fuzzyMatch(filter, branchName(branch));

const rankAfterNames = Number.MIN_SAFE_INTEGER;

/** What filters look for in a branch: its name as it is, its id and status in small letters. */
const textsOf: (branch: Branch) => {readonly name: string; readonly others: readonly string[]} = once(
  createWeakCache(),
  branch => ({
    name: branchName(branch),
    others: [branch._id, branch.status, describeStatus(branch.status).words].map(word => word?.toLowerCase() ?? ''),
  }),
);

/**
 * Ids and statuses must contain the text literally: a fuzzy match on an id would match anything. They rank after
 * names.
 */
const createScorer = (filter: string): ((branch: Branch) => number | undefined) => {
  const scoreOfName = createFuzzyScorer(filter);
  const wanted = filter.toLowerCase();
  return branch => {
    const {name, others} = textsOf(branch);
    return scoreOfName(name) ?? (others.some(word => word.includes(wanted)) ? rankAfterNames : undefined);
  };
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
