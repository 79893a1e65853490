/** The clock of the screen, injected so that tests can control it. */
export type FrameClock = {
  /** Returns milliseconds on a monotonic clock; its origin has no meaning. */
  nowMs(): number;
  /**
   * Calls `run` once after `delayMs`; 0 means as soon as the current task and the work it queued have ended. Returns a
   * function that cancels the call.
   */
  schedule(delayMs: number, run: () => void): () => void;
};

/** The machine's clock. */
export const systemFrameClock: FrameClock = {
  nowMs: () => performance.now(),
  schedule(delayMs, run) {
    if (delayMs <= 0) {
      // Cancelled by a flag, not by clearImmediate: if an immediate throws and the next one is cleared while the
      // exception is handled, which happens when the screen is left, Node 24 corrupts its own list and throws again
      // forever.
      let isCalledOff = false;
      setImmediate(() => isCalledOff || run());
      return () => {
        isCalledOff = true;
      };
    }
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
