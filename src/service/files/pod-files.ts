import {dirname} from 'node:path';
import {describeError} from './file-error.ts';
import type {FilePod} from './file-settings.ts';
import {emptyFileStamps} from './file-stamps.ts';
import {findCopy} from './find-copy.ts';
import {type FoundFile, findFile, findFilesIn, identifyFile} from './find-files.ts';
import {type Fingerprint, matchesFingerprint, takeFingerprint} from './fingerprint.ts';
import {findFirstPosition, linesOfLastWindow} from './first-position.ts';
import {createFollowedFile, type FollowedFile, openForReading, storeFile} from './followed-file.ts';
import type {LineSink} from './line-sink.ts';
import {findNamedFiles} from './named-files.ts';
import type {StateStore} from './state-store.ts';
import type {StoredFile} from './stored-state.ts';

/** Files followed in a pod at a time, each with an open handle; a process has 1,024 of them on many machines. */
export const followedFilesMax = 256;
/** Files remembered in a pod after they were let go, to know them again when they come back. */
export const knownFilesMax = 256;

/** The files of one pod: those that are followed, and those that were let go and are still known. */
export type PodFiles = {
  readonly podKey: number;
  /** In the order in which they are read: a rotated file before the one that took its name. */
  readonly followed: Map<number, FollowedFile>;
  /** Opens what was followed before a restart, under whatever name it has now. */
  restore(): Promise<void>;
  /** Looks for new files, and for names that are gone. */
  scan(): Promise<void>;
  /** Closes a file, but keeps it known. */
  release(file: FollowedFile): Promise<void>;
  /** Remembers a file that was read as part of another; what it answers must be stored with those lines. */
  remember(found: FoundFile, print: Fingerprint): StoredFile;
  isKnown(found: FoundFile): boolean;
  /** Closes all files; the state knows where each was. */
  close(): Promise<void>;
};

export type PodFilesOptions = {
  readonly pod: FilePod;
  readonly podKey: number;
  /** Lines of each pod that the first window is made of. */
  readonly firstLines: number;
  readonly windowLines: number;
  /** True until the pod's first window has been looked for. */
  readonly isNew: boolean;
  readonly store: StateStore;
  readonly sink: LineSink;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
};

const byAge = (left: FoundFile, right: FoundFile): number =>
  left.modifiedMs - right.modifiedMs || (left.path < right.path ? -1 : 1);

