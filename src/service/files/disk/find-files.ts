import {readdir, stat} from 'node:fs/promises';
import {basename, join, sep} from 'node:path';
import {globPattern} from '#base/glob-pattern.ts';
import {hasErrorCode} from '#service/backend/errors.ts';
import type {StreamNames} from '#service/window/line-stamper.ts';

/** As the kubelet names a container's log: `NAMESPACE_POD_UID/CONTAINER/RESTARTS.log`, and the link to it. */
const containerPaths = [
  /\/pods\/[^/_]+_[^/_]+_[0-9a-f-]{32,36}\/([^/]+)\/\d+\.log$/,
  /\/containers\/[^/_]+_[^/_]+_([^/]+)-[0-9a-f]{64}\.log$/,
];

/** Returns what a log's path says of its writer: the container, if the kubelet named it, or else the file. */
export const namesOfPath = (path: string): StreamNames => {
  const container = containerPaths.map(pattern => pattern.exec(path)?.[1]).find(name => name !== undefined);
  return container === undefined ? {file: basename(path)} : {container};
};

/** A regular file and the name it was found under. Device and inode identify it: they survive a rename. */
export type FoundFile = {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** When it was made, which tells files apart that had one inode after the other; 0 if the system does not know. */
  readonly bornNs: bigint;
};

export type Identified = Pick<FoundFile, 'device' | 'inode'>;

/** Returns device and inode as one key. */
export const identifyFile = ({device, inode}: Identified): string => `${device}:${inode}`;

export const isSameFile = (one: Identified, other: Identified): boolean => identifyFile(one) === identifyFile(other);

const isPattern = (part: string): boolean => /[*?]/.test(part);

/** Returns the folder of a path up to the first part with a pattern: matching files can appear in or below it. */
export const fixedFolder = (path: string): string => {
  const parts = path.split(sep);
  const firstPattern = parts.findIndex(isPattern);
  return parts.slice(0, firstPattern === -1 ? -1 : firstPattern).join(sep) || sep;
};

const namesIn = async (folder: string, part: string): Promise<readonly string[]> => {
  const wanted = globPattern(part);
  try {
    // As in a shell, a pattern matches hidden files only if it starts with a dot.
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

/** Returns the regular file at a path, or undefined if there is none. Throws if the path cannot be examined. */
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
          bornNs: found.birthtimeNs,
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
 * Finds the regular files that match an absolute path now: expands `*` and `?` in its parts and follows links. Throws
 * if a folder or file cannot be examined.
 */
export const findFiles = async (pattern: string): Promise<readonly FoundFile[]> =>
  findExisting(isPattern(pattern) ? await expandPattern(pattern) : [pattern]);

/** Returns the regular files among these paths; none if one cannot be examined. */
export const findReadable = async (paths: readonly string[]): Promise<readonly FoundFile[]> => {
  try {
    return await findExisting(paths);
  } catch {
    return [];
  }
};

/**
 * Returns the configured name, which may be a link, if it leads to this file; otherwise the name it was found under.
 */
export const pathOf = (found: FoundFile, there: FoundFile | undefined): string =>
  there && isSameFile(there, found) ? there.path : found.path;
