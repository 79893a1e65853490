import type {Chunk} from '../buffer/chunk.ts';
import {markersOf} from '../buffer/markers-of.ts';
import {createSideTable} from '../buffer/side-table.ts';

/** A chunk's folds after the lines before its first head are unfolded. */
const kept = createSideTable<Uint8Array, Uint8Array>();

/** Returns the offset of a chunk's first line that is not folded into another; undefined if there is none. */
const firstHead = (chunk: Chunk, folds: Uint8Array): number | undefined => {
  const markers = new Set(markersOf(chunk).map(({offset}) => offset));
  const first = folds.findIndex((isFolded, offset) => isFolded === 0 && !markers.has(offset));
  return first === -1 ? undefined : first;
};

/**
 * Returns the folds of the oldest chunk, with its first lines unfolded if they continue an evicted line: nothing would
 * represent them. Returns the same array for the same folds.
 */
export const keepHeadless = (chunk: Chunk, folds: Uint8Array): Uint8Array => {
  const end = firstHead(chunk, folds) ?? chunk.entryCount;
  if (!folds.subarray(0, end).includes(1)) {
    return folds;
  }
  const found = kept.get(folds) ?? folds.slice().fill(0, 0, end);
  kept.set(folds, found);
  return found;
};
