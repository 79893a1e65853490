import type {PeerName} from './figure.ts';

/** Measures each peer in turn. */
export const measurePeers = async <Subject, Value>(
  peers: readonly (readonly [PeerName, Subject])[],
  measure: (subject: Subject, peer: PeerName) => Promise<Value>,
): Promise<Partial<Record<PeerName, Value>>> => {
  const measured: Partial<Record<PeerName, Value>> = {};
  for (const [peer, subject] of peers) {
    measured[peer] = await measure(subject, peer);
  }
  return measured;
};

/** Picks one number of each peer's measurement. */
export const pickOfPeers = <Value>(
  measured: Partial<Record<PeerName, Value>>,
  pick: (value: Value) => number,
): Partial<Record<PeerName, number>> =>
  Object.fromEntries(Object.entries(measured).map(([peer, value]) => [peer, pick(value)]));
