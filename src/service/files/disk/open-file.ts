import {constants} from 'node:fs';
import {type FileHandle, lstat, open, readlink, realpath} from 'node:fs/promises';
import {dirname, join, sep} from 'node:path';

/** Opens a file for reading. Throws if it cannot or, run as root, must not be opened. */
export type OpenFile = (path: string) => Promise<FileHandle>;

/** Rotation may replace a file while it is opened, but not again and again. */
const triesMax = 3;
const replaced = 'it was replaced while it was opened';

/** As many as the kernel follows. */
const linksMax = 40;

/** `target`: what it leads to, without any links. */
type Link = {readonly path: string; readonly uid: bigint; readonly target: string};

/** Resolves the links of an absolute path one by one. */
const resolveLinks = async (path: string): Promise<{readonly realPath: string; readonly links: readonly Link[]}> => {
  const links: Link[] = [];
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
        throw new Error('its links lead nowhere');
      }
      current = await enter(text.startsWith(sep) ? sep : current, text.split(sep));
      links.push({path: next, uid: stat.uid, target: current});
    }
    return current;
  };
  return {realPath: await enter(sep, path.split(sep)), links};
};

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const isBelowAny = async (path: string, roots: readonly string[]): Promise<boolean> => {
  const real = await Promise.all(roots.map(root => realpath(root).catch(() => root)));
  return real.some(root => isBelow(path, root));
};

/**
 * Says why an open file must not be read by root: another user could have put it, or a link to it, in place of a log to
 * read what only root may. Returns `replaced` if its path leads to another file by now, and undefined if it may.
 */
const findRefusal = async (path: string, handle: FileHandle, roots: readonly string[]): Promise<string | undefined> => {
  const opened = await handle.stat({bigint: true});
  const {realPath, links} = await resolveLinks(path);
  // The links may have changed since the file was opened. Linux knows which one it is.
  const openedPath = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => realPath);
  const there = await lstat(realPath, {bigint: true});
  if (openedPath !== realPath || there.dev !== opened.dev || there.ino !== opened.ino) {
    return replaced;
  }
  if (await isBelowAny(realPath, roots)) {
    return undefined;
  }
  for (const {path: linkPath, uid, target} of links) {
    const owner = target === realPath ? opened.uid : (await lstat(target, {bigint: true})).uid;
    if (uid !== 0n && uid !== owner) {
      return `user ${uid} made the link ${linkPath} to what belongs to user ${owner}: see roots in the documentation`;
    }
  }
  const folder = await lstat(dirname(realPath), {bigint: true});
  if (opened.uid !== 0n && opened.uid !== folder.uid) {
    return `it belongs to user ${opened.uid} and its folder to user ${folder.uid}: see roots in the documentation`;
  }
  // A hard link that the folder's owner made to a file of root.
  return opened.uid === 0n && folder.uid !== 0n && opened.nlink > 1n
    ? 'it belongs to root and has another name, too: see roots in the documentation'
    : undefined;
};

const openPlainly = async (path: string): Promise<FileHandle> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!(await handle.stat()).isFile()) {
    await handle.close();
    throw new Error('it is not a regular file');
  }
  return handle;
};

const openChecked = async (path: string, roots: readonly string[], tries: number): Promise<FileHandle> => {
  const handle = await openPlainly(path);
  try {
    const refusal = await findRefusal(path, handle, roots);
    if (refusal === undefined) {
      return handle;
    }
    if (refusal !== replaced || tries === 1) {
      throw new Error(refusal);
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return openChecked(path, roots, tries - 1);
};

/**
 * Creates what opens files, without blocking if a pipe has replaced one. Run as root, it refuses files that another
 * user could have put there, except below `roots`, absolute folders.
 */
export const createFileOpener = (roots: readonly string[], isRoot = process.geteuid?.() === 0): OpenFile =>
  isRoot ? path => openChecked(path, roots, triesMax) : openPlainly;
