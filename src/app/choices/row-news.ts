import type {Branch} from '../../api/decode/branch.ts';
import type {BranchesState, RowNews} from '../state/state.ts';

/** What is told of a branch in the list, beside the sign. */
export const newsWords: Readonly<Record<RowNews, string>> = {
  new: 'new branch',
  status: 'new status',
  changed: 'new change',
};

/** What a record is compared by: what the service changes when somebody, or it, did something. */
const stampOf = ({updatedAt, replicas, lastActivity}: Branch): string =>
  JSON.stringify([updatedAt, replicas, lastActivity?._id, lastActivity?.status, lastActivity?.updatedAt]);

/** A record that is older than the one known comes from a replica that lags, and is no news. */
const isOlder = (branch: Branch, known: Branch): boolean =>
  Date.parse(branch.updatedAt ?? '') < Date.parse(known.updatedAt ?? '');

const compare = (known: Branch | undefined, branch: Branch): RowNews | undefined => {
  if (known === undefined) {
    return 'new';
  }
  if (isOlder(branch, known)) {
    return undefined;
  }
  return known.status === branch.status ? (stampOf(known) === stampOf(branch) ? undefined : 'changed') : 'status';
};

/**
 * What the user has not seen yet once a listing came: what was news before and is still listed, and what it brought. The first listing brings none.
 * `watched` are the ids of the branches whose log is on the screen, where all of it is told.
 */
export const newsAfter = (
  {branches: before, listing, news}: BranchesState,
  branches: readonly Branch[],
  watched: readonly string[],
): ReadonlyMap<string, RowNews> => {
  if (before.length === 0 && listing.kind !== 'good') {
    return news;
  }
  const known = new Map(before.map(branch => [branch._id, branch]));
  return new Map(
    branches.flatMap(branch => {
      const id = branch._id;
      const was = news.get(id);
      const fresh = watched.includes(id) ? undefined : compare(known.get(id), branch);
      // To somebody who has not seen it a branch stays new, and another status says more than another change.
      const kept = was === 'new' || (was === 'status' && fresh === 'changed') ? was : (fresh ?? was);
      return kept === undefined ? [] : [[id, kept] as const];
    }),
  );
};

/** The news once the user has looked at these branches. */
export const newsSeen = (
  news: ReadonlyMap<string, RowNews>,
  ids: readonly (string | undefined)[],
): ReadonlyMap<string, RowNews> =>
  ids.some(id => id !== undefined && news.has(id)) ? new Map([...news].filter(([id]) => !ids.includes(id))) : news;
