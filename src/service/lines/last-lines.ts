import type {FileHandle} from 'node:fs/promises';
import {windowBytesMax} from './line-window.ts';

/** One block of reading backwards: a window of 1,000 access lines is two to four of them. */
const blockBytes = 64 * 1024;
const newline = 0x0a;

/** The bytes `[from, to)` of a file, fewer where it has become shorter. */
export const readRange = async (handle: FileHandle, from: number, to: number): Promise<Buffer> => {
  // Not from the shared pool: a line cut out of it would keep the pool's block alive.
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const {bytesRead} = await handle.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) {
      break;
    }
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
};

/**
 * Where the last `lineCount` complete lines of a file begin, found backwards in blocks, so that the file's size does
 * not matter, and how many there are. Looks back at most as far as a window has bytes; a hole without any newline ends there.
 */
export const findLastLines = async (
  handle: FileHandle,
  sizeBytes: number,
  lineCount: number,
): Promise<{readonly offset: number; readonly lineCount: number}> => {
  const floor = Math.max(0, sizeBytes - windowBytesMax);
  let firstNewline: number | undefined;
  // One newline ends the last complete line, one more stands before each line that is wanted.
  let newlineCount = 0;
  for (let end = sizeBytes; end > floor; end -= blockBytes) {
    const start = Math.max(floor, end - blockBytes);
    const block = await readRange(handle, start, end);
    let index = block.lastIndexOf(newline);
    while (index !== -1) {
      newlineCount += 1;
      firstNewline = start + index;
      if (newlineCount > lineCount) {
        return {offset: firstNewline + 1, lineCount};
      }
      index = index === 0 ? -1 : block.lastIndexOf(newline, index - 1);
    }
  }
  if (floor === 0) {
    return {offset: 0, lineCount: newlineCount};
  }
  // The bound fell into the middle of a line: its front is not known, so it is left out.
  return firstNewline === undefined
    ? {offset: floor, lineCount: 0}
    : {offset: firstNewline + 1, lineCount: newlineCount - 1};
};
