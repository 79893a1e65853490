import {lstat, realpath, stat} from 'node:fs/promises';

/** Where a file is to be written: nothing is there yet, or a file that can be replaced; or a sentence why it can't be. */
export type Target =
  | {readonly kind: 'free'; readonly path: string}
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'unfit'; readonly sentence: string};

/** Looks what is there. A link is followed, so that it stays one. Rejects with what the file system says where it can't be told. */
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
