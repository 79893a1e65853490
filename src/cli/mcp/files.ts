import type {Dirent} from 'node:fs';
import {opendir, realpath, stat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {isBelow} from '#base/system/open-regular.ts';
import {NotFoundError, UsageError} from '#cli/io/exit-codes.ts';

/** An agent that needs more names a folder further down. */
const listedMax = 200;
const depthMax = 5;

/** Returns the real paths of folders. Throws a `UsageError` for one that is none. */
export const readFolders = (words: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    words.map(async word => {
      const path = await realpath(word).catch(() => undefined);
      if (path === undefined || !(await stat(path)).isDirectory()) {
        throw new UsageError(`--files: ${word} is not a folder`);
      }
      return path;
    }),
  );

/** A file that may be read, and what changes when it does. */
export type AllowedFile = {readonly path: string; readonly stamp: string};

/**
 * Returns the real path of a file below one of the folders, to which `word` may be relative. Throws a `NotFoundError`
 * that does not tell what is elsewhere from what does not exist.
 */
export const findAllowed = async (word: string, folders: readonly string[]): Promise<AllowedFile> => {
  for (const folder of folders) {
    const path = await realpath(resolve(folder, word)).catch(() => undefined);
    // What opens it would read these as a pattern.
    if (path !== undefined && isBelow(path, folder) && !/[*?[\]{}]/.test(path)) {
      const found = await stat(path);
      if (found.isFile()) {
        return {path, stamp: [found.dev, found.ino, found.size, found.mtimeMs].join(' ')};
      }
    }
  }
  const where =
    folders.length === 0 ? 'files are read only with --files FOLDER' : `it must be below ${folders.join(', ')}`;
  throw new NotFoundError(`no file ${word} can be read: ${where}`);
};

/** Lists files below a folder, the newest first, without links; `isCut`: there are more, or some further down. */
export const listFiles = async (folder: string, signal: AbortSignal) => {
  const found: {readonly file: string; readonly bytes: number; readonly changedAt: string}[] = [];
  let isCut = false;
  const visit = async (path: string, depth: number): Promise<void> => {
    const entries: Dirent[] = [];
    try {
      for await (const entry of await opendir(path)) {
        entries.push(entry);
      }
    } catch {
      // What this user may not read is not listed.
      isCut = true;
      return;
    }
    for (const entry of entries) {
      signal.throwIfAborted();
      const below = join(path, entry.name);
      if (found.length >= listedMax || (entry.isDirectory() && depth === depthMax)) {
        isCut = true;
      } else if (entry.isDirectory()) {
        await visit(below, depth + 1);
      } else if (entry.isFile()) {
        const {size, mtime} = await stat(below);
        found.push({file: below, bytes: size, changedAt: mtime.toISOString()});
      }
    }
  };
  await visit(folder, 0);
  return {files: found.sort((a, b) => (a.changedAt < b.changedAt ? 1 : -1)), isCut};
};
