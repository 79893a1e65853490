import {type Chunk, sourceAt} from '#log/buffer/chunk.ts';
import {createWeakCache} from '#log/buffer/weak-cache.ts';
import {isContinuedAt, type LineWriter, lastHeadRankOf} from '#log/traits/line-traits.ts';

/** The last line of a source before a chunk that is not a continuation: the source's first lines may continue it. */
export type HeadBefore = {
  /** The rank of its level, see `levelRank`; 0 if there is no such line. */
  readonly rank: number;
  readonly isHeld: boolean;
};

const none: HeadBefore = {rank: 0, isHeld: false};

/**
 * Returns a function that finds the head of a source before each chunk, by the chunk's index; undefined if unknown
 * because `read`, which scans a chunk, refuses one on the way there. All calls for a source together are O(chunks).
 */
export const headsBefore = (
  chunks: readonly Chunk[],
  read: (chunk: Chunk) => boolean,
): ((index: number, source: LineWriter) => HeadBefore | undefined) => {
  const bySource = new Map<LineWriter, (HeadBefore | 'refused' | undefined)[]>();
  return (index, source) => {
    const heads = bySource.get(source) ?? new Array<HeadBefore | 'refused' | undefined>(chunks.length);
    bySource.set(source, heads);
    heads[0] = none;
    let from = index;
    while (heads[from] === undefined) {
      const before = chunks[from - 1];
      if (before === undefined || !read(before)) {
        heads[from] = 'refused';
        break;
      }
      const rank = lastHeadRankOf(before, source);
      if (rank !== undefined) {
        heads[from] = {rank, isHeld: true};
        break;
      }
      from -= 1;
    }
    const found = heads[from];
    heads.fill(found, from, index + 1);
    return found === 'refused' ? undefined : found;
  };
};

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
