import {expect, test} from 'vitest';
import {randomOf} from '../../../log/incident/simulation/random.ts';
import {byTime} from '../../../log/incident/simulation/take-lines.ts';
import {drawTraffic, ordinaryLines} from '../../../log/incident/simulation/traffic.ts';
import {runsOf} from '../../../support/thorough.ts';
import {drawIncident, pagesOf} from './draw-incident.ts';
import {simulateGuard} from './simulate.ts';

const seed = Number(process.env.SEED ?? 42);
const dayCount = Number(process.env.DAYS ?? runsOf(4));
const incidentCount = Number(process.env.INCIDENTS ?? runsOf(7));

/** A log is judged hundreds of times, some milliseconds each on a quiet machine. */
const timeoutMs = 60_000 * Math.max(2, dayCount, incidentCount);

test(
  `calm days page nobody (SEED=${seed})`,
  () => {
    const pages = Array.from({length: dayCount}, (_, index) => {
      const random = randomOf(seed + index);
      const seconds = 86_400;
      const traffic = drawTraffic(random, {seconds, linesMax: 20_000, rate: random.scaled(0.02, 0.2)});
      const lines = byTime(ordinaryLines(random, traffic)).map(line => ({...line, source: {pod: 'web-1'}}));
      const watched = {lines, from: 3600, to: seconds, lookEvery: 60, judgeEvery: 600, bufferBytesMax: 500_000};
      const name = `day ${index}, ${traffic.format.name}, ${traffic.rate.toFixed(3)} lines/s`;
      return simulateGuard(watched).records.map(({what, at, text}) => `${name}: ${at} ${what} ${text}`);
    }).flat();
    expect(pages).toEqual([]);
  },
  timeoutMs,
);

test(
  `what incident is sure of is paged once, within a minute (SEED=${seed})`,
  () => {
    const rows = Array.from({length: incidentCount}, (_, index) => {
      const {kind, planted, seconds} = drawIncident(randomOf(seed + 1000 + index), index);
      const lines = byTime(planted.lines).map(line => ({...line, source: {pod: 'web-1'}}));
      const watched = {lines, from: 2100, to: seconds, lookEvery: 10, judgeEvery: 30, bufferBytesMax: 1e7};
      return {kind, ...pagesOf(simulateGuard(watched), planted)};
    });
    const isFine = ({sureAt, pagedAt: [first, ...others]}: (typeof rows)[number]): boolean =>
      others.length === 0 && (sureAt === undefined || (first !== undefined && first <= sureAt + 60));
    expect(rows.filter(row => !isFine(row))).toEqual([]);
  },
  timeoutMs,
);