export const createPodFiles = (options: PodFilesOptions): PodFiles => {
  const {pod, podKey, store, sink, warn, monotonicMs} = options;
  const followed = new Map<number, FollowedFile>();
  const known = new Map<string, StoredFile>();
  let isNew = options.isNew;

  const isFollowed = (found: FoundFile): boolean =>
    [...followed.values()].some(file => identifyFile(file) === identifyFile(found));

  const follow = (file: FollowedFile): FollowedFile => {
    file.changedAtMs = monotonicMs();
    followed.set(file.key, file);
    return file;
  };

  const forgetOldest = (): readonly number[] => {
    const oldest = [...known.values()].toSorted((left, right) => left.key - right.key);
    const forgotten = oldest.slice(0, Math.max(0, known.size - knownFilesMax));
    for (const file of forgotten) {
      known.delete(identifyFile(file));
    }
    return forgotten.map(file => file.key);
  };

  const tryOpen = async (found: FoundFile) => {
    try {
      return await openForReading(found.path);
    } catch (error) {
      warn(`${found.path} cannot be read (${describeError(error)}): pod ${pod.name} is served without it.`);
      return undefined;
    }
  };

  /** Where so much was written that no window can hold it, reading begins at the last window. */
  const skipBacklog = async (file: FollowedFile): Promise<void> => {
    const position = await linesOfLastWindow(file, options.windowLines);
    if (position !== undefined) {
      file.print = await takeFingerprint(file.handle, position);
      file.held = {};
    }
  };

  const followKnown = async (found: FoundFile, stored: StoredFile): Promise<boolean> => {
    const handle = await tryOpen(found);
    if (!handle) {
      return false;
    }
    if (!(await matchesFingerprint(handle, stored.print))) {
      await handle.close();
      known.delete(identifyFile(stored));
      sink.store({forgottenFileKeys: [stored.key]});
      return false;
    }
    known.delete(identifyFile(stored));
    const file = createFollowedFile({key: stored.key, podKey}, found, handle, stored);
    await skipBacklog(file);
    follow(file);
    sink.store({files: [storeFile(file, true)]});
    return true;
  };

  const followNew = async (found: FoundFile): Promise<FollowedFile | undefined> => {
    const handle = await tryOpen(found);
    if (!handle) {
      return undefined;
    }
    const stat = await handle.stat({bigint: true});
    // Between looking and opening the name may have gone to another file.
    const identity = {path: found.path, device: stat.dev, inode: stat.ino};
    return createFollowedFile({key: store.nextFileKey(), podKey}, identity, handle);
  };

  const followFirst = async (files: readonly FoundFile[]): Promise<void> => {
    let linesLeft = options.firstLines;
    const opened: FollowedFile[] = [];
    for (const found of files.toSorted(byAge).toReversed()) {
      const file = await followNew(found);
      if (!file) {
        continue;
      }
      const first = await findFirstPosition(file.handle, {
        stampedLines: linesLeft,
        windowLines: options.windowLines,
        isPlacedByTime: (head, lines) => sink.isPlacedByTime(podKey, head, lines),
      });
      file.print = await takeFingerprint(file.handle, first.position);
      file.isProven = true;
      linesLeft = Math.max(0, linesLeft - first.stampedLines);
      opened.push(file);
    }
    // Keys are the order of reading: the oldest file comes first.
    const keys = opened.map(file => file.key).toSorted((left, right) => left - right);
    for (const [index, file] of opened.toReversed().entries()) {
      follow({...file, key: keys[index] ?? file.key});
    }
    isNew = false;
    sink.store({files: [...followed.values()].map(file => storeFile(file, true)), startedPodKeys: [podKey]});
  };

  const restoreFile = async (stored: StoredFile): Promise<void> => {
    const there = await findFile(stored.path).catch(() => undefined);
    if (there?.inode === stored.inode) {
      const handle = await tryOpen(there);
      if (handle) {
        const file = createFollowedFile({key: stored.key, podKey}, there, handle, stored);
        if (await matchesFingerprint(handle, stored.print)) {
          await skipBacklog(file);
        }
        follow(file);
        return;
      }
    }
    known.set(identifyFile(stored), stored);
    const moved = (await findFilesIn(dirname(stored.path))).find(found => found.inode === stored.inode);
    if (moved && (await followKnown(moved, stored))) {
      return;
    }
    const copy = await findCopy(stored, found => isFollowed(found));
    if (copy) {
      await copy.handle.close();
      known.delete(identifyFile(stored));
      // Its inode is gone for good; what is left of it goes on under the copy's.
      if (await followKnown(copy.found, {...stored, device: copy.found.device, inode: copy.found.inode})) {
        return;
      }
    }
    if (!there || there.inode !== stored.inode) {
      sink.store({files: [{...stored, isFollowed: false}]});
      warn(
        `${stored.path} was moved away while the service was down, and its rest is not found: lines may be missing.`,
      );
    }
  };

  return {
    podKey,
    followed,
    restore: async () => {
      for (const stored of store.readFiles(podKey)) {
        if (stored.isFollowed) {
          await restoreFile(stored);
        } else {
          known.set(identifyFile(stored), stored);
        }
      }
    },
    scan: async () => {
      const found = await findNamedFiles(pod, warn);
      if (!found) {
        return;
      }
      const fresh = new Map(found);
      for (const file of followed.values()) {
        const seen = found.get(identifyFile(file));
        fresh.delete(identifyFile(file));
        if (file.isNamed !== (seen !== undefined)) {
          file.isNamed = seen !== undefined;
          file.changedAtMs = monotonicMs();
        }
        if (seen && seen.path !== file.path) {
          file.path = seen.path;
          file.isRenamed = true;
          file.changedAtMs = monotonicMs();
        }
      }
      const room = followedFilesMax - followed.size;
      const wanted = [...fresh.values()].toSorted(byAge);
      if (wanted.length > room) {
        warn(`Pod ${pod.name} has more than ${followedFilesMax} files: only the newest are read.`);
      }
      const newest = room > 0 ? wanted.slice(-room) : [];
      if (isNew) {
        await followFirst(newest);
        return;
      }
      for (const file of newest) {
        const stored = known.get(identifyFile(file));
        if (stored && (await followKnown(file, stored))) {
          continue;
        }
        const added = await followNew(file);
        if (added) {
          await skipBacklog(added);
          follow(added);
        }
      }
    },
    release: async file => {
      followed.delete(file.key);
      known.set(identifyFile(file), storeFile(file, false));
      await file.handle.close();
      const forgottenFileKeys = forgetOldest();
      if (forgottenFileKeys.length > 0) {
        sink.store({forgottenFileKeys});
      }
    },
    remember: ({path, device, inode}, print) => {
      const identity = {key: store.nextFileKey(), podKey, path, device, inode};
      const file = {...identity, print, held: {}, stamps: emptyFileStamps, isFollowed: false};
      known.set(identifyFile(file), file);
      return file;
    },
    close: async () => {
      for (const file of followed.values()) {
        await file.handle.close();
      }
      followed.clear();
    },
    isKnown: found => known.has(identifyFile(found)) || isFollowed(found),
  };
};
