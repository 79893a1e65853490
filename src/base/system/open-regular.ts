import {type BigIntStats, constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {errorCodeOf} from '#base/error-code.ts';
import {PathError} from '../paths/path-error.ts';

export type RegularFile = {
  readonly file: FileHandle;
  /** Of the open file: its path may lead to another one by now. */
  readonly stat: BigIntStats;
};

/**
 * O_NONBLOCK: opening a FIFO would otherwise wait for a writer. O_NOCTTY: no terminal becomes that of this process.
 * Windows has neither.
 */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Names what is no regular file. */
export const nameKind = (stat: BigIntStats): string =>
  stat.isDirectory() ? 'folder' : stat.isFIFO() ? 'FIFO' : stat.isSocket() ? 'socket' : 'device';

/** Opens a regular file for reading. Throws a `PathError` for anything else, or a file system error. */
export const openRegular = async (path: string): Promise<RegularFile> => {
  const file = await open(path, flags).catch((error: unknown) => {
    throw errorCodeOf(error) === 'ENXIO' ? new PathError('is a socket or a device, not a file') : error;
  });
  try {
    const stat = await file.stat({bigint: true});
    if (!stat.isFile()) {
      throw new PathError(`is a ${nameKind(stat)}, not a file`);
    }
    return {file, stat};
  } catch (error) {
    await file.close();
    throw error;
  }
};
