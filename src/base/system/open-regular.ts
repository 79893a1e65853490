import {type BigIntStats, constants} from 'node:fs';
import {type FileHandle, lstat, open} from 'node:fs/promises';
import {isAbsolute, sep} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {PathError, type ResolvedPath, resolveLinks} from './resolve-path.ts';

export type RegularFile = {
  readonly file: FileHandle;
  /** Taken from the open file: its path may lead to another one by now. */
  readonly stat: BigIntStats;
};

/**
 * O_NONBLOCK: opening a FIFO would otherwise wait for a writer. O_NOCTTY: no terminal becomes that of this process.
 * Windows has neither.
 */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Names what is no regular file. */
export const nameKind = (stat: BigIntStats): string =>
  stat.isFile()
    ? 'regular file'
    : stat.isDirectory()
      ? 'folder'
      : stat.isFIFO()
        ? 'FIFO'
        : stat.isSocket()
          ? 'socket'
          : 'device';

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

/** Whoever replaces a file, a token for example, may do so while it is opened, but not again and again. */
const triesMax = 3;

/** The refusal of a file that its path leads to no longer: it is opened again. */
export const replaced = 'was replaced while it was opened';

/** An open file, and how its path leads to it. */
export type JudgedFile = RegularFile & ResolvedPath & {readonly path: string};

/** Says why a file must not be read, as the message of a `PathError`; undefined if it may. */
type FindRefusal = (found: JudgedFile) => Promise<string | undefined>;

const judge = async (path: string, opened: RegularFile, findRefusal: FindRefusal): Promise<string | undefined> => {
  try {
    // Not normalised: `..` after a link means the folder above its target.
    const way = await resolveLinks(isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`);
    const there = await lstat(way.realPath, {bigint: true});
    const isSame = there.dev === opened.stat.dev && there.ino === opened.stat.ino;
    return isSame ? await findRefusal({...opened, ...way, path}) : replaced;
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') {
      return replaced;
    }
    throw error;
  }
};

/**
 * Opens a regular file for reading, unless `findRefusal` objects. It judges the open file and the path that leads to
 * that file, whatever others put in its place meanwhile. Throws a `PathError` or a file system error.
 */
export const openChecked = async (path: string, findRefusal: FindRefusal, tries = triesMax): Promise<RegularFile> => {
  const opened = await openRegular(path);
  try {
    const refusal = await judge(path, opened, findRefusal);
    if (refusal === undefined) {
      return opened;
    }
    if (refusal !== replaced || tries === 1) {
      throw new PathError(refusal);
    }
  } catch (error) {
    await opened.file.close();
    throw error;
  }
  await opened.file.close();
  return openChecked(path, findRefusal, tries - 1);
};
