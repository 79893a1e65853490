import {lstat, readlink} from 'node:fs/promises';
import {dirname, join, sep} from 'node:path';

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
