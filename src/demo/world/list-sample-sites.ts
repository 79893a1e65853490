import type {ScenarioName} from './scenario-names.ts';
import {siteIdOf} from './scenarios/sample-world.ts';
import {scenarios} from './scenarios/scenarios.ts';

/** Returns the sites of a scenario, for the context that the demo opens: no operation of the service lists them. */
export const listSampleSites = (scenario: ScenarioName): readonly {readonly id: string; readonly name: string}[] =>
  scenarios[scenario].sites.map(site => ({id: siteIdOf(site), name: site.name}));
