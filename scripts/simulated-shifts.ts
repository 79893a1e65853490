/**
 * Lets the guard watch simulated shifts: `npx node scripts/simulated-shifts.ts [--days N] [--branches N] [--incidents N]`, with the seed
 * from SEED or 42. Calm days have deployments, restarts of the service, short outages and single errors: nobody may be paged.
 * Of planted incidents, with all that in them, as many as possible must be paged within a minute of what `incident` is sure of.
 * Prints each page of a calm day and each incident that was paged late or never, then the figures.
 */
import {parseArgs} from 'node:util';
import {drawIncident, pagesOf} from '../test/cli/logs/guard/draw-incident.ts';
import {simulateGuard} from '../test/cli/logs/guard/simulate.ts';
import {type Random, randomOf, timesOf} from '../test/log/incident/simulation/random.ts';
import {byTime, type DrawnLine} from '../test/log/incident/simulation/take-lines.ts';
import {drawTraffic, newFaults, ordinaryLines, sayAt, type Traffic} from '../test/log/incident/simulation/traffic.ts';

const {values} = parseArgs({
  options: {
    days: {type: 'string', default: '100'},
    branches: {type: 'string', default: '30'},
    incidents: {type: 'string', default: '60'},
  },
});
const seed = Number(process.env.SEED ?? 42);

/** What an ordinary day has, besides its lines: none of it is worth a page. */
const drawNoise = (random: Random, traffic: Traffic, {from, to}: {readonly from: number; readonly to: number}) => {
  const some = (perDay: number): readonly number[] => timesOf(random, {from, to, perMinute: perDay / 1440});
  const deployments = some(2);
  const restarts = some(1);
  const lines: readonly DrawnLine[] = [
    ...deployments.flatMap(at => [
      sayAt(traffic, at - 0.5, 'INFO', 'SIGTERM received, shutting down gracefully'),
      sayAt(traffic, at + 0.1, 'INFO', 'server started, listening on 8080'),
      ...(random.chance(0.3) ? [sayAt(traffic, at + 0.4, 'ERROR', 'connection refused, trying again')] : []),
    ]),
    ...some(3).map(at => sayAt(traffic, at, 'ERROR', random.pick(newFaults), {order_id: random.whole(0, 99_999)})),
  ];
  // While the service starts anew, it does not answer; nor at other times, for less than a minute.
  const outages = [...restarts, ...some(2)].map(at => [at, at + random.between(2, 50)] as const);
  return {deployments, restarts, outages, lines};
};

let pages = 0;
const days = Number(values.days);
const branches = Number(values.branches);
for (let day = 0; day < days; day += 1) {
  for (let branch = 0; branch < branches; branch += 1) {
    const random = randomOf(seed + 1000 * day + branch);
    const seconds = 86_400;
    const traffic = drawTraffic(random, {seconds, linesMax: 20_000, rate: random.scaled(0.02, 0.2)});
    const {lines: noise, ...happens} = drawNoise(random, traffic, {from: 3600, to: seconds});
    const lines = byTime([...ordinaryLines(random, traffic), ...noise]);
    const looks = {from: 3600, to: seconds, lookEvery: 60, judgeEvery: 600, bufferBytesMax: 500_000};
    const {records} = simulateGuard({lines, ...looks, ...happens});
    pages += records.length;
    for (const {at, what, text} of records) {
      process.stdout.write(`day ${day}, branch ${branch}, ${traffic.format.name}: ${at} ${what} ${text}\n`);
    }
  }
}

let [inTime, isSure, twice] = [0, 0, 0];
const incidents = Number(values.incidents);
for (let index = 0; index < incidents; index += 1) {
  const random = randomOf(seed + 500_000 + index);
  const {kind, traffic, planted, onset, seconds} = drawIncident(random, index);
  // As much as a day has, in these minutes.
  const {lines: noise, ...happens} = drawNoise(random, traffic, {from: 600, to: seconds});
  const lines = byTime([...planted.lines, ...noise]);
  const looks = {from: 900, to: seconds, lookEvery: 10, judgeEvery: 30, bufferBytesMax: 1e7};
  const {sureAt, pagedAt} = pagesOf(simulateGuard({lines, ...looks, ...happens}), planted);
  const first = pagedAt.find(second => second >= onset);
  isSure += sureAt === undefined ? 0 : 1;
  twice += pagedAt.length > 1 ? 1 : 0;
  const isInTime = first !== undefined && first <= (sureAt ?? Number.POSITIVE_INFINITY) + 60;
  inTime += isInTime ? 1 : 0;
  if (!isInTime || pagedAt.length > 1) {
    process.stdout.write(
      `incident ${index}, ${kind}: sure at ${sureAt}, paged at ${pagedAt.join(', ') || 'no time'}\n`,
    );
  }
}
process.stdout.write(
  `SEED=${seed}: ${pages} pages in ${days * branches} calm days of a branch; of ${incidents} incidents ${inTime} paged within a minute of what incident is sure of (${isSure} are sure), ${twice} twice\n`,
);
