import type {BranchSetting} from './plans.ts';
import type {Roster} from './roster.ts';

/** Pods that stay, with the names given. */
export const createNamedRoster =
  (names: readonly string[]) =>
  ({branch}: BranchSetting): Roster => {
    const pods = names.map((name, index) => ({name, bornMs: -branch.changedAgoMs + index * 6000}));
    return () => pods;
  };
