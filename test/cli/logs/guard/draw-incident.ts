import {isTrouble} from '#log/incident/incident-finding.ts';
import {type Planted, plants} from '../../../log/incident/simulation/planted-incident.ts';
import type {Random} from '../../../log/incident/simulation/random.ts';
import {drawTraffic, type Traffic} from '../../../log/incident/simulation/traffic.ts';
import type {Simulated} from './simulate.ts';

/** The incidents that somebody is paged of: of masses and of fields, which are no errors, nobody is. */
const pagedPlants = Object.entries(plants).filter(([kind]) => !/masses|field/.test(kind));

/** Begin of the incident, and its end, in seconds since the log's beginning. */
const [onset, seconds] = [2400, 3000];

type DrawnIncident = {
  readonly kind: string;
  readonly traffic: Traffic;
  readonly planted: Planted;
  readonly onset: number;
  readonly seconds: number;
};

/** Draws an incident; each kind in turn, by `index`. */
export const drawIncident = (random: Random, index: number): DrawnIncident => {
  const [kind, plant] = pagedPlants[index % pagedPlants.length] ?? [];
  if (kind === undefined || plant === undefined) {
    throw new Error('no kind of incident');
  }
  const traffic = drawTraffic(random, {seconds, linesMax: 6000, format: random.pick(plant.formats), rate: 2});
  const planted = plant.draw(random, traffic, {onset, end: seconds, share: random.scaled(0.04, 0.6)});
  return {kind, traffic, planted, onset, seconds};
};

/** Returns the second at which `incident` became sure of what was planted, and those at which somebody was paged. */
export const pagesOf = ({records, reports}: Simulated, {isIt}: Planted) => ({
  sureAt: reports.find(({report: {findings}}) =>
    findings.some(each => isTrouble(each) && each.confidence === 'sure' && isIt(each)),
  )?.second,
  pagedAt: records.filter(({what}) => what === 'found').map(({second}) => second),
});
