import type {Branch} from '#api/client/answer.ts';
import type {BranchesState, BranchOrder} from '#app/state/state.ts';
import type {KnownPulses} from '#app/tail/known-pulse.ts';
import {describeStatus, isTroubled} from '#app/words/describe-status.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {rateOf} from '#log/overview/pulse.ts';

const nextOrder: Readonly<Record<BranchOrder, BranchOrder>> = {
  status: 'name',
  name: 'changed',
  changed: 'errors',
  errors: 'status',
};

/** Returns the order that the key goes on to: by errors only if they are counted. */
export const orderAfter = (order: BranchOrder, hasPulses: boolean): BranchOrder =>
  order === 'changed' && !hasPulses ? 'status' : nextOrder[order];

const words: Readonly<Record<BranchOrder, string>> = {
  status: 'by status',
  name: 'by name',
  changed: 'by last change',
  errors: 'by errors a minute',
};

/** Returns the words for the order of these branches: `by last change`, or `unhealthy first, by status`. */
export const orderWords = (order: BranchOrder, branches: readonly Branch[]): string =>
  order === 'status' && branches.some(isTroubled) ? `unhealthy first, ${words.status}` : words[order];

const changedAtMs = ({status, createdAt, updatedAt}: Branch): number => {
  const atMs = Date.parse((status === null ? createdAt : updatedAt) ?? '');
  return Number.isNaN(atMs) ? Number.NEGATIVE_INFINITY : atMs;
};

/**
 * The master branch comes first whatever it does, so that it does not sink while it is deployed; then those of which
 * something does not work, whatever their status says.
 */
const statusRank = (branch: Branch): number =>
  branch.branchType === 'MASTER' && branch.status !== null
    ? -1
    : isTroubled(branch)
      ? -0.5
      : describeStatus(branch.status).rank;

/**
 * Sorts branches by status, with the master branch first, then those of which something does not work, and those not
 * built out last, within a status in the service's order; by name; by last change, newest first; or by errors a minute.
 * The sort is stable; a branch whose time can't be read counts as the oldest. Returns the same array for the same
 * arguments.
 */
export const orderBranches = ({
  branches,
  order,
  pulses,
}: Pick<BranchesState, 'branches' | 'order' | 'pulses'>): readonly Branch[] =>
  order === 'errors' ? byErrors(pulses)(branches) : inOrder[order](branches);

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
const inOrder: Readonly<Record<Exclude<BranchOrder, 'errors'>, (branches: readonly Branch[]) => readonly Branch[]>> = {
  status: once(createWeakCache(), branches => sortBy(branches, statusRank)),
  name: once(createWeakCache(), byName),
  changed: once(createWeakCache(), branches => sortBy(branches, branch => -changedAtMs(branch))),
};

/** Those without errors, or of which nothing is known, follow in the order of status. */
const byErrors: (pulses: KnownPulses) => (branches: readonly Branch[]) => readonly Branch[] = once(
  createWeakCache(),
  pulses => {
    const rateNow = ({_id}: Branch): number => {
      const pulse = pulses.get(_id)?.pulse;
      return pulse === undefined ? 0 : rateOf(pulse);
    };
    return once(createWeakCache(), branches => sortBy(inOrder.status(branches), branch => -rateNow(branch)));
  },
);
