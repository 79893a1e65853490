import type {CodeBase} from '../../plan/code-base.ts';
import type {Roster} from '../../seed/roster.ts';
import type {LogShape} from '../seed/log-source.ts';

/**
 * How a branch's status changes. Times count from the demo's start and may be negative: something is already under way.
 */
export type Course =
  | {readonly kind: 'unbuilt'}
  | {readonly kind: 'settled'; readonly status: string; readonly podsRun: boolean}
  | {
      readonly kind: 'released';
      /** Whether pods of an earlier release run while the first one is made. */
      readonly podsRun: boolean;
      readonly firstMs: number;
      readonly everyMs: number;
      /** From the order to its end. */
      readonly lengthMs: number;
      /** Every n-th release fails; 0 for never, 1 for all of them. */
      readonly failsEvery: number;
    };

export type SitePaths = {
  /** Where search engines look and where they send people. */
  readonly landings: readonly string[];
  /** Where people go from there. */
  readonly pages: readonly string[];
  readonly assets: readonly string[];
  readonly api: readonly string[];
  readonly posts: readonly string[];
};

export type SitePlan = {
  readonly name: string;
  readonly domain: string;
  readonly paths: SitePaths;
  readonly code: CodeBase;
  readonly branches: readonly BranchPlan[];
};

export type BranchPlan = {
  readonly name: string;
  readonly branchType: 'MASTER' | 'FEATURE';
  readonly originBranch: string;
  readonly replicas: number;
  readonly course: Course;
  /** How long before the demo's start the branch was created, and last changed. */
  readonly madeAgoMs: number;
  readonly changedAgoMs: number;
  /** The branch's own host names, the first with a key and a certificate. */
  readonly customDomains: readonly string[];
  readonly locked: boolean;
  readonly editor: boolean;
  /** The pods; absent: those created by the releases. */
  readonly createRoster?: (setting: BranchSetting) => Roster;
  readonly shapeLog: (setting: BranchSetting & {readonly roster: Roster}) => LogShape;
};

/** A branch in its context: its site, its ids, the seed, and the demo's start in milliseconds since 1970. */
export type BranchSetting = {
  readonly site: SitePlan;
  readonly branch: BranchPlan;
  readonly siteId: string;
  readonly branchId: string;
  readonly seed: number;
  readonly startMs: number;
};
