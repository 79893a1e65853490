import {randomBytes} from 'node:crypto';
import type {StateStore} from '#service/window/state-store.ts';

/** Creates a state that keeps nothing: what was opened for the eyes of one reader leaves nothing behind. */
export const createPassingState = (): StateStore => {
  let lastKey = 0;
  const nextKey = (): number => {
    lastKey += 1;
    return lastKey;
  };
  return {
    isAnew: false,
    findOrAddBranch: (_siteId, _branchId, _record, nowMs) => ({
      key: nextKey(),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      clock: {last: 0n, highest: 0n},
      series: randomBytes(8).toString('hex'),
      lastSequence: 0,
      dropped: 0,
      lossCount: 0,
      losses: [],
    }),
    findOrAddPod: (_branchKey, _name, nowMs) => ({key: nextKey(), createdAtMs: nowMs, isNew: true}),
    keepOnly: () => undefined,
    readLines: () => [],
    readFiles: () => [],
    readCursor: () => undefined,
    nextFileKey: nextKey,
    write: () => undefined,
    close: () => undefined,
  };
};
