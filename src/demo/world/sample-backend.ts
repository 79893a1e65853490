import type {Backend} from '#service/backend/backend.ts';
import {createPulseCounter} from '#service/backend/pulse-counter.ts';
import type {BranchSetting, SitePlan} from './plan/plans.ts';
import {createReleaseRoster, makeSamplePod} from './release-roster.ts';
import {makeSampleBranch} from './sample-branch.ts';
import type {ScenarioName} from './scenario-names.ts';
import {createSampleLog, type SampleLog} from './scenarios/sample-log.ts';
import {scenarios} from './scenarios/scenarios.ts';
import type {Roster} from './seed/log-source.ts';
import {makeId} from './seed/random.ts';

export type SampleBackendOptions = {
  readonly scenario: ScenarioName;
  readonly seed: number;
  /** Milliseconds since 1970. Its value when the backend is created is the demo's start. */
  readonly now: () => number;
  /** False: exactly the interface, which has no word for numbers, sources and cuts. True by default. */
  readonly hasNumbers?: boolean;
};

/**
 * Creates the backend of the demo's sites. Its answers depend only on scenario, seed, start and the time of the
 * request: it has no timers and opens nothing. Only the numbers of lines
 * depend on the windows read before.
 */
export const createSampleBackend = ({scenario, seed, now, hasNumbers = true}: SampleBackendOptions): Backend => {
  const startMs = Math.floor(now());
  const sites = createSampleWorld({scenario, seed, startMs});
  const {faultAt} = scenarios[scenario];
  const pulses = createPulseCounter(now);
  return {
    start: async () => {},
    listBranches: async siteId => {
      const demoMs = now() - startMs;
      return sites.find(({id}) => id === siteId)?.branches.map(({setting}) => makeSampleBranch(setting, demoMs));
    },
    readWindow: async (siteId, branchId, after) => {
      const branch = sites.find(({id}) => id === siteId)?.branches.find(({setting}) => setting.branchId === branchId);
      if (!branch) {
        return undefined;
      }
      const nowMs = now();
      const pods = branch.roster(nowMs - startMs).map(pod => makeSamplePod(branch.setting, pod));
      return hasNumbers
        ? {pods, ...branch.log.readNumbered(nowMs, after), cut: branch.log.cut}
        : {pods, lines: branch.log.readWindow(nowMs).lines};
    },
    // No lines are written for a pulse: only logs that were already read are counted.
    ...(hasNumbers && {
      countErrors: async siteId => {
        const site = sites.find(({id}) => id === siteId);
        const read = site?.branches.filter(({log}) => log.countHeldLines() > 0);
        return (
          read &&
          pulses.count(
            siteId,
            read.map(({setting, log}) => ({
              id: setting.branchId,
              read: async after => log.readNumbered(now(), after),
              readToMs: now,
            })),
          )
        );
      },
    }),
    ...(faultAt && {nextFault: () => faultAt(now() - startMs)}),
    close: async () => {},
  };
};

/** Returns the sites of a scenario, for the context that the demo opens: no operation of the service lists them. */
export const listSampleSites = (scenario: ScenarioName): readonly {readonly id: string; readonly name: string}[] =>
  scenarios[scenario].sites.map(site => ({id: siteIdOf(site), name: site.name}));

type SampleBranch = {readonly setting: BranchSetting; readonly roster: Roster; readonly log: SampleLog};
type SampleSite = {readonly id: string; readonly name: string; readonly branches: readonly SampleBranch[]};

export type WorldOptions = {
  readonly scenario: ScenarioName;
  readonly seed: number;
  /** The demo's start, milliseconds since 1970. */
  readonly startMs: number;
};

/** Returns a site's identifier: the same in every scenario and for every seed. */
const siteIdOf = (site: Pick<SitePlan, 'name'>): string => makeId('site', site.name);

/** Creates the sites, branches and logs of a scenario and a seed. Nothing is written until it is read. */
export const createSampleWorld = ({scenario, seed, startMs}: WorldOptions): readonly SampleSite[] =>
  scenarios[scenario].sites.map(site => {
    const siteId = siteIdOf(site);
    const branches = site.branches.map(branch => {
      const branchId = makeId('branch', site.name, branch.name);
      const setting = {site, branch, siteId, branchId, seed, startMs};
      const roster = (branch.createRoster ?? createReleaseRoster)(setting);
      const shape = branch.shapeLog({...setting, roster});
      return {setting, roster, log: createSampleLog({shape, seed, branchId, startMs, roster})};
    });
    return {id: siteId, name: site.name, branches};
  });
