import type {Fault} from '#service/backend/backend.ts';
import {drawAccessLine} from '../lines/sample-access.ts';
import {applicationNameOf, type BranchPlan, type BranchSetting, hostnameOf, type SitePlan} from '../plan/plans.ts';
import {portalCode, shopCode} from '../plan/site-code.ts';
import {makePodName} from '../release-roster.ts';
import type {ScenarioName} from '../scenario-names.ts';
import {
  type Draft,
  type LogShape,
  momentOf,
  offsetNsMax,
  type Roster,
  type SampleSource,
  type Slice,
} from '../seed/log-source.ts';
import {dayMs, hourMs, minuteMs, secondMs} from '../seed/random.ts';
import {daySites} from '../sites/day-sites.ts';
import {
  deployed,
  magazinePaths,
  planBranch,
  planMaster,
  settled,
  shopPaths,
  trafficLog,
  unbuilt,
  windowLinesMax,
} from '../sites/plan-branch.ts';
import {createCyclingSource, hostileSamples, unicodeSamples} from '../sources/hostile-samples.ts';
import {createImportSource, createLateSource} from '../sources/import-source.ts';
import {createTrafficSource} from '../traffic/traffic-source.ts';

const loginPage = `<!DOCTYPE html>
<html lang="en"><head><title>Sign in</title></head>
<body><h1>Sign in to continue</h1><form method="post" action="/login"><input name="user"><input name="password" type="password"></form></body></html>
`;

const faults: readonly {readonly fault: Fault; readonly lengthMs: number}[] = [
  {fault: {kind: 'status', status: 500}, lengthMs: 12 * secondMs},
  {fault: {kind: 'status', status: 503, headers: {'retry-after': '5'}}, lengthMs: 12 * secondMs},
  {fault: {kind: 'status', status: 429, headers: {'retry-after': '4'}}, lengthMs: 10 * secondMs},
  // Short: a refused client tries again only after half a minute.
  {fault: {kind: 'status', status: 401}, lengthMs: 6 * secondMs},
  {fault: {kind: 'body', body: loginPage, contentType: 'text/html; charset=utf-8'}, lengthMs: 12 * secondMs},
  {
    fault: {
      kind: 'body',
      body: '{"podNamesList":[{"name":"shop-master-',
      contentType: 'application/json; charset=utf-8',
    },
    lengthMs: 12 * secondMs,
  },
  {fault: {kind: 'cut'}, lengthMs: 12 * secondMs},
  // Long enough for a client that waits 10 s for an answer to time out once.
  {fault: {kind: 'stall'}, lengthMs: 15 * secondMs},
];

/** The time without faults before each fault; the first one lets a reader arrive. */
const firstGoodMs = 10 * secondMs;
const goodMs = 14 * secondMs;

const roundMs = faults.reduce((sum, {lengthMs}) => sum + lengthMs + goodMs, 0);

/**
 * Returns the fault at a moment, `demoMs` milliseconds after the demo's start: each in turn, with a good stretch in
 * between, repeatedly.
 */
const faultAt = (demoMs: number): Fault | undefined => {
  if (demoMs < firstGoodMs) {
    return undefined;
  }
  let leftMs = (demoMs - firstGoodMs) % roundMs;
  for (const {fault, lengthMs} of faults) {
    if (leftMs < lengthMs) {
      return fault;
    }
    leftMs -= lengthMs + goodMs;
    if (leftMs < 0) {
      return undefined;
    }
  }
  return undefined;
};

/**
 * Plans two sites with a few calm branches around the one that matters: the first site's master, as the scenario needs
 * it.
 */
