import {firstIndexWhere} from './buffer.ts';

/** No entry of a chunk. */
export const noOffsets = new Uint16Array(0);

/** Counts how many of the ascending offsets are below `offset`. */
export const countBelow = (offsets: Uint16Array, offset: number): number =>
  firstIndexWhere(offsets.length, index => (offsets[index] ?? 0) >= offset);

/** Returns the running start of each count when they are laid end to end, followed by their sum. */
export const startsOf = (counts: readonly number[]): readonly number[] => {
  const starts = [0];
  let start = 0;
  for (const count of counts) {
    start += count;
    starts.push(start);
  }
  return starts;
};

/**
 * Returns the last piece whose start is not beyond `index`: the piece that contains the index if it is below the sum.
 * `starts` is as `startsOf` returns it.
 */
export const pieceAt = (starts: readonly number[], index: number): number =>
  firstIndexWhere(starts.length, at => (starts[at] ?? 0) > index) - 1;
