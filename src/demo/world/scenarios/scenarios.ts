import type {Fault} from '#service/backend/backend.ts';
import {faultAt} from '../../fault-schedule.ts';
import {applicationNameOf, hostnameOf} from '../../plan/names-of.ts';
import {makePodName} from '../../rosters/pod-name.ts';
import {hourMs, minuteMs, secondMs} from '../../seed/durations.ts';
import type {Roster} from '../../seed/roster.ts';
import {hostileBranches, hostilePodNames} from '../../sites/hostile-branches.ts';
import {planSmallSites} from '../../sites/small-sites.ts';
import {createCyclingSource} from '../../sources/cycling-source.ts';
import {createLateSource} from '../../sources/late-source.ts';
import {unicodeSamples} from '../../sources/unicode-samples.ts';
import {drawAccessLine} from '../lines/sample-access.ts';
import type {BranchPlan, BranchSetting, SitePlan} from '../plan/plans.ts';
import type {ScenarioName} from '../scenario-names.ts';
import {type Draft, type LogShape, momentOf, offsetNsMax, type SampleSource, type Slice} from '../seed/log-source.ts';
import {daySites} from '../sites/day-sites.ts';
import {trafficLog, windowLinesMax} from '../sites/plan-branch.ts';
import {hostileSamples} from '../sources/hostile-samples.ts';
import {createImportSource} from '../sources/import-source.ts';
import {createTrafficSource} from '../traffic/traffic-source.ts';

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
export type Scenario = {
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
