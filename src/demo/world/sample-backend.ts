import type {Backend} from '#service/backend/backend.ts';
import {createPulseCounter} from '#service/backend/pulse-counter.ts';
import {makeSamplePod} from './release-roster.ts';
import {makeSampleBranch} from './sample-branch.ts';
import type {ScenarioName} from './scenario-names.ts';
import {createSampleWorld, siteIdOf} from './scenarios/sample-world.ts';
import {scenarios} from './scenarios/scenarios.ts';

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