const planSmallSites = (master: Partial<BranchPlan>, others: readonly BranchPlan[] = []): readonly SitePlan[] => [
  {
    name: 'shop',
    domain: 'shop.example',
    paths: shopPaths,
    code: shopCode,
    branches: [
      planMaster({customDomains: ['www.shop.example'], ...master}),
      planBranch({name: 'feature/checkout', course: deployed, changedAgoMs: 5 * hourMs}),
      planBranch({name: 'feature/new-theme', course: unbuilt, madeAgoMs: 5 * dayMs, changedAgoMs: 5 * dayMs}),
      planBranch({
        name: 'staging',
        course: settled('DEPLOY_APPLICATION_FAILED'),
        changedAgoMs: 20 * hourMs,
      }),
      ...others,
    ],
  },
  {
    name: 'magazine',
    domain: 'magazine.example',
    paths: magazinePaths,
    code: portalCode,
    branches: [
      planMaster({}),
      planBranch({name: 'issue-49', course: unbuilt, madeAgoMs: 2 * dayMs, changedAgoMs: 2 * dayMs}),
    ],
  },
];

const esc = '\u001B';

/** Pods whose names would set the title, clear the screen, and reverse the reading direction. */
const hostilePodNames: readonly string[] = [
  `shop-master-6d8f9c7b54-${esc}]0;owned\u0007x2vz4`,
  `shop-master-6d8f9c7b54-${esc}[2J\u009B31mk9q7w`,
  'shop-master-6d8f9c7b54-\u202Egnp.q8w\u2028tz',
];

/** Branches whose names and fields would do the same. */
const hostileBranches: readonly BranchPlan[] = [
  planBranch({name: `feature/${esc}[2J${esc}[1;1Hclear`, course: deployed, shapeLog: trafficLog(0.3)}),
  planBranch({
    name: `title${esc}]0;owned\u0007`,
    course: deployed,
    originBranch: `ma${esc}[31mster`,
    shapeLog: trafficLog(0.3),
  }),
  planBranch({name: 'user-\u202Enimda\u202C', course: deployed, shapeLog: trafficLog(0.3)}),
  planBranch({name: 'two\nlines\r\u0085\u2028three', course: deployed, shapeLog: trafficLog(0.3)}),
  planBranch({name: `zalgo-${'\u0301\u0316'.repeat(100)}`, course: deployed, shapeLog: trafficLog(0.3)}),
  planBranch({name: 'null\u0000\u007F\uD83D\u200B\u{E0041}', course: unbuilt, changedAgoMs: 7 * hourMs}),
  planBranch({
    name: 'link',
    course: {
      kind: 'settled',
      status: `WAITING${esc}]8;;https://evil.example/${esc}\\_FOR_${esc}]8;;${esc}\\QUOTA`,
      podsRun: false,
    },
    customDomains: [`${esc}]52;c;cm0gLXJmIH4K\u0007.example`, 'a\u202Eb.example'],
  }),
  planBranch({name: `long-${'x'.repeat(3000)}`, course: deployed, shapeLog: trafficLog(0.3)}),
];

/** How long a new pod and the one it replaces both run. */
const overlapMs = 3000;

/**
 * Creates a roster of pods that are replaced endlessly, as on preemptible nodes: one starts every `everyMs`, and the
 * oldest stops soon after.
 */
const createRollingRoster =
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
const createNamedRoster =
  (names: readonly string[]) =>
  ({branch}: BranchSetting): Roster => {
    const pods = names.map((name, index) => ({name, bornMs: -branch.changedAgoMs + index * 6000}));
    return () => pods;
  };

type SteadyOptions = {
  readonly name: string;
  /** Lines a second, on average; below 1 they come one by one at even intervals, as from a scheduler. */
  readonly perSecond: number;
  readonly historyMs: number;
  /**
   * Returns the line's text. `number` counts the source's lines if they come one by one, otherwise those of the slice.
   */
  readonly write: (slice: Slice, offsetNs: number, number: number) => string;
};

