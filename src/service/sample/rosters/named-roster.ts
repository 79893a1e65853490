import type {BranchSetting} from '../plan/plans.ts';
import type {Roster} from '../seed/roster.ts';

/** Pods that stay, with the names given. */
export const createNamedRoster =
  (names: readonly string[]) =>
  ({branch}: BranchSetting): Roster => {
    const pods = names.map((name, index) => ({name, bornMs: -branch.changedAgoMs + index * 6000}));
    return () => pods;
  };
