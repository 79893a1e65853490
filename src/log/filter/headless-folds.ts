import type {Chunk} from '../buffer/chunk.ts';
import {markersOf} from '../buffer/markers-of.ts';
import {createSideTable} from '../buffer/side-table.ts';

/** What is left of a chunk's folds where lines before the first that stays are shown. */
const kept = createSideTable<Uint8Array, Uint8Array>();

/** The place of a chunk's first line that is not folded into another; undefined where it has none. */
const firstHead = (chunk: Chunk, folds: Uint8Array): number | undefined => {
  const markers = new Set(markersOf(chunk).map(({offset}) => offset));
  const first = folds.findIndex((isFolded, offset) => isFolded === 0 && !markers.has(offset));
  return first === -1 ? undefined : first;
};

/**
 * The folds of the first lines that a buffer holds: those that continue a line which has left are not folded, as nothing would stand for them. The same
 * for the same folds every time.
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
