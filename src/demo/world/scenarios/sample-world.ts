import type {BranchSetting, SitePlan} from '../plan/plans.ts';
import {createReleaseRoster} from '../release-roster.ts';
import type {ScenarioName} from '../scenario-names.ts';
import type {Roster} from '../seed/log-source.ts';
import {makeId} from '../seed/random.ts';
import {createSampleLog, type SampleLog} from './sample-log.ts';
import {scenarios} from './scenarios.ts';

export type SampleBranch = {readonly setting: BranchSetting; readonly roster: Roster; readonly log: SampleLog};
export type SampleSite = {readonly id: string; readonly name: string; readonly branches: readonly SampleBranch[]};

export type WorldOptions = {
  readonly scenario: ScenarioName;
  readonly seed: number;
  /** The demo's start, milliseconds since 1970. */
  readonly startMs: number;
};

/** Returns a site's identifier: the same in every scenario and for every seed. */
export const siteIdOf = (site: Pick<SitePlan, 'name'>): string => makeId('site', site.name);

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
