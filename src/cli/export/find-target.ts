import {lstat, realpath, stat} from 'node:fs/promises';

/**
 * The target of a save: nothing yet, or a file that can be replaced, or a sentence that says why it can't be written.
 */
export type Target =
  | {readonly kind: 'free'; readonly path: string}
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'unfit'; readonly sentence: string};

/**
 * Checks what exists at the path. Follows a link, so that it stays a link. Rejects with the file system's error if this
 * can't be determined.
 */
export const findTarget = async (path: string): Promise<Target> => {
  try {
    await lstat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return {kind: 'free', path};
    }
    throw error;
  }
  const target = await realpath(path);
  const found = await stat(target);
  if (found.isFile()) {
    return {kind: 'file', path: target};
  }
  return {
    kind: 'unfit',
    sentence: found.isDirectory() ? 'is a folder: add the name of a file' : 'is not a regular file',
  };
};
