import {type Branch, isOfWorkload} from '#api/client/answer.ts';
import {keyFor} from '#app/keys/keymap.ts';
import type {BranchOrder} from '#app/panes/panes.ts';
import {nameCharsMax} from '#app/rows/fit-row.ts';
import {branchTones} from '#app/rows/view-row.ts';
import type {BranchesState, ListedBranches, State} from '#app/state/state.ts';
import type {KnownPulses} from '#app/tail/known-pulse.ts';
import {describeStatus, isTroubled, notAsDescribed, statusRanks} from '#app/words/describe-status.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {bestFirst, createFuzzyScorer, type FuzzyMatch, fuzzyMatch, scoreItems} from '#log/fuzzy.ts';
import {pulseTrendOf, rateOf} from '#log/overview/pulse.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';

const nextOrder: Readonly<Record<BranchOrder, BranchOrder>> = {
  status: 'name',
  name: 'changed',
  changed: 'errors',
  errors: 'status',
};

/** Returns the order that the key goes on to: by errors only if they are counted. */
export const orderAfter = (order: BranchOrder, hasPulses: boolean): BranchOrder =>
  order === 'changed' && !hasPulses ? 'status' : nextOrder[order];

/** The words for each order. */
export const orderWords: Readonly<Record<BranchOrder, string>> = {
  status: 'needs you first',
  name: 'by name',
  changed: 'by last change',
  errors: 'by errors a minute',
};

const changedAtMs = ({status, createdAt, updatedAt}: Branch): number => {
  const atMs = Date.parse((status === null ? createdAt : updatedAt) ?? '');
  return Number.isNaN(atMs) ? Number.NEGATIVE_INFINITY : atMs;
};

/** Something that does not work counts as failed, whatever the status says. Among equals the master branch is first. */
const needRank = (branch: Branch, isRising = false): number => {
  const rank = isTroubled(branch) ? statusRanks.failed : describeStatus(branch.status).rank;
  const isMaster = branch.branchType === 'MASTER' && branch.status !== null;
  return (isRising ? Math.min(rank, statusRanks.rising) : rank) - (isMaster ? 0.5 : 0);
};

/**
 * Sorts branches by what needs the user first: failed, errors rising, work in progress, deployed, not built out, among
 * equals in the service's order; by name; by last change, newest first; or by errors a minute. The sort is stable; a
 * branch whose time can't be read counts as the oldest. Returns the same array for the same arguments.
 */
export const orderBranches = ({
  branches,
  order,
  pulses,
}: Pick<BranchesState, 'branches' | 'order' | 'pulses'>): readonly Branch[] =>
  order === 'errors'
    ? byErrors(pulses)(branches)
    : order === 'status'
      ? byNeed(pulses)(branches)
      : inOrder[order](branches);

type Sort = (branches: readonly Branch[]) => readonly Branch[];

const sortBy = (branches: readonly Branch[], keyOf: (branch: Branch) => number): readonly Branch[] =>
  branches
    .map(branch => ({branch, key: keyOf(branch)}))
    // The difference of two infinite keys is NaN, which a sort takes as 0 (ECMA-262, CompareArrayElements).
    .sort((a, b) => a.key - b.key)
    .map(({branch}) => branch);

const byName = (branches: readonly Branch[]): readonly Branch[] => {
  // Created here, not at import: the first collator of a process takes 7 ms, which every start would pay.
  // `release-9` sorts before `release-10`.
  const {compare} = new Intl.Collator('en', {numeric: true});
  return branches.toSorted((a, b) => compare(a.name, b.name));
};

/** Each listing is sorted once in each order, not at every letter of a filter. */
const inOrder: Readonly<Record<Exclude<BranchOrder, 'errors'>, Sort>> = {
  status: once(createWeakCache(), branches => sortBy(branches, branch => needRank(branch))),
  name: once(createWeakCache(), byName),
  changed: once(createWeakCache(), branches => sortBy(branches, branch => -changedAtMs(branch))),
};

