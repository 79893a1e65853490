import type {Trust} from './find-distrust.ts';
import {readIfChanged} from './read-if-changed.ts';

/** Reads a whole file that `openTrusted` opens. Throws a `PathError` or a file system error. */
export const readTrusted = async (path: string, bytesMax: number, trust?: Trust): Promise<Buffer> =>
  (await readIfChanged(path, undefined, bytesMax, trust)).bytes ?? Buffer.alloc(0);
