import type {Fault} from '../service/backend.ts';
import {faultAt} from './fault-schedule.ts';
import {drawAccessLine} from './lines/sample-access.ts';
import {hostnameOf} from './plan/names-of.ts';
import type {BranchPlan, BranchSetting, SitePlan} from './plan/plans.ts';
import type {ScenarioName} from './plan/scenario-names.ts';
import {createNamedRoster, createRollingRoster} from './rosters/lasting-rosters.ts';
import {hourMs, minuteMs, secondMs} from './seed/durations.ts';
import {type LogShape, momentOf} from './seed/log-source.ts';
import {daySites} from './sites/day-sites.ts';
import {hostileBranches, hostilePodNames} from './sites/hostile-branches.ts';
import {trafficLog, windowLinesMax} from './sites/plan-branch.ts';
import {planSmallSites} from './sites/small-sites.ts';
import {createCyclingSource} from './sources/cycling-source.ts';
import {hostileSamples} from './sources/hostile-samples.ts';
import {createImportSource} from './sources/import-source.ts';
import {createLateSource} from './sources/late-source.ts';
import {createSteadySource} from './sources/steady-source.ts';
import {unicodeSamples} from './sources/unicode-samples.ts';
import {createTrafficSource} from './traffic/traffic-source.ts';

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
