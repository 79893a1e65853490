import {readdir, stat} from 'node:fs/promises';
import {join, sep} from 'node:path';
import {hasErrorCode} from '../../errors/describe-fault.ts';

/** A regular file under the name at which it was found. Device and inode are its identity, they outlive a rename. */
export type FoundFile = {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
};

/** Device and inode as one key. */
export const identifyFile = ({device, inode}: Pick<FoundFile, 'device' | 'inode'>): string => `${device}:${inode}`;

const isPattern = (part: string): boolean => /[*?]/.test(part);

/** The folder of a path, up to where a pattern begins: files that it means may appear in or below it. */
export const fixedFolder = (path: string): string => {
  const parts = path.split(sep);
  const firstPattern = parts.findIndex(isPattern);
  return parts.slice(0, firstPattern === -1 ? -1 : firstPattern).join(sep) || sep;
};

const patternOf = (part: string): RegExp =>
  new RegExp(
    `^${part
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\*+/g, '.*')
      .replaceAll('?', '.')}$`,
    's',
  );

const namesIn = async (folder: string, part: string): Promise<readonly string[]> => {
  const wanted = patternOf(part);
  try {
    // As in a shell, a pattern does not find hidden files unless it names the dot.
    return (await readdir(folder)).filter(name => wanted.test(name) && (part.startsWith('.') || !name.startsWith('.')));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) {
      return [];
    }
    throw error;
  }
};

const expandPattern = async (pattern: string): Promise<readonly string[]> => {
  let folders: readonly string[] = [sep];
  const parts = pattern.split(sep).filter(part => part !== '');
  for (const part of parts) {
    if (isPattern(part)) {
      const expanded = await Promise.all(
        folders.map(async folder => (await namesIn(folder, part)).map(name => join(folder, name))),
      );
      folders = expanded.flat();
    } else {
      folders = folders.map(folder => join(folder, part));
    }
  }
  return folders;
};

/** The regular file at a path, or undefined where there is none. Throws where the path cannot be looked at. */
export const findFile = async (path: string): Promise<FoundFile | undefined> => {
  try {
    const found = await stat(path, {bigint: true});
    return found.isFile()
      ? {
          path,
          device: found.dev,
          inode: found.ino,
          sizeBytes: Number(found.size),
          modifiedMs: Number(found.mtimeMs),
        }
      : undefined;
  } catch (error) {
    // ELOOP: a link to itself names no file.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) {
      return undefined;
    }
    throw error;
  }
};

const findExisting = async (paths: readonly string[]): Promise<readonly FoundFile[]> =>
  (await Promise.all(paths.map(findFile))).filter(file => file !== undefined);

/**
 * The regular files that an absolute path means now, `*` and `?` in its parts expanded; links are followed.
 * Throws where a folder or file cannot be looked at.
 */
export const findFiles = async (pattern: string): Promise<readonly FoundFile[]> =>
  findExisting(isPattern(pattern) ? await expandPattern(pattern) : [pattern]);

/** All regular files of a folder; none where the folder cannot be read. */
export const findFilesIn = async (folder: string): Promise<readonly FoundFile[]> => {
  try {
    return await findExisting((await readdir(folder)).map(name => join(folder, name)));
  } catch {
    return [];
  }
};
