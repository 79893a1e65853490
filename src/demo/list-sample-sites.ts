import type {ScenarioName} from './plan/scenario-names.ts';
import {siteIdOf} from './sample-world.ts';
import {scenarios} from './scenarios.ts';

/** Returns the sites of a scenario, for the context that the demo opens: no operation of the service lists them. */
export const listSampleSites = (scenario: ScenarioName): readonly {readonly id: string; readonly name: string}[] =>
  scenarios[scenario].sites.map(site => ({id: siteIdOf(site), name: site.name}));
