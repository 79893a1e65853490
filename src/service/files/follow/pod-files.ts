import type {FileHandle} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {describeError} from '../../errors/describe-fault.ts';
import {matchesFingerprint, takeFingerprint} from '../../lines/fingerprint.ts';
import type {LineSink} from '../../sink/line-sink.ts';
import type {StateStore} from '../../state/state-store.ts';
import type {StoredFile} from '../../state/stored-state.ts';
import {describeKind, type FileKind, findFileKind} from '../disk/file-kind.ts';
import {type FoundFile, findFile, fixedFolder, identifyFile, pathOf} from '../disk/find-files.ts';
import {type FilePod, findNamedFiles} from '../disk/named-files.ts';
import type {OpenFile} from '../disk/open-file.ts';
import {findNeighbours, followLink} from '../rotation/rotated-files.ts';
import {isRotatedFrom} from '../rotation/rotated-name.ts';
import {byAge, chooseFiles, completePassed, followedFilesMax, passOver} from './choose-files.ts';
import {findFirstPosition, linesOfLastWindow} from './first-position.ts';
import {beginStream, createFollowedFile, type FollowedFile, storeFile, unknownPredecessor} from './followed-file.ts';
import {createKnownFiles, type KnownFiles, knownFilesMax} from './known-files.ts';

/**
 * A file that was followed when the service ended and is no longer found under its name. `isLast`: no later file had
 * that name.
 */
export type Orphan = {readonly stored: StoredFile; readonly isLast: boolean};

/** The files of one pod: followed ones, and released ones that are still known. */
export type PodFiles = {
  readonly podKey: number;
  /** In reading order: a rotated file before the one that took its name. */
  readonly followed: Map<number, FollowedFile>;
  /** Opens the files that were followed before a restart, under whatever name they have now. */
  restore(): Promise<void>;
  /** Finds new files, names that are gone, and files with something unread among those that are not followed. */
  scan(): Promise<void>;
  /** Opens what the last scan found. */
  openFound(): Promise<void>;
  /** Returns the folders of the files and of link targets, as of the last scan. */
  folders(): ReadonlySet<string>;
  /** Closes a file but remembers it. `hasEnded`: it was read to its end, and its name was free. */
  release(file: FollowedFile, options?: {readonly hasEnded?: boolean}): Promise<void>;
  /** Closes a file that is not text, and ignores it from now on. */
  skip(file: FollowedFile): Promise<void>;
  /** Goes on at the last window if more is unread than a window can hold. `handle`: where to read, if not its own. */
  skipBacklog(file: FollowedFile, handle?: FileHandle): Promise<void>;
  followedAs(found: Pick<FoundFile, 'device' | 'inode'>): FollowedFile | undefined;
  readonly known: KnownFiles;
  /** Follows a known file under its current name. Returns undefined if it cannot be opened or is another file. */
  takeUp(found: FoundFile, stored: StoredFile, isLast?: boolean): Promise<FollowedFile | undefined>;
  /** Returns the files that were followed when the service ended and have no successor now, each once. */
  takeOrphans(): readonly Orphan[];
  /** Returns whether the configuration has this exact path, as opposed to a pattern that matches it. */
  isConfigured(path: string): boolean;
  /** Creates the identity of a file that is read without being followed. */
  createStored(found: FoundFile): Pick<StoredFile, 'key' | 'podKey' | 'path' | 'device' | 'inode'>;
  /** Returns whether a name is that of a log, and not one that rotation gave to another log of the pod. */
  isLive(path: string): boolean;
  /** Closes all files; their positions are in the state. */
  close(): Promise<void>;
};

export type PodFilesOptions = {
  readonly pod: FilePod;
  readonly openFile: OpenFile;
  readonly podKey: number;
  /** Lines of each pod in the first window. */
  readonly firstLines: number;
  readonly windowLines: number;
  /** True until the pod's first window has been looked for. */
  readonly isNew: boolean;
  readonly store: StateStore;
  readonly sink: LineSink;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
};

/** Returns whether a known file can be read. A file that was followed as text stays text, whatever NULs it has. */
const isReadable = (kind: FileKind): boolean => kind === 'unknown' || kind === 'text' || kind === 'binary';

