import type {BranchSetting} from '../plan/plans.ts';
import type {Roster} from '../seed/roster.ts';

/** Creates a roster of permanent pods with these names. */
export const createNamedRoster =
  (names: readonly string[]) =>
  ({branch}: BranchSetting): Roster => {
    const pods = names.map((name, index) => ({name, bornMs: -branch.changedAgoMs + index * 6000}));
    return () => pods;
  };
