import type {StoredFile} from '#service/window/stored-state.ts';
import {type FoundFile, type Identified, identifyFile} from '../disk/find-files.ts';

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
