import {type Chunk, sourceAt} from '../buffer/chunk.ts';
import {createWeakCache} from '../buffer/weak-cache.ts';
import {isContinuedAt, type LineWriter} from '../traits/line-traits.ts';

/** A chunk's folds with the first lines of some sources unfolded. */
type Unfolded = {readonly headless: readonly LineWriter[]; readonly folds: Uint8Array};

const kept = createWeakCache<Uint8Array, Unfolded>();

/**
 * Returns the folds of a chunk with those lines unfolded that continue an evicted line: nothing would represent them.
 * They are the first of the sources that have no head before the chunk any more. Returns the same array for the same
 * folds and sources.
 */
export const keepHeadless = (chunk: Chunk, folds: Uint8Array, headless: readonly LineWriter[]): Uint8Array => {
  const before = kept.get(folds);
  if (headless.length === 0) {
    return folds;
  }
  if (before?.headless.length === headless.length && headless.every(source => before.headless.includes(source))) {
    return before.folds;
  }
  const unfolded = folds.map((isFolded, offset) =>
    isFolded === 1 && isContinuedAt(chunk, offset) && headless.includes(sourceAt(chunk, offset)) ? 0 : isFolded,
  );
  kept.set(folds, {headless, folds: unfolded});
  return unfolded;
};
