import type {Chunk} from '../buffer/chunk.ts';
import {lastHeadRankOf} from '../traits/line-traits.ts';

/** The last line before a chunk that is not a continuation: the chunk's first lines may continue it. */
export type HeadBefore = {
  /** The rank of its level, see `levelRank`; 0 if there is no such line. */
  readonly rank: number;
  readonly isHeld: boolean;
};

const none: HeadBefore = {rank: 0, isHeld: false};

/**
 * Returns a function that finds the head before each chunk, by the chunk's index; undefined if unknown because `read`,
 * which scans a chunk, refuses one on the way there. All calls together are O(chunks).
 */
export const headsBefore = (
  chunks: readonly Chunk[],
  read: (chunk: Chunk) => boolean,
): ((index: number) => HeadBefore | undefined) => {
  const heads = new Array<HeadBefore | 'refused' | undefined>(chunks.length);
  heads[0] = none;
  return index => {
    let from = index;
    while (heads[from] === undefined) {
      const before = chunks[from - 1];
      if (before === undefined || !read(before)) {
        heads[from] = 'refused';
        break;
      }
      const rank = lastHeadRankOf(before);
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
