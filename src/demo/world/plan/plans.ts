import type {LogShape, Roster} from '../seed/log-source.ts';
import {createRandom} from '../seed/random.ts';

/** An uncaught error with its trace; files are below the application's root. */
export type Crash = {
  readonly error: string;
  readonly file: string;
  readonly lineNumber: number;
  /** `file(line): call`, innermost first. */
  readonly frames: readonly string[];
};

/** The code of a site: where it is, and what goes wrong in it. */
export type CodeBase = {
  readonly applicationType: string;
  readonly appserverTag: string;
  readonly appRoot: string;
  readonly webRoot: string;
  /** PHP's complaints, `Level:  message in FILE on line n`; files are below the application's root. */
  readonly complaints: readonly {readonly message: string; readonly file: string; readonly lineNumber: number}[];
  readonly crashes: readonly Crash[];
  /** The output of services beside the application when they fail: a head, and the lines of its trace. */
  readonly exceptions: readonly (readonly string[])[];
  /** The services that the application calls and waits for. */
  readonly upstream: {
    readonly name: string;
    readonly host: string;
    readonly path: string;
    readonly timeoutMs: number;
    /** The requests that wait for it, `METHOD path`. */
    readonly requests: readonly string[];
    /** The application's message when no answer comes in time, and the exception; its error is only the class. */
    readonly failure: {readonly message: string; readonly subject: string};
    readonly thrown: Crash;
  };
  /** The channel of its JSON lines, and what it logs there. */
  readonly channel: string;
  readonly news: readonly {readonly message: string; readonly subject: string}[];
  /** The messages of its JSON lines when something fails. */
  readonly failures: readonly {readonly message: string; readonly subject: string}[];
};

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

/**
 * Returns the deployment name of a branch: site and branch in the characters that an orchestrator allows (RFC 1123,
 * section 2.1).
 */
export const applicationNameOf = ({site, branch}: Pick<BranchSetting, 'site' | 'branch'>): string =>
  `${site.name}-${branch.name}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/-+$/, '');

/** Returns the host name of a branch: its own domain if it has one. */
export const hostnameOf = (setting: Pick<BranchSetting, 'site' | 'branch'>): string =>
  setting.branch.customDomains[0] ?? `${applicationNameOf(setting)}.${setting.site.domain}`;

/** Returns the orchestrator's namespace of a site. */
export const namespaceOf = ({site, siteId}: Pick<BranchSetting, 'site' | 'siteId'>): string =>
  `${site.name}-${siteId.slice(0, 6)}`;

/** One release of a branch; times in milliseconds since the demo's start. */
export type Release = {
  /** Counts from 0. */
  readonly number: number;
  readonly startMs: number;
  /** The image is built and the deployment begins. */
  readonly builtMs: number;
  readonly endMs: number;
  readonly succeeds: boolean;
};

// Releases start a little later than scheduled, as with people.
const delayShareMax = 1 / 8;

/** Returns the n-th release of a branch; undefined if its course has none. */
export const releaseNumber = (
  {branch: {course}, branchId, seed}: Pick<BranchSetting, 'branch' | 'branchId' | 'seed'>,
  number: number,
): Release | undefined => {
  if (course.kind !== 'released' || number < 0) {
    return undefined;
  }
  const {firstMs, everyMs, lengthMs, failsEvery} = course;
  const delay = number === 0 ? 0 : createRandom(seed, branchId, 'release', number).fraction() * delayShareMax;
  const startMs = Math.round(firstMs + (number + delay) * everyMs);
  return {
    number,
    startMs,
    builtMs: startMs + Math.round(lengthMs * 0.35),
    endMs: startMs + lengthMs,
    succeeds: failsEvery === 0 || number % failsEvery !== failsEvery - 1,
  };
};

/** Returns the latest release started at or before a moment; undefined if there is none. */
export const releaseBefore = (setting: BranchSetting, demoMs: number): Release | undefined => {
  const {course} = setting.branch;
  if (course.kind !== 'released') {
    return undefined;
  }
  const byClock = releaseNumber(setting, Math.floor((demoMs - course.firstMs) / course.everyMs));
  return byClock && byClock.startMs <= demoMs ? byClock : releaseNumber(setting, (byClock?.number ?? 0) - 1);
};
