import type {Measure} from './measure.ts';
import {pickOfPeers} from './peer-figures.ts';
import {followRate, watchRate} from './watch-rate.ts';

const firstLines = 1000;
const observedMs = 60_000;

/** Measures the cost of a branch on which nothing happens. */
export const measureQuiet: Measure = async ({stage}) => {
  const program = await followRate(stage, {branch: 'quiet', linesPerSecond: 0, windowLines: firstLines});
  const {programs, peers} = await watchRate(stage, [program], {linesPerSecond: 0, firstLines, observedMs});
  await program.close();
  const {bytes = Number.NaN, seconds = Number.NaN, cpuPercent = Number.NaN} = programs[0] ?? {};
  return [
    {
      what: 'bytes a minute, quiet branch',
      unit: 'B/min',
      value: (bytes / seconds) * 60,
      must: 600,
      aim: 0,
      peers: pickOfPeers(peers, peer => (peer.bytes / peer.seconds) * 60),
    },
    {
      what: 'CPU, quiet branch',
      unit: '%',
      value: cpuPercent,
      peers: pickOfPeers(peers, peer => peer.cpuPercent),
    },
  ];
};