/** Creates a source with a constant rate. */
const createSteadySource = ({name, perSecond, historyMs, write}: SteadyOptions): SampleSource => ({
  name,
  historyMs,
  writeSlice: slice => {
    const {random, index} = slice;
    const draft = (number: number): Draft => {
      const offsetNs = random.integer(0, offsetNsMax);
      return {offsetNs, text: write(slice, offsetNs, number)};
    };
    if (perSecond < 1) {
      const due = Math.floor((index + 1) * perSecond) - Math.floor(index * perSecond);
      return due > 0 ? [draft(Math.floor((index + 1) * perSecond))] : [];
    }
    return Array.from({length: random.count(perSecond)}, (_, number) => draft(number));
  },
});

/** The parts of a scenario. */
type Scenario = {
  readonly sites: readonly SitePlan[];
  /** Returns the fault at a moment, in milliseconds since the demo's start; absent if the service never fails. */
  readonly faultAt?: (demoMs: number) => Fault | undefined;
};

const accessWriter = (setting: BranchSetting) => {
  const hostname = hostnameOf(setting);
  return (slice: Parameters<typeof momentOf>[0], offsetNs: number): string =>
    drawAccessLine({
      random: slice.random,
      atMs: momentOf(slice, offsetNs),
      hostname,
      paths: setting.site.paths,
      trouble: 0.004,
    });
};

const podNames = ['shop-master-web-7c9d5f4b68-x2vz4', 'shop-master-cron-5b6c8d9f7-q8wtz'];

/** A log whose windows have the last lines of all sources together. */
const joinedLog = (...sources: LogShape['sources']): LogShape => ({windowLinesMax, cutBySource: false, sources});

const perPodMaster: Partial<BranchPlan> = {
  createRoster: createNamedRoster(podNames),
  shapeLog: setting => ({
    windowLinesMax,
    cutBySource: true,
    sources: [
      createSteadySource({
        name: podNames[0] ?? 'web',
        perSecond: 200,
        historyMs: 5 * minuteMs,
        write: accessWriter(setting),
      }),
      createSteadySource({
        name: podNames[1] ?? 'cron',
        perSecond: 0.2,
        historyMs: 2 * hourMs,
        write: ({random}, _offsetNs, number) =>
          `cron: run ${41_000 + number} done, ${random.integer(0, 6)} mails sent, ${random.integer(90, 480)} ms`,
      }),
    ],
  }),
};

const quietMaster: Partial<BranchPlan> = {
  replicas: 1,
  shapeLog: setting =>
    joinedLog(
      createSteadySource({name: 'quiet', perSecond: 1 / 60, historyMs: 6 * minuteMs, write: accessWriter(setting)}),
    ),
};

const burstMaster: Partial<BranchPlan> = {
  shapeLog: setting =>
    joinedLog(
      createTrafficSource({setting, roster: setting.roster, peakPerSecond: 0.8, lateShare: 0}),
      createImportSource(setting),
    ),
};

const podsMaster: Partial<BranchPlan> = {
  replicas: 3,
  createRoster: createRollingRoster(15 * secondMs),
  shapeLog: trafficLog(5),
};

const lateMaster: Partial<BranchPlan> = {shapeLog: setting => joinedLog(createLateSource(setting))};

const unicodeMaster: Partial<BranchPlan> = {
  shapeLog: () => joinedLog(createCyclingSource('unicode', unicodeSamples)),
};

const hostileMaster: Partial<BranchPlan> = {
  createRoster: createNamedRoster(hostilePodNames),
  shapeLog: () => joinedLog(createCyclingSource('hostile', hostileSamples)),
};

/** The scenarios. All except the day are about one branch, the first of the first site. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  day: {sites: daySites},
  perpod: {sites: planSmallSites(perPodMaster)},
  quiet: {sites: planSmallSites(quietMaster)},
  burst: {sites: planSmallSites(burstMaster)},
  pods: {sites: planSmallSites(podsMaster)},
  late: {sites: planSmallSites(lateMaster)},
  unicode: {sites: planSmallSites(unicodeMaster)},
  hostile: {sites: planSmallSites(hostileMaster, hostileBranches)},
  errors: {sites: planSmallSites({shapeLog: trafficLog(5)}), faultAt},
};