/** The list that needs no pulse, but for the branches whose errors rise. */
const byNeed: (pulses: KnownPulses) => Sort = once(createWeakCache(), pulses => {
  const rising = new Set(
    [...pulses].flatMap(([id, {pulse}]) => (pulse === undefined || pulseTrendOf(pulse) === undefined ? [] : [id])),
  );
  return once(createWeakCache(), branches => {
    const list = inOrder.status(branches);
    return list.some(({_id}) => rising.has(_id))
      ? sortBy(list, branch => needRank(branch, rising.has(branch._id)))
      : list;
  });
});

/** Those without errors, or of which nothing is known, follow in the order of status. */
const byErrors: (pulses: KnownPulses) => Sort = once(createWeakCache(), pulses => {
  const rateNow = ({_id}: Branch): number => {
    const pulse = pulses.get(_id)?.pulse;
    return pulse === undefined ? 0 : rateOf(pulse);
  };
  return once(createWeakCache(), branches => sortBy(inOrder.status(branches), branch => -rateNow(branch)));
});

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

/** Checks whether ordering the rows again would change nothing. */
export const areInOrder = (state: BranchesState): boolean => keepListed(state).areInOrder;

const keepListed = (state: BranchesState): ListedBranches => {
  const {branches, ordered, picker, shows, order, pulses, orderedPulses} = state;
  // Others do not depend on what logs say, which comes every second.
  const counted = order === 'errors' || order === 'status' ? [pulses, orderedPulses] : [];
  return state.listed.answer([branches, ordered, picker.filter, shows, order, ...counted], () => findInPlace(state));
};

const findInPlace = (state: BranchesState): ListedBranches => {
  const ordered = findBranches(state);
  const rows = findBranches({...state, branches: state.ordered, pulses: state.orderedPulses});
  if (rows === ordered) {
    return {list: ordered, areInOrder: true};
  }
  const list = [
    ...rows.flatMap(({_id}) => branchById(state.branches, _id) ?? []),
    ...ordered.filter(({_id}) => placeById(rows, _id) === undefined),
  ];
  return {list, areInOrder: list.length === ordered.length && list.every((branch, index) => branch === ordered[index])};
};

/** Returns the index of each branch in a list, by id. */
const placesIn: (list: readonly Branch[]) => ReadonlyMap<string, number> = once(
  createWeakCache(),
  // The first of two branches with one id counts, as everywhere.
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

const deployedOf: Sort = once(createWeakCache(), branches =>
  branches.filter(({status}) => describeStatus(status).isDeployed),
);
const faultsOf: Sort = once(createWeakCache(), branches =>
  branches.filter(({status}) => describeStatus(status).isFault),
);

/** The branches that match a filter, in the order of the list. */
type Found = {readonly filter: string; readonly branches: readonly Branch[]};

/** The results of the last filters of a list: each filter begins the next one, which can match no more. */
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

/** The texts of a branch that filters search: its name as it is, its id and status in lower case. */
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

/** The limit of distinct tones, and of parallel requests that one user may send to the service. */
export const markedBranchesMax = branchTones.length;

/**
 * Returns the marked branches that can still be opened, in the order of marking: without those that are gone or no
 * longer built out.
 */
export const markedBranches = ({branches, marked}: BranchesState): readonly Branch[] =>
  marked.flatMap(id => {
    const branch = branchById(branches, id);
    return branch === undefined || branch.status === null ? [] : [branch];
  });

/** Returns what Enter opens: the marked branches together, even those that a filter hides, or the highlighted one. */
export const branchesToOpen = (state: BranchesState, highlighted: Branch): readonly [Branch, ...Branch[]] => {
  const [first = highlighted, ...others] = markedBranches(state);
  return first === highlighted || others.includes(highlighted) ? [first, ...others] : [highlighted];
};

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
  return marked.length >= markedBranchesMax
    ? {
        ...state,
        notice: `${markedBranchesMax} branches are marked, the maximum: unmark one with ${keyFor('toggleMark', 'branches')} first`,
      }
    : withMarks([...marked, branch._id]);
};
