import type {FileHandle} from 'node:fs/promises';
import {pipeline} from 'node:stream/promises';
import type {Gunzip, ZstdDecompress} from 'node:zlib';
import {advanceFingerprint, emptyFingerprint, type Fingerprint} from '../../lines/fingerprint.ts';
import {readRange} from '../../lines/last-lines.ts';
import {splitLines} from '../../lines/split-lines.ts';
import {leaveOutEnd} from '../../lines/unfinished-line.ts';
import type {FollowedFile} from '../pod/followed-file.ts';
import type {TakeLines} from './read-ahead.ts';

/** Decompressed, split and stored in one go, like a block of a plain file. */
const blockBytes = 256 * 1024;

/**
 * Decompressed bytes read of one file: half a minute, in which nothing else of its branch is read. A few megabytes of
 * gzip can hold a terabyte of zeros.
 */
const unreadBytesMax = 4 * 1024 ** 3;

export type CompressedKind = 'gzip' | 'zstd';

/** Returns a stream that decompresses in pieces of a block. */
export const decompressorOf = (kind: CompressedKind): Gunzip | ZstdDecompress => {
  // Loaded on first use: `open` has this in the chunk of the first screen.
  const {createGunzip, createZstdDecompress} = process.getBuiltinModule('node:zlib');
  const options = {chunkSize: blockBytes};
  return kind === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
};

/** Yields the bytes of a file block by block. A stream created from the handle would close it. */
const readBlocks = async function* (handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += blockBytes) {
    const block = await readRange(handle, position, position + blockBytes);
    if (block.length === 0) {
      return;
    }
    yield block;
  }
};

/**
 * Passes the decompressed bytes block by block to `take` until it returns false. Throws if they are damaged or end
 * early.
 */
const eachBlock = async (handle: FileHandle, kind: CompressedKind, take: (block: Buffer) => boolean): Promise<void> => {
  const decompress = decompressorOf(kind);
  let hasEnough = false;
  try {
    await pipeline(readBlocks(handle), decompress, async blocks => {
      for await (const block of blocks) {
        hasEnough = !take(Buffer.from(block));
        if (hasEnough) {
          return;
        }
      }
    });
  } catch (error) {
    // Leaving the loop early aborts the streams; that is not an error.
    if (!hasEnough) {
      throw error;
    }
  }
};

/** Returns the first decompressed bytes, fewer if there are no more. */
export const readFront = async (handle: FileHandle, kind: CompressedKind, bytesMax: number): Promise<Buffer> => {
  let front = Buffer.alloc(0);
  await eachBlock(handle, kind, block => {
    front = Buffer.concat([front, block.subarray(0, bytesMax - front.length)]);
    return front.length < bytesMax;
  });
  return front;
};

/**
 * Checks whether the decompressed bytes contain everything the fingerprint covers, or end before its position: the file
 * is then an earlier state of the same log. The caller has already compared the front.
 */
export const holdsAll = async (handle: FileHandle, kind: CompressedKind, print: Fingerprint): Promise<boolean> => {
  let passed = emptyFingerprint;
  await eachBlock(handle, kind, block => {
    passed = advanceFingerprint(passed, block, Math.min(block.length, print.position - passed.position));
    return passed.position < print.position;
  });
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
  await eachBlock(handle, kind, block => {
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
    return true;
  });
};
