import {timeKeysAmidOutput} from './key-times.ts';
import type {Measure} from './measure.ts';
import {pickOfPeers} from './peer-figures.ts';
import {quantile} from './quantile.ts';
import {followRate, watchRate} from './watch-rate.ts';

const linesPerSecond = 1000;
const windowLines = 10_000;
const lineKeys = 200;

/** Measures the cost of following a thousand lines a second, and how long a line key takes meanwhile. */
export const measureBusy: Measure = async ({stage}) => {
  const program = await followRate(stage, {branch: 'busy', linesPerSecond, windowLines});
  const {programs, peers} = await watchRate(stage, [program], {linesPerSecond, firstLines: windowLines});
  // The first key stops following.
  await timeKeysAmidOutput(program, 'b', 3);
  const times = await timeKeysAmidOutput(program, 'k', lineKeys);
  await program.close();
  const {cpuPercent = Number.NaN, bytes = Number.NaN, seconds = Number.NaN} = programs[0] ?? {};
  return [
    {
      what: 'CPU at 1,000 lines/s',
      unit: '%',
      value: cpuPercent,
      must: 25,
      aim: 10,
      peers: pickOfPeers(peers, peer => peer.cpuPercent),
    },
    {
      what: 'bytes at 1,000 lines/s',
      unit: 'B/s',
      value: bytes / seconds,
      peers: pickOfPeers(peers, peer => peer.bytes / peer.seconds),
    },
    {what: 'line key at 1,000 lines/s: p50', unit: 'ms', value: quantile(times, 0.5)},
    {what: 'line key at 1,000 lines/s: p99', unit: 'ms', value: quantile(times, 0.99), must: 30, aim: 16},
  ];
};
