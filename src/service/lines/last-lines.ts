import type {FileHandle} from 'node:fs/promises';
import {windowBytesMax} from '../window/line-window.ts';

/** Bytes per block when reading backwards: a window of 1,000 access lines takes two to four. */
const blockBytes = 64 * 1024;
const newline = 0x0a;

/** Reads the bytes `[from, to)` of a file; fewer if it has become shorter. */
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
 * Finds the start of the last `lineCount` complete lines of a file, and how many there are. Reads backwards in blocks,
 * so the file size does not matter, and at most as many bytes as a window has. The first line after a hole of NUL bytes
 * that begins before those is complete; nothing before the hole is found.
 */
export const findLastLines = async (
  handle: FileHandle,
  sizeBytes: number,
  lineCount: number,
): Promise<{readonly offset: number; readonly lineCount: number}> => {
  const floor = Math.max(0, sizeBytes - windowBytesMax);
  let firstNewline: number | undefined;
  // One newline ends the last complete line; each wanted line needs one more before it.
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
  if (floor === 0 || (await readRange(handle, floor, floor + 1))[0] === 0) {
    return {offset: floor, lineCount: newlineCount};
  }
  // The bound fell inside a line: its front is unknown, so it is left out.
  return firstNewline === undefined
    ? {offset: floor, lineCount: 0}
    : {offset: firstNewline + 1, lineCount: newlineCount - 1};
};
