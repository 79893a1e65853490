import type {Measure} from './measure.ts';
import {measurePeers} from './peer-figures.ts';
import {residentMbOf} from './process-cost.ts';

/** Measures resident memory with a million lines held. */
export const measureMemory: Measure = async ({million}) => {
  const {residentMb, peers} = await million();
  return [
    {
      what: 'resident memory, 1,000,000 lines × 155 bytes held',
      unit: 'MB',
      value: residentMb,
      must: 240,
      aim: 200,
      peers: await measurePeers(peers, async session => residentMbOf(session.pid)),
    },
  ];
};
