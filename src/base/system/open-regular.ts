import {type BigIntStats, constants} from 'node:fs';
import {type FileHandle, lstat, open, readlink} from 'node:fs/promises';
import {dirname, isAbsolute, join, sep} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';

/**
 * A path that is not used for what it leads to. The message continues a sentence that names the path, and says what to
 * do: `is a FIFO, not a file`, `may be written by others: run chmod go-w /etc/app.toml`.
 */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/** Returns whether a path was the reason, whatever the error was wrapped in. */
export const isPathRefused = (error: unknown): boolean =>
  error instanceof PathError || (error instanceof Error && isPathRefused(error.cause));

/** Checks whether a path lies below a folder; both are absolute, and without links. */
export const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** As many as the kernel follows. */
const linksMax = 40;

/** A link on the way to a file. `target`: what it leads to, without any links. */
type PathLink = {readonly path: string; readonly uid: bigint; readonly target: string};

/** Where a path leads. The folders of `realPath` and of each link's `path` are without links. */
export type ResolvedPath = {readonly realPath: string; readonly links: readonly PathLink[]};

/**
 * Resolves the links of an absolute path one by one, as the kernel does. Throws file system errors, and a `PathError`
 * for links that change meanwhile.
 */
export const resolveLinks = async (path: string): Promise<ResolvedPath> => {
  const links: PathLink[] = [];
  let linksLeft = linksMax;
  const enter = async (folder: string, parts: readonly string[]): Promise<string> => {
    let current = folder;
    for (const part of parts) {
      if (part === '..') {
        current = dirname(current);
        continue;
      }
      const next = join(current, part);
      const stat = await lstat(next, {bigint: true});
      if (!stat.isSymbolicLink()) {
        current = next;
        continue;
      }
      linksLeft -= 1;
      const text = await readlink(next);
      if (linksLeft < 0 || (await lstat(next, {bigint: true})).ino !== stat.ino) {
        throw new PathError('is a link that leads nowhere');
      }
      current = await enter(text.startsWith(sep) ? sep : current, text.split(sep));
      links.push({path: next, uid: stat.uid, target: current});
    }
    return current;
  };
  return {realPath: await enter(sep, path.split(sep)), links};
};

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
