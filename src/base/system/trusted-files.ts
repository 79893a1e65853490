import type {BigIntStats} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {findDistrust, type Trust} from './find-distrust.ts';
import {openChecked, openRegular, PathError, type RegularFile} from './open-regular.ts';

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

/** The user who runs this; undefined on a system without user ids. */
export const ownUserId = (): number | undefined => process.geteuid?.();

/**
 * Opens a file whose content is acted on, such as a config or a token: a regular file of the user's or root's that
 * nobody else may write to or replace. Never waits for a FIFO or a device. Throws a `PathError` or a file system error.
 */
export const openTrusted = (path: string, trust: Trust = {userId: ownUserId()}): Promise<RegularFile> =>
  // Without user ids, paths have drives, which no link is looked for in.
  trust.userId === undefined ? openRegular(path) : openChecked(path, found => findDistrust(found, trust));

/** A file that may be replaced at any time. */
type ReadFile = {
  /** Identifies the content: device, inode, size and times of change. */
  readonly stamp: string;
  readonly stat: BigIntStats;
  /** Undefined if the content is still what has the known stamp. */
  readonly bytes: Buffer | undefined;
};

/**
 * Opens a small file that must be the user's own, as `openTrusted` does, and reads it unless its stamp is still
 * `knownStamp`. What is judged is the open file: its path may lead to another one by then. Throws a `PathError` or a
 * file system error.
 */
export const readIfChanged = async (
  path: string,
  knownStamp: string | undefined,
  bytesMax: number,
  trust?: Trust,
): Promise<ReadFile> => {
  const {file, stat} = await openTrusted(path, trust);
  try {
    const stamp = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
    return {stamp, stat, bytes: stamp === knownStamp ? undefined : await readBounded(file, bytesMax)};
  } finally {
    await file.close();
  }
};

/** Reads a whole file that `openTrusted` opens. Throws a `PathError` or a file system error. */
export const readTrusted = async (path: string, bytesMax: number, trust?: Trust): Promise<Buffer> =>
  (await readIfChanged(path, undefined, bytesMax, trust)).bytes ?? Buffer.alloc(0);
