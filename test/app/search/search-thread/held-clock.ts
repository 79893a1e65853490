import type {SearchClock} from '#app/search/search-thread/search-thread.ts';

/** A clock that stands still until the test moves it. */
export type HeldClock = SearchClock & {
  /** Moves on by so many milliseconds and runs what falls due on the way, in order. */
  pass(ms: number): void;
  /** Resolves once a call is scheduled. */
  untilScheduled(): Promise<void>;
};

export const createHeldClock = (): HeldClock => {
  let nowMs = 0;
  let calls: {readonly atMs: number; readonly run: () => void}[] = [];
  let tellScheduled = (): void => {};
  const takeDue = (endMs: number) => {
    const [next] = calls.filter(({atMs}) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
    calls = calls.filter(call => call !== next);
    return next;
  };
  return {
    nowMs: () => nowMs,
    schedule: (delayMs, run) => {
      const call = {atMs: nowMs + delayMs, run};
      calls.push(call);
      tellScheduled();
      return () => {
        calls = calls.filter(other => other !== call);
      };
    },
    pass: ms => {
      const endMs = nowMs + ms;
      for (let due = takeDue(endMs); due !== undefined; due = takeDue(endMs)) {
        nowMs = due.atMs;
        due.run();
      }
      nowMs = endMs;
    },
    untilScheduled: () =>
      calls.length > 0
        ? Promise.resolve()
        : new Promise(resolve => {
            tellScheduled = resolve;
          }),
  };
};
