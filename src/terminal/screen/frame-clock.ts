/** The time that the screen lives by, handed in so that tests can hold it still. */
export type FrameClock = {
  /** Milliseconds on a clock that only ever moves forward; where it starts means nothing. */
  nowMs(): number;
  /** Calls `run` once after `delayMs`; 0 means as soon as what runs now, and the work it queued, has ended. Answers how to call it off. */
  schedule(delayMs: number, run: () => void): () => void;
};

/** The clock of the machine. */
export const systemFrameClock: FrameClock = {
  nowMs: () => performance.now(),
  schedule(delayMs, run) {
    if (delayMs <= 0) {
      // Called off by a flag and not by clearImmediate. Where an immediate throws and the next one is cleared while the
      // throw is handled, which is when the screen is left, Node 24 trips over its own list and throws again for ever.
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
