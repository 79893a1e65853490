import type {Trust} from './find-distrust.ts';
import {openTrusted} from './open-trusted.ts';
import {readBounded} from './read-bounded.ts';

/** Reads a whole file that `openTrusted` opens. Throws a `PathError` or a file system error. */
export const readTrusted = async (path: string, bytesMax: number, trust?: Trust): Promise<Buffer> => {
  const {file} = await openTrusted(path, trust);
  try {
    return await readBounded(file, bytesMax);
  } finally {
    await file.close();
  }
};
