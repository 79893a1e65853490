import type {Branch} from '#api/client/answer.ts';
import {isFilterOpen} from '#app/keys/input-focus.ts';
import {keyFor} from '#app/keys/keymap.ts';
import type {RowNews} from '#app/panes/panes.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {notAsDescribed} from '#app/words/describe-status.ts';
import {countOf} from '#log/words/format-count.ts';

/** Says that records have no id: `1 record has no id`. They can't be listed, as nothing could be asked for. */
export const withoutIdWords = (count: number): string =>
  `${countOf(count, 'record')} ${count === 1 ? 'has' : 'have'} no id`;

/** Returns the row of a list's filter: the typed text, then `fits`, what can be typed, or the key that clears it. */
export const filterRow = (state: State, screen: 'sites' | 'branches', typed: string, fits: string): ViewRow => {
  if (isFilterOpen(state)) {
    return [span(' / ', 'accent'), span(typed), span('█', 'accent'), span(`   ${fits}`, 'dim')];
  }
  return typed === '' ? [] : [span(' / ', 'dim'), span(typed), span(`   ${keyFor('back', screen)} clears`, 'dim')];
};

/** Says what of the last listing is not as the interface describes; undefined if all of it is. */
export const listingFaults = ({
  skippedCount,
  withoutIdCount,
}: Pick<BranchesState, 'skippedCount' | 'withoutIdCount'>): string | undefined => {
  const partCount = skippedCount - withoutIdCount;
  const faults = [
    ...(withoutIdCount > 0 ? [withoutIdWords(withoutIdCount)] : []),
    ...(partCount > 0
      ? [`${countOf(partCount, 'part')} of the answer ${partCount === 1 ? 'is' : 'are'} ${notAsDescribed}`]
      : []),
  ];
  return faults.length === 0 ? undefined : faults.join(', ');
};

/** The words for a branch's news in the list, next to the sign. */
export const newsWords: Readonly<Record<RowNews, string>> = {
  new: 'new branch',
  status: 'new status',
  changed: 'new change',
};

/** The fields to compare records by: those that change when a user or the service does something. */
const stampOf = ({updatedAt, replicas, lastActivity}: Branch): string =>
  JSON.stringify([updatedAt, replicas, lastActivity?._id, lastActivity?.status, lastActivity?.updatedAt]);

/** A record older than the known one comes from a lagging replica and is not news. */
const isOlder = (branch: Branch, known: Branch): boolean =>
  Date.parse(branch.updatedAt ?? '') < Date.parse(known.updatedAt ?? '');

const compare = (known: Branch | undefined, branch: Branch): RowNews | undefined => {
  if (known === undefined) {
    return 'new';
  }
  if (isOlder(branch, known)) {
    return undefined;
  }
  // Nothing is known of a malformed field, so it tells no change.
  if (known.status !== undefined && branch.status !== undefined && known.status !== branch.status) {
    return 'status';
  }
  const isComparable = known.malformed.length === 0 && branch.malformed.length === 0;
  return isComparable && stampOf(known) !== stampOf(branch) ? 'changed' : undefined;
};

/**
 * Returns what the user has not seen yet after a listing: earlier news of branches that are still listed, and what the
 * listing brought. The first listing brings none. `watched` are the ids of the branches on the log screen, where
 * changes show as markers.
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
      // A branch stays new until it is seen, and a new status says more than another change.
      const kept = was === 'new' || (was === 'status' && fresh === 'changed') ? was : (fresh ?? was);
      return kept === undefined ? [] : [[id, kept] as const];
    }),
  );
};

/** Returns the news after the user has looked at these branches. */
export const newsSeen = (
  news: ReadonlyMap<string, RowNews>,
  ids: readonly (string | undefined)[],
): ReadonlyMap<string, RowNews> =>
  ids.some(id => id !== undefined && news.has(id)) ? new Map([...news].filter(([id]) => !ids.includes(id))) : news;
