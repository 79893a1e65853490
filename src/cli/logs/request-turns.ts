import type {Clock} from '#cli/io/io.ts';

/**
 * Spreads the requests of several branches: resolves when it is the caller's turn. Turns are at least `spacingMs`
 * apart.
 */
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
