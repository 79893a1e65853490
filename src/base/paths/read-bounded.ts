import type {FileHandle} from 'node:fs/promises';
import {PathError} from './path-error.ts';

const kilobyte = 1024;
const megabyte = kilobyte * kilobyte;

/** Most files that are read whole are smaller. */
const chunkBytes = 64 * kilobyte;

const formatSize = (bytes: number): string =>
  bytes < megabyte ? `${Math.round(bytes / kilobyte)} KB` : `${Math.round(bytes / megabyte)} MB`;

/**
 * Reads a file from its start to its end, however long that says it is: a file of /proc has no size. Throws a
 * `PathError` if there are more than `bytesMax` bytes, or a file system error.
 */
export const readBounded = async (file: FileHandle, bytesMax: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const {buffer, bytesRead} = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, length);
    length += bytesRead;
    if (length > bytesMax) {
      throw new PathError(`is larger than ${formatSize(bytesMax)}`);
    }
    if (bytesRead === 0) {
      return Buffer.concat(chunks, length);
    }
    chunks.push(buffer.subarray(0, bytesRead));
  }
};
