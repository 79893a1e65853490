/** The clock of the searches; injected, so that tests can move it. */
export type SearchClock = {
  /** Returns milliseconds by a monotonic clock; its zero has no meaning. */
  nowMs(): number;
  /** Calls `run` once after `delayMs`. Returns a function that cancels the call. */
  schedule(delayMs: number, run: () => void): () => void;
};

/** The system clock. Its timers do not keep the process alive. */
export const systemSearchClock: SearchClock = {
  nowMs: () => performance.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
