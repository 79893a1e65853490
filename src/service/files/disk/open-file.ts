import {type FileHandle, lstat, readlink, realpath} from 'node:fs/promises';
import {dirname} from 'node:path';
import {isBelow, type JudgedFile, openChecked, openRegular, PathError, replaced} from '#base/system/open-regular.ts';
import {openWithinLimit} from './descriptor-reserve.ts';

/** Opens a file for reading. Throws if it cannot or, run as root, must not be opened. */
export type OpenFile = (path: string) => Promise<FileHandle>;

/**
 * The files that root may open besides safe ones: all below these absolute folders; or `named`, the files of any user,
 * which only root itself then reads.
 */
export type Roots = readonly string[] | 'named';

/** Whether a path led to another file by the time that it was open: it is there, and may be opened. */
export const isReplacement = (error: unknown): boolean =>
  error instanceof PathError ? error.message === replaced : error instanceof Error && isReplacement(error.cause);

/** `within`: files of any user that lie below these real paths, and no others, whoever reads them. */
export type FileScope = Roots | {readonly within: readonly string[]};

const isBelowAny = async (path: string, roots: readonly string[]): Promise<boolean> => {
  const real = await Promise.all(roots.map(root => realpath(root).catch(() => root)));
  return real.some(root => isBelow(path, root));
};

/** The links may have changed since a file was opened. Linux knows which of its names that was. */
const isReplaced = async ({file, realPath}: JudgedFile): Promise<boolean> =>
  (await readlink(`/proc/self/fd/${file.fd}`).catch(() => realPath)) !== realPath;

const findOutside = async (found: JudgedFile, folders: readonly string[]): Promise<string | undefined> => {
  if (await isReplaced(found)) {
    return replaced;
  }
  return folders.some(folder => isBelow(found.realPath, folder)) ? undefined : 'lies in no folder that may be read';
};

/**
 * Says why an open file must not be read by root: another user could have put it, or a link to it, in place of a log to
 * read what only root may. Returns undefined if it may.
 */
const findRefusal = async (found: JudgedFile, roots: Roots): Promise<string | undefined> => {
  const {stat: opened, realPath, links} = found;
  const advice = roots === 'named' ? 'open what it leads to, if you trust it' : 'see roots in the documentation';
  if (await isReplaced(found)) {
    return replaced;
  }
  if (roots !== 'named' && (await isBelowAny(realPath, roots))) {
    return undefined;
  }
  for (const {path: linkPath, uid, target} of links) {
    const owner = target === realPath ? opened.uid : (await lstat(target, {bigint: true})).uid;
    if (uid !== 0n && uid !== owner) {
      return `is reached by the link ${linkPath} of user ${uid} to what belongs to user ${owner}: ${advice}`;
    }
  }
  const folder = await lstat(dirname(realPath), {bigint: true});
  const isRootsAlone = folder.uid === 0n && (folder.mode & othersWrite) === 0n;
  if (opened.uid !== 0n && opened.uid !== folder.uid && !isRootsAlone && roots !== 'named') {
    return `belongs to user ${opened.uid} and its folder to user ${folder.uid}: ${advice}`;
  }
  // A hard link that the folder's owner made to a file of root.
  return opened.uid === 0n && folder.uid !== 0n && opened.nlink > 1n
    ? `belongs to root and has another name, too: ${advice}`
    : undefined;
};

/** The group or others may write to a folder. */
const othersWrite = 0o022n;

/**
 * Creates a function that opens files, without blocking if a pipe has replaced one. Run as root, it refuses files that
 * another user could have put there, except below `roots`, absolute folders. Fails with `EMFILE` while some descriptors
 * are left, so that the service can still be reached.
 */
export const createFileOpener = (scope: FileScope, isRoot = process.geteuid?.() === 0): OpenFile => {
  const within = typeof scope === 'object' && 'within' in scope ? scope.within : undefined;
  const roots = typeof scope === 'object' && 'within' in scope ? 'named' : scope;
  const judge = async (found: JudgedFile): Promise<string | undefined> =>
    (within && (await findOutside(found, within))) ?? (isRoot ? findRefusal(found, roots) : undefined);
  return async path => {
    try {
      return await openWithinLimit(
        async () => (await (isRoot || within ? openChecked(path, judge) : openRegular(path))).file,
      );
    } catch (error) {
      throw error instanceof PathError ? new Error(`it ${error.message}`, {cause: error}) : error;
    }
  };
};
