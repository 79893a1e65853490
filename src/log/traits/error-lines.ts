import type {LineBuffer} from '../buffer/buffer.ts';
import {type Chunk, timeAt} from '../buffer/chunk.ts';
import {createChunkTable, once} from '../buffer/side-table.ts';
import {levelOf, levelRank} from '../level/level.ts';
import type {Instant} from '../line/instant.ts';
import {levelsOf} from './line-traits.ts';

const errorRank = levelRank('error');

/** Does the text say that something went wrong: level error or above? */
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

/** The times of a chunk's lines that say error or worse, in order. */
export const errorTimesOf = once(createChunkTable<readonly Instant[]>(), findErrorTimes);

/** How many lines later than a time say error or worse. Costs the chunks, not the lines. */
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
