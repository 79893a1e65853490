import {timeKeys} from './key-times.ts';
import type {Measure} from './measure.ts';
import {measurePeers, pickOfPeers} from './peer-figures.ts';
import {cpuMsOf} from './process-cost.ts';
import {quantile} from './quantile.ts';
import type {Session} from './session.ts';

const lineKeys = 200;
const pageKeys = 100;
/** Not counted: the first keys run code for the first time, and pages also lead away from the newest lines. */
const warmUpKeys = 10;

const timeLineKeys = async (session: Session) => {
  await timeKeys(session, 'b', warmUpKeys);
  await timeKeys(session, 'k', warmUpKeys);
  const cpuMsBefore = cpuMsOf(session.pid);
  const times = await timeKeys(session, 'k', lineKeys);
  return {times, cpuMs: (cpuMsOf(session.pid) - cpuMsBefore) / lineKeys};
};

/** Measures a line key with a million lines held, from the key to the last byte of the answer. */
export const measureKeys: Measure = async ({million}) => {
  const held = await million();
  const {times, cpuMs} = await timeLineKeys(held.program);
  const peers = await measurePeers(held.peers, timeLineKeys);
  const row = (share: number) => ({
    unit: 'ms' as const,
    value: quantile(times, share),
    peers: pickOfPeers(peers, peer => quantile(peer.times, share)),
  });
  return [
    {what: 'line key, 1,000,000 lines held: p50', ...row(0.5), must: 3, aim: 2},
    {what: 'line key, 1,000,000 lines held: p99', ...row(0.99), must: 12, aim: 8},
    // Reliable on a busy machine too. Includes what the program does by itself meanwhile.
    {
      what: 'CPU time for a line key, 1,000,000 lines held',
      unit: 'ms',
      value: cpuMs,
      peers: pickOfPeers(peers, peer => peer.cpuMs),
    },
  ];
};

const timePageKeys = async (session: Session): Promise<readonly number[]> => {
  await timeKeys(session, 'b', warmUpKeys);
  return timeKeys(session, 'b', pageKeys);
};

/** Measures a page key in the same way. */
export const measurePages: Measure = async ({million}) => {
  const held = await million();
  const times = await timePageKeys(held.program);
  const peers = await measurePeers(held.peers, timePageKeys);
  const row = (share: number) => ({
    unit: 'ms' as const,
    value: quantile(times, share),
    peers: pickOfPeers(peers, peerTimes => quantile(peerTimes, share)),
  });
  return [
    {what: 'page key, 1,000,000 lines held: p50', ...row(0.5), must: 6, aim: 4},
    {what: 'page key, 1,000,000 lines held: p99', ...row(0.99), must: 20},
  ];
};
