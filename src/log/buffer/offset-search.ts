import {firstIndexWhere} from './buffer.ts';

/** No entry of a chunk. */
export const noOffsets = new Uint16Array(0);

/** How many of some offsets, which rise, are below one. */
export const countBelow = (offsets: Uint16Array, offset: number): number =>
  firstIndexWhere(offsets.length, index => (offsets[index] ?? 0) >= offset);

/** Where each of some counts begins when they stand one behind the other, and at the end the sum of all. */
export const startsOf = (counts: readonly number[]): readonly number[] => {
  const starts = [0];
  let start = 0;
  for (const count of counts) {
    start += count;
    starts.push(start);
  }
  return starts;
};

/** The last of some starts, the sum behind them, that is not beyond an index: the piece that the index lies in, where it is below the sum. */
export const pieceAt = (starts: readonly number[], index: number): number =>
  firstIndexWhere(starts.length, at => (starts[at] ?? 0) > index) - 1;
