import type {Measure} from './measure.ts';
import {pickOfPeers} from './peer-figures.ts';
import {followRate, watchRate} from './watch-rate.ts';

const windowLines = [1000, 10_000] as const;

/** Measures the cost of following one line a second. */
export const measureSlow: Measure = async ({stage}) => {
  const sessions = await Promise.all(
    windowLines.map(lines => followRate(stage, {branch: `slow-${lines}`, linesPerSecond: 1, windowLines: lines})),
  );
  const {programs, peers} = await watchRate(stage, sessions, {linesPerSecond: 1, firstLines: windowLines[0]});
  await Promise.all(sessions.map(session => session.close()));
  return windowLines.flatMap((lines, index) => {
    const {cpuPercent = Number.NaN, bytes = Number.NaN, seconds = Number.NaN} = programs[index] ?? {};
    const windows = `windows of ${lines.toLocaleString('en-US')}`;
    return [
      {
        what: `CPU at 1 line/s, ${windows}`,
        unit: '%' as const,
        value: cpuPercent,
        must: 5,
        aim: 1,
        peers: pickOfPeers(peers, peer => peer.cpuPercent),
      },
      {
        what: `bytes at 1 line/s, ${windows}`,
        unit: 'B/s' as const,
        value: bytes / seconds,
        peers: pickOfPeers(peers, peer => peer.bytes / peer.seconds),
      },
    ];
  });
};
