import {type Clock, sleep} from '../../src/cli/io/io.ts';

/** A clock that runs so many times faster than the machine's: what takes minutes is over in seconds, and in the same order. */
export const createQuickClock = (factor: number): Clock => {
  const startMs = performance.now();
  const monotonicMs = () => (performance.now() - startMs) * factor;
  return {
    nowMs: () => Date.UTC(2026, 10, 21, 14, 0, 0) + monotonicMs(),
    monotonicMs,
    sleep: (ms, signal) => sleep(ms / factor, signal),
  };
};
