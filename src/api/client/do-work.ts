import {setImmediate} from 'node:timers/promises';
import type {Work} from '#log/work.ts';

/** A key that comes in the meantime waits no longer than this, milliseconds: half of what the key itself takes. */
const sliceMsMax = 2;

/** How much work is under way: each gets its share of the time, as the slices of all may follow each other directly. */
let underWayCount = 0;

/**
 * Does work in slices, between which everything else has its turn; short work is done at once. Rejects with the
 * signal's reason when it is aborted.
 */
export const doWork = async <T>(work: Work<T>, signal?: AbortSignal): Promise<T> => {
  underWayCount += 1;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const endMs = performance.now() + sliceMsMax / underWayCount;
      do {
        const {done, value} = work.next();
        if (done) {
          return value;
        }
      } while (performance.now() < endMs);
      await setImmediate();
    }
  } finally {
    underWayCount -= 1;
  }
};
