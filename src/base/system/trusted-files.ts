import type {BigIntStats} from 'node:fs';
import {openTrusted} from '../paths/open-trusted.ts';
import {readBounded} from '../paths/read-bounded.ts';
import type {Trust} from './find-distrust.ts';

/** A file that may be replaced at any time. */
export type ReadFile = {
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
