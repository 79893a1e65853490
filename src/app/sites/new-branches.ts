import type {Instant} from '../../log/line/instant.ts';
import {createKept} from '../parts/kept.ts';
import type {BranchesState} from '../state/state.ts';

/** The branches screen of a site before the service has answered. `openWhenKnown` is a branch by id or name, opened with the answer, at a time where there is one. */
export const newBranches = (
  siteId: string,
  openWhenKnown: string | undefined,
  openAt?: Instant | undefined,
): BranchesState => ({
  siteId,
  branches: [],
  skippedCount: 0,
  listing: {kind: 'loading'},
  picker: {selectedId: undefined, filter: ''},
  marked: [],
  shows: 'all',
  order: 'status',
  news: new Map(),
  openWhenKnown,
  openAt,
  listed: createKept(),
});
