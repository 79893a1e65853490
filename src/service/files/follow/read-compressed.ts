import type {FileHandle} from 'node:fs/promises';
import {leaveOutEnd} from '#service/lines/unfinished-line.ts';
import {advanceFingerprint, emptyFingerprint, type Fingerprint} from '#service/window/fingerprint.ts';
import {splitLines} from '#service/window/split-lines.ts';
import type {FollowedFile} from '../pod/followed-file.ts';
import {type CompressedKind, decompressFile} from './decompress-file.ts';
import type {TakeLines} from './read-ahead.ts';

/**
 * Decompressed bytes read of one file: half a minute, in which nothing else of its branch is read. A few megabytes of
 * gzip can hold a terabyte of zeros.
 */
const unreadBytesMax = 4 * 1024 ** 3;

/** Returns the first decompressed bytes, fewer if there are no more. */
export const readFront = async (handle: FileHandle, kind: CompressedKind, bytesMax: number): Promise<Buffer> => {
  let front = Buffer.alloc(0);
  for await (const block of decompressFile(handle, kind)) {
    front = Buffer.concat([front, block.subarray(0, bytesMax - front.length)]);
    if (front.length >= bytesMax) {
      break;
    }
  }
  return front;
};

/**
 * Checks whether the decompressed bytes contain everything the fingerprint covers, or end before its position: the file
 * is then an earlier state of the same log. The caller has already compared the front.
 */
export const holdsAll = async (handle: FileHandle, kind: CompressedKind, print: Fingerprint): Promise<boolean> => {
  let passed = emptyFingerprint;
  for await (const block of decompressFile(handle, kind)) {
    passed = advanceFingerprint(passed, block, Math.min(block.length, print.position - passed.position));
    if (passed.position >= print.position) {
      break;
    }
  }
  return passed.position < print.position || passed.tail.equals(print.tail);
};

/**
 * Reads the decompressed bytes from the file's position to the end. An unterminated last line stays in `partial`.
 * Memory is bounded whatever the compression ratio. Throws after `bytesMax`.
 */
export const readCompressed = async (
  file: FollowedFile,
  {handle, kind}: {readonly handle: FileHandle; readonly kind: CompressedKind},
  take: TakeLines,
  bytesMax = unreadBytesMax,
): Promise<void> => {
  let toPass = file.print.position;
  let bytesLeft = bytesMax;
  file.partial = Buffer.alloc(0);
  for await (const block of decompressFile(handle, kind)) {
    const passed = Math.min(toPass, block.length);
    toPass -= passed;
    bytesLeft -= block.length - passed;
    if (bytesLeft < 0) {
      throw new Error(`more than ${bytesMax} bytes of it are unread`);
    }
    const bytes = Buffer.concat([file.partial, block.subarray(passed)]);
    const {lines, bytesUsed} = splitLines(bytes, {atEnd: false});
    file.partial = Buffer.from(bytes.subarray(bytesUsed));
    if (bytesUsed > 0) {
      const {tail} = file.print;
      file.print = advanceFingerprint(file.print, bytes, bytesUsed);
      take(file, leaveOutEnd(lines, tail));
    }
  }
};
