import {createMemo} from '#app/rows/memo.ts';
import type {BranchesState} from '#app/state/state.ts';
import type {Instant} from '#log/line/instant.ts';

/**
 * Returns the branches screen of a site before the service has answered. `openWhenKnown` is the id or name of a branch
 * to open once the answer arrives, at a time if one is given.
 */
export const newBranches = (
  siteId: string,
  openWhenKnown: string | undefined,
  openAt?: Instant | undefined,
): BranchesState => ({
  siteId,
  branches: [],
  ordered: [],
  orderedAtMs: Number.NEGATIVE_INFINITY,
  skippedCount: 0,
  withoutIdCount: 0,
  listing: {kind: 'loading'},
  pulses: new Map(),
  orderedPulses: new Map(),
  picker: {selectedId: undefined, filter: ''},
  top: 0,
  marked: [],
  shows: 'all',
  order: 'status',
  news: new Map(),
  openWhenKnown,
  openAt,
  listed: createMemo(),
});
