import {lstat} from 'node:fs/promises';
import {isAbsolute, sep} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {openRegular, type RegularFile} from '../system/open-regular.ts';
import {type ResolvedPath, resolveLinks} from '../system/resolve-path.ts';
import {PathError} from './path-error.ts';

/** Whoever replaces a file, a token for example, may do so while it is opened, but not again and again. */
const triesMax = 3;

/** The refusal of a file that its path leads to no longer: it is opened again. */
export const replaced = 'was replaced while it was opened';

/** An open file, and how its path leads to it. */
export type JudgedFile = RegularFile & ResolvedPath & {readonly path: string};

/** Says why a file must not be read, as the message of a `PathError`; undefined if it may. */
export type FindRefusal = (found: JudgedFile) => Promise<string | undefined>;

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
