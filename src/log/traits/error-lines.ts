import type {LineBuffer} from '../buffer/buffer.ts';
import {type Chunk, timeAt} from '../buffer/chunk.ts';
import {createChunkTable, once} from '../buffer/side-table.ts';
import {levelOf, levelRank} from '../level/level.ts';
import type {Instant} from '../line/instant.ts';
import {levelsOf} from './line-traits.ts';

const errorRank = levelRank('error');

/** Checks whether a text is of level error or above. */
export const isErrorText = (text: string): boolean => levelRank(levelOf(text)) >= errorRank;

const findErrorTimes = (chunk: Chunk): readonly Instant[] => {
  const times: Instant[] = [];
  for (const [offset, rank] of levelsOf(chunk).entries()) {
    const at = rank >= errorRank ? timeAt(chunk, offset) : undefined;
    if (at !== undefined) {
      times.push(at);
    }
  }
  return times;
};

/** Returns the times of a chunk's lines of level error or above, in order. */
export const errorTimesOf = once(createChunkTable<readonly Instant[]>(), findErrorTimes);

/** Counts the lines of level error or above later than a time. O(chunks), not O(lines). */
export const countErrorsAfter = (buffer: LineBuffer, after: Instant): number => {
  let count = 0;
  for (let index = buffer.chunks.length - 1; index >= 0; index--) {
    const chunk = buffer.chunks[index];
    if (chunk === undefined || chunk.lastAt <= after) {
      break;
    }
    count += errorTimesOf(chunk).filter(at => at > after).length;
  }
  return count;
};
