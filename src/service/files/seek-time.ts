import type {FileHandle} from 'node:fs/promises';
import type {Instant} from '#log/line/instant.ts';
import {lineBytesMax} from '#log/window/pieces.ts';
import {readRange} from '#service/window/fingerprint.ts';
import {splitLines} from '#service/window/split-lines.ts';

/** Bytes in which a line with a time is looked for: a long stack trace has none. */
const blockBytes = 256 * 1024;

/** Lines of several threads may be so much out of order. */
const disorderNsMax = 60_000_000_000n;

export type ReadTime = (line: string) => Instant | undefined;

type TimedPlace = {readonly offset: number; readonly at: Instant};

export type SoughtTime = {
  /** The beginning of the first line since the time, or the end of the file. */
  readonly offset: number;
  /** The beginning of a line before which all are older: at most a block ahead of `offset`. */
  readonly blockOffset: number;
  /** Whether the lines looked at have times, and in their order. */
  readonly order: 'none' | 'kept' | 'broken';
};

const firstTimed = (block: Buffer, start: number, readTime: ReadTime): TimedPlace | undefined => {
  for (let offset = start; ; ) {
    const end = block.indexOf(0x0a, offset);
    if (end === -1) {
      return undefined;
    }
    const at = readTime(splitLines(block.subarray(offset, end + 1), {atEnd: false}).lines[0] ?? '');
    if (at !== undefined) {
      return {offset, at};
    }
    offset = end + 1;
  }
};

/** Returns the first line from an offset on that has a time: where it begins, and its time. */
const findTimed = async (
  handle: FileHandle,
  from: number,
  to: number,
  readTime: ReadTime,
): Promise<TimedPlace | undefined> => {
  const block = await readRange(handle, from, Math.min(to, from + blockBytes));
  // The offset is anywhere in a line, unless it is the first.
  const start = from === 0 ? 0 : block.indexOf(0x0a) + 1;
  const found = start === 0 && from > 0 ? undefined : firstTimed(block, start, readTime);
  return found && {offset: from + found.offset, at: found.at};
};

/**
 * Finds where the lines since a time begin in a file whose lines are in the order of their own times. Reads a few
 * blocks, whatever the size of the file.
 */
export const seekTime = async (
  handle: FileHandle,
  sizeBytes: number,
  since: Instant,
  readTime: ReadTime,
): Promise<SoughtTime> => {
  let [low, high] = [0, sizeBytes];
  const first = await findTimed(handle, 0, sizeBytes, readTime);
  let before = first?.at;
  let after: Instant | undefined;
  let [isTimed, isBroken] = [first !== undefined, false];
  while (high - low > blockBytes) {
    const middle = low + Math.floor((high - low) / 2);
    const found = await findTimed(handle, middle, high, readTime);
    if (found !== undefined) {
      isTimed = true;
      isBroken ||=
        (before !== undefined && found.at + disorderNsMax < before) ||
        (after !== undefined && found.at > after + disorderNsMax);
    }
    if (found === undefined || found.at >= since) {
      high = middle;
      after = found?.at ?? after;
    } else {
      low = found.offset;
      before = found.at;
    }
  }
  // The line that `high` is in begins before it.
  const block = await readRange(handle, low, Math.min(sizeBytes, high + lineBytesMax));
  let place = firstTimed(block, 0, readTime);
  isTimed ||= place !== undefined;
  while (place !== undefined && place.at < since) {
    const next = block.indexOf(0x0a, place.offset) + 1;
    place = firstTimed(block, next, readTime);
  }
  return {
    offset: place === undefined ? high : low + place.offset,
    blockOffset: low,
    order: isBroken ? 'broken' : isTimed ? 'kept' : 'none',
  };
};

/** Returns where the line at an offset begins, and the last time up to there that a line has; a long line is cut. */
export const findLineAt = async (
  handle: FileHandle,
  offset: number,
  readTime: ReadTime,
): Promise<{readonly offset: number; readonly at: Instant | undefined}> => {
  const from = Math.max(0, offset - lineBytesMax);
  const block = await readRange(handle, from, offset + lineBytesMax);
  const start = block.lastIndexOf(0x0a, offset - from - 1) + 1;
  const begins = offset === from || (start === 0 && from > 0) ? offset - from : start;
  const end = block.indexOf(0x0a, begins);
  const {lines} = splitLines(block.subarray(0, end === -1 ? block.length : end), {atEnd: true});
  let at: Instant | undefined;
  for (let index = lines.length - 1; at === undefined && index >= 0; index -= 1) {
    at = readTime(lines[index] ?? '');
  }
  return {offset: from + begins, at};
};
