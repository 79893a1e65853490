import {type Chunk, timeAt} from '#log/buffer/chunk.ts';
import {noOffsets} from '#log/buffer/offset-search.ts';
import {createChunkCache, once} from '#log/buffer/weak-cache.ts';
import type {Instant} from '#log/line/instant.ts';
import {type Follow, followLine} from '#log/reading/continuation.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {levelsOf} from './line-traits.ts';

const errorRank = levelRank('error');

/** Reads a line after those that led to `before`, and tells whether it is an error of its own: see `errorOffsetsOf`. */
export const readError = (before: Follow, text: string): {readonly follow: Follow; readonly isError: boolean} => {
  const level = levelOf(text);
  const follow = followLine(before, text, level);
  return {follow, isError: !follow.isContinuation && levelRank(level) >= errorRank};
};

const findOffsets = (chunk: Chunk, rankMin: number): Uint16Array => {
  const offsets: number[] = [];
  const levels = levelsOf(chunk);
  // By index: of a million lines, an iterator's pairs cost more than all else here.
  for (let offset = 0; offset < levels.length; offset++) {
    if ((levels[offset] ?? 0) >= rankMin) {
      offsets.push(offset);
    }
  }
  return offsets.length === 0 ? noOffsets : Uint16Array.from(offsets);
};

/**
 * Returns the offsets of a chunk's errors, in order: lines of level error or above. The lines of a trace are part of
 * the error above them. All counts and jumps go by these.
 */
export const errorOffsetsOf = once(createChunkCache<Uint16Array>(), (chunk: Chunk) => findOffsets(chunk, errorRank));

/** Returns the offsets of a chunk's warnings and errors, in order, likewise. */
export const warningOffsetsOf = once(createChunkCache<Uint16Array>(), (chunk: Chunk) =>
  findOffsets(chunk, levelRank('warn')),
);

const findErrorTimes = (chunk: Chunk): readonly Instant[] =>
  [...errorOffsetsOf(chunk)].map(offset => timeAt(chunk, offset)).filter(at => at !== undefined);

/** Returns the times of a chunk's errors, in order. */
export const errorTimesOf = once(createChunkCache<readonly Instant[]>(), findErrorTimes);
