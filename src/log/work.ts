/**
 * A long computation as a generator that pauses at each `yield`, so that the caller decides when it continues. It
 * pauses about once a millisecond or more often. Pauses do not affect the result.
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

/** Visits items in order, and pauses now and then. */
export function* visitEach<T>(items: Iterable<T>, visit: (item: T, index: number) => void): Work<void> {
  let index = 0;
  for (const item of items) {
    visit(item, index);
    index += 1;
    if (index % linesPerPause === 0) {
      yield;
    }
  }
}
