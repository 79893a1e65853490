import type {BranchesState} from './state.ts';

/** The branches screen of a site before the service has answered. `openWhenKnown` is a branch by id or name, opened with the answer. */
export const newBranches = (siteId: string, openWhenKnown: string | undefined): BranchesState => ({
  siteId,
  branches: [],
  skippedCount: 0,
  listing: {kind: 'loading'},
  picker: {selectedId: undefined, filter: ''},
  marked: [],
  deployedOnly: false,
  openWhenKnown,
});
