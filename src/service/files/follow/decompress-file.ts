import type {FileHandle} from 'node:fs/promises';
import {pipeline} from 'node:stream';
import type {Gunzip, ZstdDecompress} from 'node:zlib';
import {errorCodeOf} from '#base/error-code.ts';
import {readRange} from '#service/window/fingerprint.ts';

/** Decompressed bytes that come in one go, like a block of a plain file. */
const blockBytes = 256 * 1024;
/** Compressed bytes that are read in one go. */
const readBytes = 256 * 1024;
/** Compressed bytes that are decompressed in one go: in a damaged file, one piece is taken again byte by byte. */
const pieceBytes = 8 * 1024;

export type CompressedKind = 'gzip' | 'zstd';

/** It takes a piece only once all that came of the one before was taken: a stream that fails drops what it holds. */
export const createDecompressor = (kind: CompressedKind): Gunzip | ZstdDecompress => {
  // Loaded on first use: `open` has this in the chunk of the first screen.
  const {createGunzip, createZstdDecompress} = process.getBuiltinModule('node:zlib');
  const options = {chunkSize: blockBytes, highWaterMark: 1};
  return kind === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
};

/** The piece that is being decompressed begins at `offset`; infinite: the file was read to its end. */
type Progress = {offset: number};

/** Yields the bytes of a file from an offset on, those from `bytewiseFrom` on each alone. */
const readPieces = async function* (
  handle: FileHandle,
  from: number,
  bytewiseFrom: number,
  progress: Progress,
): AsyncGenerator<Buffer> {
  for (let offset = from; ; ) {
    const bytes = await readRange(handle, offset, offset + readBytes);
    if (bytes.length === 0) {
      progress.offset = Number.POSITIVE_INFINITY;
      return;
    }
    for (let index = 0; index < bytes.length; ) {
      progress.offset = offset + index;
      const stepBytes = progress.offset < bytewiseFrom ? pieceBytes : 1;
      yield bytes.subarray(index, index + stepBytes);
      index += stepBytes;
    }
    offset += bytes.length;
  }
};

const isDamage = (error: unknown): error is Error => /^(Z|ZSTD)_/.test(errorCodeOf(error));

/** Returns an error that says what is wrong with a compressed file, after "cannot be read". */
export const describeDamage = (error: unknown, kind: CompressedKind): unknown => {
  if (!isDamage(error)) {
    return error;
  }
  // The file itself was recognised by its first bytes.
  const isForeign = errorCodeOf(error) === 'ZSTD_error_prefix_unknown' || error.message === 'incorrect header check';
  const why = isForeign
    ? `it goes on with bytes that are not ${kind}`
    : errorCodeOf(error) === 'Z_BUF_ERROR'
      ? 'it is cut off'
      : `it is damaged: ${error.message}`;
  return new Error(why, {cause: error});
};

/** Decompresses from an offset on, and returns where the compressed data ended: not everything may follow it. */
const decompressFrom = async function* (
  handle: FileHandle,
  kind: CompressedKind,
  from: number,
): AsyncGenerator<Buffer, number> {
  let bytesGiven = 0;
  for (let bytewiseFrom = Number.POSITIVE_INFINITY; ; ) {
    const progress = {offset: from};
    const decompressor = createDecompressor(kind);
    // A failure of either is that of the decompressor.
    pipeline(readPieces(handle, from, bytewiseFrom, progress), decompressor, () => undefined);
    let bytesToPass = bytesGiven;
    try {
      for await (const block of decompressor as AsyncIterable<Buffer>) {
        const rest = block.subarray(bytesToPass);
        bytesToPass -= block.length - rest.length;
        bytesGiven += rest.length;
        if (rest.length > 0) {
          yield rest;
        }
      }
      return from + decompressor.bytesWritten;
    } catch (error) {
      // Nothing of the piece with the fault has come: the part before the fault comes if it is a piece of its own.
      if (!isDamage(error) || progress.offset >= bytewiseFrom) {
        throw describeDamage(error, kind);
      }
      bytewiseFrom = progress.offset;
    }
  }
};

/** Returns the offset of the first byte that is not zero: archives are padded with zeros. Undefined: there is none. */
const skipZeros = async (handle: FileHandle, from: number): Promise<number | undefined> => {
  for (let offset = from; ; ) {
    const piece = await readRange(handle, offset, offset + pieceBytes);
    const index = piece.findIndex(byte => byte !== 0);
    if (index !== -1 || piece.length === 0) {
      return index === -1 ? undefined : offset + index;
    }
    offset += piece.length;
  }
};

/**
 * Yields the decompressed bytes of a file, block by block: all that come before a fault, and then an error that says
 * what is wrong. The handle stays open.
 */
export const decompressFile = async function* (handle: FileHandle, kind: CompressedKind): AsyncGenerator<Buffer> {
  for (let from: number | undefined = 0; from !== undefined; ) {
    const end: number = yield* decompressFrom(handle, kind, from);
    from = await skipZeros(handle, end);
  }
};
