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

/** Returns the items sorted; equal ones keep their order. */
export function* sortWork<T extends NonNullable<unknown>>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Work<readonly T[]> {
  let sorted: T[] = [];
  for (let start = 0; start < items.length; start += linesPerPause) {
    for (const item of items.slice(start, start + linesPerPause).sort(compare)) {
      sorted.push(item);
    }
    yield;
  }
  for (let runLength = linesPerPause; runLength < items.length; runLength *= 2) {
    sorted = yield* mergeRuns(sorted, runLength, compare);
  }
  return sorted;
}

/** Merges each two neighbouring runs of sorted items into one. */
function* mergeRuns<T extends NonNullable<unknown>>(
  items: readonly T[],
  runLength: number,
  compare: (a: T, b: T) => number,
): Work<T[]> {
  const merged: T[] = [];
  for (let start = 0; start < items.length; start += 2 * runLength) {
    const middle = Math.min(start + runLength, items.length);
    const end = Math.min(middle + runLength, items.length);
    let [left, right] = [start, middle];
    while (left < middle || right < end) {
      const [a, b] = [items[left], items[right]];
      const takesLeft = right >= end || (left < middle && a !== undefined && b !== undefined && compare(a, b) <= 0);
      const item = takesLeft ? a : b;
      if (item !== undefined) {
        merged.push(item);
      }
      left += takesLeft ? 1 : 0;
      right += takesLeft ? 0 : 1;
      if (merged.length % linesPerPause === 0) {
        yield;
      }
    }
  }
  return merged;
}
