import type {Clock} from '../io/io.ts';

/** Spreads requests that several branches make: resolves when it is one's turn, no two within `spacingMs`. */
export const createRequestTurns = (clock: Clock, spacingMs: number): ((signal: AbortSignal) => Promise<void>) => {
  let freeAtMs = Number.NEGATIVE_INFINITY;
  return async signal => {
    const nowMs = clock.monotonicMs();
    const turnMs = Math.max(nowMs, freeAtMs);
    freeAtMs = turnMs + spacingMs;
    if (turnMs > nowMs) {
      await clock.sleep(turnMs - nowMs, signal);
    }
  };
};
