import type {FileHandle} from 'node:fs/promises';
import {readRange} from '../lines/last-lines.ts';

/**
 * Bytes kept of the beginning of a file and of the part before the reading position: two to four access lines, made
 * unique by their timestamps, and few enough to read again at every look.
 */
export const fingerprintBytesMax = 512;

/** What is known of a file's content: enough to distinguish it from another file, or from itself after a truncation. */
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
