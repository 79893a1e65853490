import type {FileHandle} from 'node:fs/promises';
import {windowBytesMax} from './line-window.ts';

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

/**
 * Bytes kept of the beginning of a file and of the part before the reading position: two to four access lines, made
 * unique by their timestamps, and few enough to read again at every look.
 */
export const fingerprintBytesMax = 512;

/** A digest of a file's content: enough to tell it from another file, or from itself after a truncation. */
export type Fingerprint = {
  /** The offset up to which the file was read, always the start of a line or of a piece of one. */
  readonly position: number;
  /** The first bytes, at most as many as were read. */
  readonly head: Buffer;
  /** The last bytes before the position. */
  readonly tail: Buffer;
};

/** Nothing read yet. */
export const emptyFingerprint: Fingerprint = {position: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0)};

/** Takes the fingerprint of an open file at a position. */
export const takeFingerprint = async (handle: FileHandle, position: number): Promise<Fingerprint> => ({
  position,
  head: await readRange(handle, 0, Math.min(position, fingerprintBytesMax)),
  tail: await readRange(handle, Math.max(0, position - fingerprintBytesMax), position),
});

/** Checks whether an open file has the content that the fingerprint covers. An empty fingerprint matches every file. */
export const matchesFingerprint = async (handle: FileHandle, print: Fingerprint): Promise<boolean> => {
  const tail = await readRange(handle, print.position - print.tail.length, print.position);
  return tail.equals(print.tail) && (await readRange(handle, 0, print.head.length)).equals(print.head);
};

/**
 * Compares a file's content with a fingerprint: the file has all of it, only a front of it so far, or other content.
 */
export const compareContent = async (handle: FileHandle, print: Fingerprint): Promise<'same' | 'prefix' | 'other'> => {
  const {size} = await handle.stat();
  if (size >= print.position) {
    return (await matchesFingerprint(handle, print)) ? 'same' : 'other';
  }
  const headBytes = Math.min(size, print.head.length);
  return (await readRange(handle, 0, headBytes)).equals(print.head.subarray(0, headBytes)) ? 'prefix' : 'other';
};

/**
 * Checks whether the content is more than one repeated line, so that additional content can be distinguished from the
 * old.
 */
export const isTelling = ({head}: Fingerprint): boolean =>
  new Set(head.toString('latin1').split('\n').slice(0, -1)).size > 1 || head.length >= fingerprintBytesMax;

/**
 * Returns the fingerprint after the first `bytesUsed` of `bytes`, which start at its position, were read too. It keeps
 * copies: a view would keep the whole block alive.
 */
export const advanceFingerprint = (print: Fingerprint, bytes: Buffer, bytesUsed: number): Fingerprint => {
  const missing = Math.min(fingerprintBytesMax - print.head.length, bytesUsed);
  const used = bytes.subarray(Math.max(0, bytesUsed - fingerprintBytesMax), bytesUsed);
  const kept = print.tail.subarray(Math.max(0, print.tail.length + used.length - fingerprintBytesMax));
  return {
    position: print.position + bytesUsed,
    head: missing > 0 ? Buffer.concat([print.head, bytes.subarray(0, missing)]) : print.head,
    tail: Buffer.concat([kept, used]),
  };
};
