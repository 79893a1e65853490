/**
 * A computation that may take long, as a generator that pauses at each `yield`: the caller decides when it goes on. It
 * pauses at least once a millisecond or so, and like any pure function it always returns the same.
 */
export type Work<T> = Generator<undefined, T, undefined>;

/** Simple loops pause after this many lines. */
export const linesPerPause = 512;

/** Runs work to its end without a pause. */
export const finishWork = <T>(work: Work<T>): T => {
  for (;;) {
    const {done, value} = work.next();
    if (done) {
      return value;
    }
  }
};
