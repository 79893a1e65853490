/** The time that searches are measured by, handed in so that tests can move it. */
export type SearchClock = {
  /** Milliseconds on a clock that never jumps; its zero means nothing. */
  nowMs(): number;
  /** Calls `run` once after `delayMs`. Returns a function that cancels the call. */
  schedule(delayMs: number, run: () => void): () => void;
};

/** The clock of the machine. Its timers keep no process alive. */
export const systemSearchClock: SearchClock = {
  nowMs: () => performance.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
