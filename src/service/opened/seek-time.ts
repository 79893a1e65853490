import type {FileHandle} from 'node:fs/promises';
import type {Instant} from '../../log/line/instant.ts';
import {readRange} from '../lines/last-lines.ts';
import {splitLines} from '../lines/split-lines.ts';

/** Bytes in which a line with a time is looked for: a long stack trace has none. */
const blockBytes = 256 * 1024;

/** Returns the first line from an offset on that has a time: where it begins, and its time. */
const findTimed = async (
  handle: FileHandle,
  from: number,
  to: number,
  readTime: (line: string) => Instant | undefined,
): Promise<{readonly offset: number; readonly at: Instant} | undefined> => {
  const block = await readRange(handle, from, Math.min(to, from + blockBytes));
  // The offset is anywhere in a line, unless it is the first.
  let offset = from === 0 ? 0 : block.indexOf(0x0a) + 1;
  while (offset > 0 || from === 0) {
    const end = block.indexOf(0x0a, offset);
    if (end === -1) {
      return undefined;
    }
    const at = readTime(splitLines(block.subarray(offset, end + 1), {atEnd: false}).lines[0] ?? '');
    if (at !== undefined) {
      return {offset: from + offset, at};
    }
    offset = end + 1;
  }
  return undefined;
};

/**
 * Finds where the lines since a time begin in a file whose lines are in the order of their own times: the offset of a
 * line before which all are older, at most a block ahead of it. Reads a few blocks, whatever the size of the file.
 */
export const seekTime = async (
  handle: FileHandle,
  sizeBytes: number,
  since: Instant,
  readTime: (line: string) => Instant | undefined,
): Promise<number> => {
  let [low, high] = [0, sizeBytes];
  while (high - low > blockBytes) {
    const middle = low + Math.floor((high - low) / 2);
    const found = await findTimed(handle, middle, high, readTime);
    if (found === undefined || found.at >= since) {
      high = middle;
    } else {
      low = found.offset;
    }
  }
  return low;
};