export const createPodFiles = (options: PodFilesOptions): PodFiles => {
  const {pod, podKey, store, sink, warn, monotonicMs} = options;
  const followed = new Map<number, FollowedFile>();
  const known = createKnownFiles();
  /** Files that are not text, by identity, with the size they had when checked: an emptied one may become text. */
  const skipped = new Map<string, number>();
  /** Sizes of files when they were released: what a file has after its last newline is not unread. */
  const releasedSizes = new Map<string, number>();
  let toOpen: readonly FoundFile[] = [];
  /** Successors of a file that was read which cannot be opened: one fault counts as one loss. */
  const unreadable = new Set<string>();
  let orphans: Orphan[] = [];
  let namedPaths: readonly string[] = [];
  let folders: ReadonlySet<string> = new Set();
  let unfollowedTold = 0;
  let openFaults = 0;
  let isNew = options.isNew;

  const followedAs = ({device, inode}: Pick<FoundFile, 'device' | 'inode'>): FollowedFile | undefined =>
    [...followed.values()].find(file => file.device === device && file.inode === inode);

  const isLive = (path: string): boolean =>
    ![...namedPaths, ...[...followed.values()].map(file => file.path)].some(other => isRotatedFrom(path, other));

  const follow = (file: FollowedFile): FollowedFile => {
    file.changedAtMs = monotonicMs();
    followed.set(file.key, file);
    return file;
  };

  /** Opens a file and begins to read it. If that fails, warns and returns undefined: one bad file stops no other. */
  const tryOpen = async <T>(found: FoundFile, begin: (handle: FileHandle) => Promise<T>) => {
    let handle: FileHandle | undefined;
    try {
      handle = await options.openFile(found.path);
      return await begin(handle);
    } catch (error) {
      await handle?.close();
      openFaults += 1;
      warn(`${found.path} cannot be read (${describeError(error)}): pod ${pod.name} is served without it.`);
      return undefined;
    }
  };

  const skipBacklog = async (file: FollowedFile, handle = file.handle): Promise<void> => {
    const position = await linesOfLastWindow(handle, file.print.position, options.windowLines);
    if (position !== undefined) {
      file.print = await takeFingerprint(handle, position);
      file.held = {};
      sink.noteLoss(file, `${basename(file.path)} had more unread than a window can hold`);
    }
  };

  const takeUp = (found: FoundFile, before: StoredFile, isLast = true): Promise<FollowedFile | undefined> =>
    tryOpen(found, async handle => {
      const stored = await completePassed(handle, before);
      const isSame = await matchesFingerprint(handle, stored.print);
      // Different content under its own name means that it was emptied or replaced meanwhile: reading it detects that.
      if ((!isSame && (stored.path !== found.path || !isLast)) || !isReadable(await findFileKind(handle))) {
        await handle.close();
        return undefined;
      }
      const file = createFollowedFile({key: stored.key, podKey}, found, handle, stored);
      if (isSame) {
        await skipBacklog(file);
      }
      known.forget(stored);
      follow(file);
      sink.store({files: [storeFile(file, true)]});
      return file;
    });

  const findPredecessor = (path: string): number | undefined => {
    const latest = (keys: readonly number[]): number | undefined => keys.toSorted((left, right) => right - left)[0];
    const keysAt = (files: Iterable<{path: string; key: number}>): readonly number[] =>
      [...files].filter(file => file.path === path).map(file => file.key);
    return latest(keysAt(followed.values())) ?? latest(keysAt(known.all()));
  };

  /** `begin` may set where reading begins. */
  const followNew = (found: FoundFile, begin: (file: FollowedFile) => Promise<void>) =>
    tryOpen(found, async handle => {
      // Between looking and opening, the name may have passed to another file.
      const {dev: device, ino: inode} = await handle.stat({bigint: true});
      const file = createFollowedFile({key: store.nextFileKey(), podKey}, {...found, device, inode}, handle);
      await begin(file);
      return file;
    });

  const isTextNow = async (file: FollowedFile): Promise<boolean> => {
    const kind = await findFileKind(file.handle);
    return kind === 'unknown' || kind === 'text' || (kind === 'binary' && pod.files.includes(file.path));
  };

  const skip = async (file: FollowedFile): Promise<void> => {
    followed.delete(file.key);
    const {size} = await file.handle.stat();
    const kind = await findFileKind(file.handle);
    await file.handle.close();
    skipped.set(identifyFile(file), size);
    warn(`${file.path} ${describeKind(kind)}: pod ${pod.name} is served without it.`);
  };

  const followFirst = async (files: readonly FoundFile[]): Promise<void> => {
    let linesLeft = options.firstLines;
    const opened: FollowedFile[] = [];
    const passedOver: StoredFile[] = [];
    for (const found of files.toSorted(byAge).toReversed()) {
      if (opened.length >= followedFilesMax) {
        if (passedOver.length < knownFilesMax) {
          const stored = passOver(store.nextFileKey(), podKey, found);
          passedOver.push(stored);
          known.remember(stored);
        }
        continue;
      }
      const first = await followNew(found, async file => {
        if (await isTextNow(file)) {
          const {position, stampedLines} = await findFirstPosition(file.handle, {
            stampedLines: linesLeft,
            windowLines: options.windowLines,
            isPlacedByTime: (head, lines) => sink.isPlacedByTime(podKey, head, lines),
          });
          file.print = await takeFingerprint(file.handle, position);
          file.isProven = true;
          linesLeft = Math.max(0, linesLeft - stampedLines);
        }
      });
      if (first?.isProven) {
        opened.push(first);
      } else if (first) {
        await skip(first);
      }
    }
    // Keys give the reading order: the oldest file comes first.
    const keys = opened.map(file => file.key).toSorted((left, right) => left - right);
    for (const [index, file] of opened.toReversed().entries()) {
      follow({...file, key: keys[index] ?? file.key});
    }
    isNew = false;
    const stored = [...[...followed.values()].map(file => storeFile(file, true)), ...passedOver];
    sink.store({files: stored, startedPodKeys: [podKey]});
  };

  const restoreFile = async (stored: StoredFile, all: readonly StoredFile[]): Promise<void> => {
    const isLast = !all.some(other => other.path === stored.path && other.key > stored.key);
    const there = await findFile(stored.path).catch(() => undefined);
    const isFree = there !== undefined && !followedAs(there);
    known.remember(stored);
    const isOwn = (found: FoundFile): boolean => found.inode === stored.inode && !followedAs(found);
    const own = (await findNeighbours(stored.path, isOwn)).find(({found}) => isOwn(found));
    const takenUp = own && (await takeUp({...own.found, path: pathOf(own.found, there)}, stored, isLast));
    if (takenUp) {
      // For an empty file the inode proves little: the file may have been filled, copied and emptied since.
      takenUp.predecessorKey = stored.print.position === 0 ? unknownPredecessor : undefined;
      return;
    }
    if (all.some(other => isRotatedFrom(stored.path, other.path))) {
      // What was rotated earlier has been read, and is forgotten over time.
      return;
    }
    if (!isLast || !there) {
      orphans.push({stored, isLast});
      return;
    }
    // If nothing was read of it, the files before it identify the file that is there now.
    if (isFree && stored.print.position > 0) {
      // Reading it finds its own content, or the rest of the old content in a rotated file.
      await takeUp(there, stored, isLast);
    }
  };

  const choose = (found: ReadonlyMap<string, FoundFile>, open: ReadonlyMap<string, FollowedFile>) => {
    const readable = new Map([...found].filter(([identity]) => !skipped.has(identity)));
    const wanted = chooseFiles(readable, (identity, file) => {
      const left = releasedSizes.get(identity) ?? known.find(file)?.print.position ?? 0;
      return open.has(identity) ? open.get(identity)?.seen?.sizeBytes : left;
    });
    const unfollowed = readable.size - wanted.size;
    if (unfollowed > unfollowedTold * 2) {
      unfollowedTold = unfollowed;
      warn(
        `Pod ${pod.name} has ${readable.size} files: only ${followedFilesMax} are followed at a time, the other ${unfollowed} once they are written again.`,
      );
    }
    return wanted;
  };

  const updateNames = (found: ReadonlyMap<string, FoundFile>, wanted: ReadonlySet<string>): void => {
    for (const file of followed.values()) {
      const seen = found.get(identifyFile(file));
      const isRenamed = seen !== undefined && seen.path !== file.path;
      if (file.isNamed !== (seen !== undefined) || file.isRenamed !== isRenamed) {
        file.changedAtMs = monotonicMs();
      }
      file.isNamed = seen !== undefined;
      file.isRenamed = isRenamed;
      file.isCrowdedOut = seen !== undefined && !wanted.has(identifyFile(file));
    }
  };

  const updateFolders = async (paths: readonly string[]): Promise<void> => {
    if (
      folders.size > 0 &&
      paths.length === namedPaths.length &&
      paths.every((path, index) => path === namedPaths[index])
    ) {
      return;
    }
    namedPaths = paths;
    const targets = await Promise.all(paths.slice(0, followedFilesMax).map(followLink));
    folders = new Set([...pod.files.map(fixedFolder), ...paths.map(dirname), ...targets.map(dirname)]);
  };

  const followFresh = async (found: FoundFile): Promise<void> => {
    const stored = known.find(found);
    const faultsBefore = openFaults;
    // What is known of an inode may be of a file that is gone: of files with one name, only the last can change.
    if (stored && (await takeUp(found, stored, findPredecessor(found.path) === stored.key))) {
      return;
    }
    const fresh =
      openFaults === faultsBefore &&
      (await followNew(found, async file => {
        file.predecessorKey = isLive(found.path) ? findPredecessor(found.path) : undefined;
        if (file.predecessorKey === undefined && (await isTextNow(file))) {
          await skipBacklog(file);
        }
      }));
    if (!fresh) {
      // If it continues a file that was read, readers miss its lines.
      if (findPredecessor(found.path) !== undefined && !unreadable.has(identifyFile(found))) {
        unreadable.add(identifyFile(found));
        sink.noteLoss(beginStream(podKey, found.path), `${basename(found.path)} cannot be opened`);
      }
      return;
    }
    unreadable.delete(identifyFile(found));
    follow(fresh);
  };

  return {
    podKey,
    followed,
    followedAs,
    known,
    isLive,
    folders: () => folders,
    takeUp,
    skip,
    skipBacklog,
    restore: async () => {
      const all = store.readFiles(podKey);
      for (const stored of all) {
        if (stored.isFollowed) {
          await restoreFile(stored, all);
        } else {
          known.remember(stored);
        }
      }
    },
    scan: async () => {
      const found = await findNamedFiles(pod, warn);
      if (!found) {
        return;
      }
      await updateFolders([...found.values()].map(file => file.path));
      for (const [identity, sizeBytes] of skipped) {
        const file = found.get(identity);
        if (!file || file.sizeBytes < sizeBytes) {
          skipped.delete(identity);
        }
      }
      if (isNew) {
        await followFirst([...found.values()]);
        return;
      }
      const open = new Map([...followed.values()].map(file => [identifyFile(file), file]));
      const wanted = choose(found, open);
      updateNames(found, wanted);
      toOpen = [...found]
        .filter(([identity]) => wanted.has(identity) && !open.has(identity))
        .map(([, file]) => file)
        .toSorted(byAge);
      for (const identity of [...releasedSizes.keys()].filter(each => !found.has(each))) {
        releasedSizes.delete(identity);
      }
    },
    openFound: async () => {
      const files = toOpen;
      toOpen = [];
      const namedCount = [...followed.values()].filter(file => file.isNamed && !file.isCrowdedOut).length;
      const room = Math.min(followedFilesMax - namedCount, followedFilesMax * 2 - followed.size);
      for (const file of files.slice(0, Math.max(0, room))) {
        await followFresh(file);
      }
    },
    release: async (file, {hasEnded = false} = {}) => {
      followed.delete(file.key);
      known.remember(storeFile(file, false), {hasEnded});
      releasedSizes.set(identifyFile(file), file.seen?.sizeBytes ?? file.print.position);
      await file.handle.close();
      sink.store({files: [storeFile(file, false)], forgottenFileKeys: known.forgetOldest()});
    },
    takeOrphans: () => {
      // A successor reads the rest of the previous file itself.
      const paths = new Set([...followed.values()].map(file => file.path));
      const taken = orphans.filter(({stored, isLast}) => !(isLast && paths.has(stored.path)));
      orphans = [];
      return taken;
    },
    isConfigured: path => pod.files.includes(path),
    createStored: ({path, device, inode}) => ({key: store.nextFileKey(), podKey, path, device, inode}),
    close: async () => {
      for (const file of followed.values()) {
        await file.handle.close();
      }
      followed.clear();
    },
  };
};
