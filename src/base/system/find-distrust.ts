import {type BigIntStats, constants} from 'node:fs';
import {access, lstat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {nameKind, PathError, type ResolvedPath, resolveLinks} from './open-regular.ts';

/** Quotes an argument for a shell, if it needs quotes. */
export const quoteForShell = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** How a file is judged. */
export type Trust = {
  /** The user whose files are trusted besides root's; undefined on a system without user ids, where all are. */
  readonly userId: number | undefined;
  /**
   * Users outside its group may not even read it. Its group may do both: volumes of Kubernetes are shared in this way,
   * and whoever writes another token gains nothing.
   */
  readonly isSecret?: boolean;
};

const groupWrites = 0o020n;
const othersWrite = 0o002n;
const othersRead = 0o004n;
const sticky = 0o1000n;

const has = ({mode}: BigIntStats, bits: bigint): boolean => (mode & bits) !== 0n;

const describeStranger = ({uid}: {readonly uid: bigint}, userId: number): string | undefined =>
  uid === 0n || uid === BigInt(userId) ? undefined : `belongs to user ${uid}, not to you or root`;

/** A volume of Kubernetes is open to all by its mode, but mounted so that nobody can write to it. */
const isReadOnly = async (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => false,
    (error: unknown) => errorCodeOf(error) === 'EROFS',
  );

/**
 * Says in which way others can put something else in place of what a folder holds. A group that may write is no reason:
 * what it puts there is its member's own, and refused as such, while the groups of programs' folders (`staff`, `admin`)
 * and of homes (umask 002) are meant.
 */
const describeOpenFolder = async (folder: string, userId: number): Promise<string | undefined> => {
  const stat = await lstat(folder, {bigint: true});
  const stranger = describeStranger(stat, userId);
  if (stranger !== undefined) {
    return `${folder}, which ${stranger}: use a file in a folder of your own`;
  }
  return has(stat, othersWrite) && !has(stat, sticky) && !(await isReadOnly(folder))
    ? `${folder}, where others may replace it: run chmod o-w ${quoteForShell(folder)}`
    : undefined;
};

const describeMode = (path: string, stat: BigIntStats, isSecret: boolean): string | undefined => {
  if (isSecret) {
    return has(stat, othersRead | othersWrite)
      ? `is open to every user: run chmod 600 ${quoteForShell(path)}`
      : undefined;
  }
  return has(stat, groupWrites | othersWrite)
    ? `may be written by others: run chmod go-w ${quoteForShell(path)}`
    : undefined;
};

/**
 * Says why a file must not be believed: another user wrote it, may write to it, or decides where its path leads.
 * Returns undefined if it may be. Checks the folders that hold the file and each link on the way to it: whoever
 * replaces a folder further up puts there one that is theirs. Throws file system errors.
 */
export const findDistrust = async (
  {path, stat, realPath, links}: ResolvedPath & {readonly path: string; readonly stat: BigIntStats},
  {userId, isSecret = false}: Trust,
): Promise<string | undefined> => {
  if (userId === undefined) {
    return undefined;
  }
  const stranger = describeStranger(stat, userId);
  if (stranger !== undefined) {
    return `${stranger}: use a file of your own`;
  }
  return describeMode(path, stat, isSecret) ?? describePlace({realPath, links}, userId);
};

/** Says in which way others decide where a path leads. */
const describePlace = async ({realPath, links}: ResolvedPath, userId: number): Promise<string | undefined> => {
  for (const link of links) {
    const linkStranger = describeStranger(link, userId);
    if (linkStranger !== undefined) {
      return `is reached by the link ${link.path}, which ${linkStranger}: name the file itself`;
    }
    const linkFolder = await describeOpenFolder(dirname(link.path), userId);
    if (linkFolder !== undefined) {
      return `is reached by a link in ${linkFolder}`;
    }
  }
  const folder = await describeOpenFolder(dirname(realPath), userId);
  return folder && `lies in ${folder}`;
};

/** The folders that hold a path, from its own up to the root. */
const foldersAbove = (path: string): readonly string[] => {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
};

/**
 * Says why a socket must not be used: others than its owner and root decide what its path leads to. Another user's may
 * be, since a service often runs as one: then all folders above it, and above each link, must be its owner's or root's.
 * Returns undefined if it may be used. Throws a `PathError` for what is no socket, or a file system error.
 */
export const findSocketDistrust = async (path: string, userId: number | undefined): Promise<string | undefined> => {
  if (userId === undefined) {
    return undefined;
  }
  const way = await resolveLinks(path);
  const stat = await lstat(way.realPath, {bigint: true});
  if (!stat.isSocket()) {
    throw new PathError(`is a ${nameKind(stat)}, not a socket`);
  }
  const stranger = describeStranger(stat, userId);
  if (stranger === undefined) {
    return describePlace(way, userId);
  }
  const folders = new Set([way.realPath, ...way.links.map(link => link.path)].flatMap(foldersAbove));
  for (const folder of folders) {
    const above = await lstat(folder, {bigint: true});
    if (has(above, othersWrite) || describeStranger(above, Number(stat.uid)) !== undefined) {
      return `${stranger}, and lies below ${folder}, where others could have put it`;
    }
  }
  return way.links.every(({uid}) => uid === 0n || uid === stat.uid || uid === BigInt(userId))
    ? undefined
    : `${stranger}, and is reached by a link of yet another user: name the socket itself`;
};

/** Says why a socket must not be made in a folder, which has no links: others could put their own in its place. */
export const findFolderDistrust = async (folder: string, userId: number | undefined): Promise<string | undefined> =>
  userId === undefined ? undefined : describeOpenFolder(folder, userId);
