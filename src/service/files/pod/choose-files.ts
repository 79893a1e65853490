import type {FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {RenamesSince} from '#service/served/line-source.ts';
import {emptyFingerprint, findLastLines, takeFingerprint} from '#service/window/fingerprint.ts';
import {emptyStreamStamps, type StoredFile} from '#service/window/stored-state.ts';
import {type FoundFile, fixedFolder, type Identified, identifyFile} from '../disk/find-files.ts';
import {listWay} from '../rotated-files.ts';
import type {FollowedFile} from './followed-file.ts';

/**
 * Files remembered in a pod after their release, or because too many exist to follow all, so that reading can resume
 * where it ended. Each takes about a kilobyte, or far less if it was never opened.
 */
export const knownFilesMax = 32_768;

/** Creates the files of a pod that are known but not followed, by identity. */
export const createKnownFiles = () => {
  const files = new Map<number, StoredFile>();
  // Inodes are reused: of two files with the same one, the file remembered last owns it; the other stays known.
  const keys = new Map<string, number>();
  const ended = new Set<number>();
  const unread = new Set<number>();
  const bornNsOf = new Map<number, bigint>();

  const byPath = new Map<string, Set<number>>();

  const forget = (stored: StoredFile): void => {
    files.delete(stored.key);
    const others = byPath.get(stored.path);
    others?.delete(stored.key);
    if (others?.size === 0) {
      byPath.delete(stored.path);
    }
    ended.delete(stored.key);
    unread.delete(stored.key);
    bornNsOf.delete(stored.key);
    if (keys.get(identifyFile(stored)) === stored.key) {
      keys.delete(identifyFile(stored));
    }
  };

  return {
    /**
     * Remembers a file. `hasEnded`: this process read it to its end while its name was free. `isUnread`: it could not
     * be opened yet. `bornNs`: when it was made, if that is known.
     */
    remember: (
      stored: StoredFile,
      {
        hasEnded = false,
        isUnread = false,
        bornNs,
      }: {readonly hasEnded?: boolean; readonly isUnread?: boolean; readonly bornNs?: bigint | undefined} = {},
    ): void => {
      unread[isUnread ? 'add' : 'delete'](stored.key);
      files.set(stored.key, stored);
      byPath.set(stored.path, (byPath.get(stored.path) ?? new Set()).add(stored.key));
      keys.set(identifyFile(stored), stored.key);
      if (hasEnded) {
        ended.add(stored.key);
      }
      if (bornNs !== undefined) {
        bornNsOf.set(stored.key, bornNs);
      }
    },
    forget,
    /** Forgets the oldest files beyond the limit. Returns their keys. */
    forgetOldest: (): readonly number[] => {
      if (files.size <= knownFilesMax) {
        return [];
      }
      const oldest = [...files.values()].toSorted((left, right) => left.key - right.key);
      const forgotten = oldest.slice(0, files.size - knownFilesMax);
      for (const stored of forgotten) {
        forget(stored);
      }
      return forgotten.map(stored => stored.key);
    },
    find: (found: Identified): StoredFile | undefined => files.get(keys.get(identifyFile(found)) ?? -1),
    /** Returns the keys of the files that had this path. */
    keysAt: (path: string): readonly number[] => [...(byPath.get(path) ?? [])],
    withKey: (key: number): StoredFile | undefined => files.get(key),
    all: (): readonly StoredFile[] => [...files.values()],
    hasEnded: (key: number): boolean => ended.has(key),
    /** Returns whether a file was made at another time than a known one, and only has its inode now. */
    isOtherThan: (found: FoundFile, {key}: StoredFile): boolean => (bornNsOf.get(key) ?? found.bornNs) !== found.bornNs,
    isUnread: (key: number): boolean => unread.has(key),
  };
};

/** Creates the memory of the names that were found last for these patterns. At most `waysMax` ways are walked. */
export const createFoundNames = (patterns: readonly string[], waysMax: number) => {
  /** Identities by path. */
  let named: ReadonlyMap<string, string> = new Map();
  let folders: ReadonlySet<string> = new Set(patterns.map(fixedFolder));
  return {
    has: (path: string): boolean => named.has(path),
    /** The folders in which a change may concern the files. */
    folders: (): ReadonlySet<string> => folders,
    /** Takes the files that were found last, by identity. */
    update: async (found: ReadonlyMap<string, FoundFile>): Promise<void> => {
      const isSame = [...found].every(([identity, {path}]) => named.get(path) === identity);
      if (isSame && found.size === named.size) {
        return;
      }
      named = new Map([...found].map(([identity, {path}]) => [path, identity]));
      const paths = [...named.keys()];
      const ways = await Promise.all(paths.slice(0, waysMax).map(listWay));
      folders = new Set([...patterns.map(fixedFolder), ...[...paths, ...ways.flat()].map(path => dirname(path))]);
    },
  };
};

/**
 * Files followed in a pod at a time, each with an open handle. Those that were rotated stay open beside them until
 * they are quiet. Node raises its limit of handles to what the system allows: 4,096 and more.
 */
export const followedFilesMax = 1024;

/** Files of a pod that are open at a time: all may be rotated twice before what they were is quiet. */
export const openFilesMax = 3 * followedFilesMax;

export const byAge = (left: FoundFile, right: FoundFile): number =>
  left.modifiedMs - right.modifiedMs || (left.path < right.path ? -1 : 1);

/**
 * Chooses the files to follow, by identity: first those with something unread, the longest waiting first; then the
 * latest. `readSize` returns the size that a file had when it was read to its end, if it was.
 */
export const chooseFiles = (
  readable: ReadonlyMap<string, FoundFile>,
  readSize: (identity: string, found: FoundFile) => number | undefined,
): ReadonlySet<string> => {
  const unread: FoundFile[] = [];
  const read: FoundFile[] = [];
  for (const [identity, found] of readable) {
    const isUnread = found.sizeBytes > 0 && readSize(identity, found) !== found.sizeBytes;
    (isUnread ? unread : read).push(found);
  }
  const wanted = [...unread.toSorted(byAge), ...read.toSorted(byAge).toReversed()];
  return new Set(wanted.slice(0, followedFilesMax).map(identifyFile));
};

/** Creates a function that warns about files that are not followed, and again only when there are twice as many. */
export const createCrowdNote = (podName: string, warn: (message: string) => void) => {
  let unfollowedTold = 0;
  return (fileCount: number, followedCount: number): void => {
    const unfollowed = fileCount - followedCount;
    if (unfollowed > unfollowedTold * 2) {
      unfollowedTold = unfollowed;
      warn(
        `${podName} has ${fileCount} files: only ${followedFilesMax} are followed at a time, the other ${unfollowed} once they are written again.`,
      );
    }
  };
};

/** The memory of a file that is to be read from its start. */
export const nothingRead = {print: emptyFingerprint, held: {}, stamps: emptyStreamStamps, isFollowed: true} as const;

/**
 * Returns what to remember of a file for which there is no room as if it had been read: only what is written from now
 * on is new. It is not opened, because there may be thousands.
 */
export const passOver = (key: number, podKey: number, {path, device, inode, sizeBytes}: FoundFile): StoredFile => ({
  ...{key, podKey, path, device, inode},
  ...nothingRead,
  print: {...emptyFingerprint, position: sizeBytes},
  isFollowed: false,
});

/** Completes what is known of a file that was passed over unopened. */
export const completePassed = async (handle: FileHandle, stored: StoredFile): Promise<StoredFile> => {
  const {position, head} = stored.print;
  if (position === 0 || head.length > 0 || (await handle.stat()).size < position) {
    return stored;
  }
  const {offset} = await findLastLines(handle, position, 0);
  return {...stored, print: await takeFingerprint(handle, offset)};
};

/** Notes under which names followed files were found, by identity, and which of them are no longer wanted. */
export const noteFoundNames = (
  followed: Iterable<FollowedFile>,
  found: ReadonlyMap<string, FoundFile>,
  wanted: ReadonlySet<string>,
  {nowMs, renamesSince}: {readonly nowMs: number; readonly renamesSince: RenamesSince | undefined},
): void => {
  for (const file of followed) {
    const seen = found.get(identifyFile(file));
    const isRenamed = seen !== undefined && seen.path !== file.path;
    if (file.isNamed !== (seen !== undefined) || file.isRenamed !== isRenamed) {
      file.changedAtMs = nowMs;
    }
    file.isNamed = seen !== undefined;
    file.isRenamed = isRenamed;
    file.renamesSince = seen && !isRenamed ? renamesSince : file.renamesSince;
    file.isCrowdedOut = seen !== undefined && !wanted.has(identifyFile(file));
  }
};
