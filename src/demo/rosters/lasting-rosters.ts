import {applicationNameOf} from '../plan/names-of.ts';
import type {BranchSetting} from '../plan/plans.ts';
import type {Roster} from '../seed/roster.ts';
import {makePodName} from './pod-name.ts';

/** How long a new pod and the one it replaces both run. */
const overlapMs = 3000;

/**
 * Creates a roster of pods that are replaced endlessly, as on preemptible nodes: one starts every `everyMs`, and the
 * oldest stops soon after.
 */
export const createRollingRoster =
  (everyMs: number) =>
  (setting: BranchSetting): Roster => {
    const {branch, seed} = setting;
    const application = applicationNameOf(setting);
    return demoMs => {
      const newest = Math.floor(demoMs / everyMs);
      const oldestLeaving = newest - branch.replicas;
      const oldest = demoMs - newest * everyMs < overlapMs ? oldestLeaving : oldestLeaving + 1;
      return Array.from({length: newest - oldest + 1}, (_, index) => ({
        name: makePodName(application, String(seed), String(oldest + index)),
        bornMs: (oldest + index) * everyMs,
      }));
    };
  };

/** Creates a roster of permanent pods with these names. */
export const createNamedRoster =
  (names: readonly string[]) =>
  ({branch}: BranchSetting): Roster => {
    const pods = names.map((name, index) => ({name, bornMs: -branch.changedAgoMs + index * 6000}));
    return () => pods;
  };
