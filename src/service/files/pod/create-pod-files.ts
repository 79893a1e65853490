import {basename} from 'node:path';
import {describeError} from '#service/backend/errors.ts';
import type {RenamesSince} from '#service/served/line-source.ts';
import {takeFingerprint} from '#service/window/fingerprint.ts';
import type {StoredFile} from '#service/window/stored-state.ts';
import {unknownPast} from '#service/window/window-losses.ts';
import {describeKind, findFileKind, isReadableKind} from '../disk/file-kind.ts';
import {type FoundFile, findFile, type Identified, identifyFile, pathOf} from '../disk/find-files.ts';
import {createNamedFiles} from '../disk/named-files.ts';
import {isSameLog} from '../follow/find-copy.ts';
import {findNeighbours, findRotatedFrom, isRotatedFrom} from '../rotated-files.ts';
import {
  byAge,
  chooseFiles,
  completePassed,
  createCrowdNote,
  createFoundNames,
  createKnownFiles,
  followedFilesMax,
  knownFilesMax,
  noteFoundNames,
  nothingRead,
  openFilesMax,
  passOver,
} from './choose-files.ts';
import {createFileOpenings, createTroubledFiles} from './file-openings.ts';
import {findFirstPosition, linesOfLastWindow} from './first-position.ts';
import {createFollowedFile, type FollowedFile, storeFile, unknownPredecessor} from './followed-file.ts';
import type {Orphan, PodFilesOptions} from './pod-files.ts';
import {createSwitchedLinks} from './switched-links.ts';

/** Creates the files of one pod: followed ones, and released ones that are still known. */
export const createPodFiles = (options: PodFilesOptions) => {
  const {pod, podKey, store, sink, warn, monotonicMs} = options;
  /** In reading order: a rotated file before the one that took its name. */
  const followed = new Map<number, FollowedFile>();
  const known = createKnownFiles();
  /** Files that are not text, by identity, with the size they had when checked: an emptied one may become text. */
  const skipped = new Map<string, number>();
  /** Sizes of files when they were released: what a file has after its last newline is not unread. */
  const releasedSizes = new Map<string, number>();
  let toOpen: readonly FoundFile[] = [];
  /** Tells what was renamed since the last scan began. */
  let renamesSince: RenamesSince | undefined;
  const troubles = createTroubledFiles(monotonicMs);
  const openings = createFileOpenings({...options, without: pod.without, troubles});
  const names = createNamedFiles(pod, warn, monotonicMs);
  let orphans: Orphan[] = [];
  const foundNames = createFoundNames(pod.files, followedFilesMax);
  const noteCrowd = createCrowdNote(pod.name, warn);
  let isNew = options.isNew;

  const byIdentity = new Map<string, FollowedFile>();
  const followedAs = (found: Identified): FollowedFile | undefined => byIdentity.get(identifyFile(found));
  const noteSwitchedLinks = createSwitchedLinks(options, followedAs);

  /** The keys of the followed files by path, the oldest first. */
  const keysByPath = new Map<string, readonly number[]>();
  /** Returns whether a name is that of a log, and not one that rotation gave to another log of the pod. */
  const isLive = (path: string): boolean =>
    findRotatedFrom(path, other => foundNames.has(other) || keysByPath.has(other)) === undefined;

  const follow = (file: FollowedFile): FollowedFile => {
    file.changedAtMs = monotonicMs();
    followed.set(file.key, file);
    byIdentity.set(identifyFile(file), file);
    keysByPath.set(file.path, [...(keysByPath.get(file.path) ?? []), file.key]);
    return file;
  };

  const drop = (file: FollowedFile): void => {
    followed.delete(file.key);
    byIdentity.delete(identifyFile(file));
    const left = keysByPath.get(file.path)?.filter(key => key !== file.key) ?? [];
    keysByPath[left.length > 0 ? 'set' : 'delete'](file.path, left);
  };

  /** Goes on at the last window if more is unread than a window can hold. `handle`: where to read, if not its own. */
  const skipBacklog = async (file: FollowedFile, handle = file.handle): Promise<void> => {
    const position = await linesOfLastWindow(handle, file.print.position, options.windowLines);
    if (position !== undefined) {
      file.print = await takeFingerprint(handle, position);
      file.held = {};
      sink.noteLoss(file, `${basename(file.path)} had more unread than a window can hold`);
    }
  };

  const tryTakeUp = (found: FoundFile, before: StoredFile, isLast: boolean) =>
    openings.open(found, async (handle): Promise<FollowedFile | 'other'> => {
      const stored = await completePassed(handle, before);
      const isSame = await isSameLog({found, handle, kind: 'text'}, stored, [...known.all(), ...followed.values()]);
      // Different content under its own name means that it was emptied or replaced meanwhile: reading it detects that.
      if ((!isSame && (stored.path !== found.path || !isLast)) || !isReadableKind(await findFileKind(handle))) {
        await handle.close();
        return 'other';
      }
      const file = createFollowedFile({key: stored.key, podKey}, found, handle, stored);
      if (isSame) {
        await skipBacklog(file);
      }
      known.forget(stored);
      follow(file);
      sink.note({files: [storeFile(file, true)]});
      return file;
    });

  /** Follows a known file under its current name. Returns undefined if it cannot be opened or is another file. */
  const takeUp = async (found: FoundFile, stored: StoredFile, isLast = true): Promise<FollowedFile | undefined> => {
    const file = await tryTakeUp(found, stored, isLast);
    return typeof file === 'string' ? undefined : file;
  };

  const findPredecessor = (path: string): number | undefined => {
    const keys = [...(keysByPath.get(path) ?? []), ...known.keysAt(path)];
    return keys.length > 0 ? Math.max(...keys) : undefined;
  };

  /** `begin` may set where reading begins. */
  const followNew = (found: FoundFile, begin: (file: FollowedFile) => Promise<void>) =>
    openings.open(found, async handle => {
      // Between looking and opening, the name may have passed to another file.
      const {dev: device, ino: inode, birthtimeNs: bornNs} = await handle.stat({bigint: true});
      const file = createFollowedFile({key: store.nextFileKey(), podKey}, {...found, device, inode, bornNs}, handle);
      file.renamesSince = renamesSince;
      await begin(file);
      return file;
    });

  const isTextNow = async (file: FollowedFile): Promise<boolean> => {
    const kind = await findFileKind(file.handle);
    return kind === 'unknown' || kind === 'text' || (kind === 'binary' && pod.files.includes(file.path));
  };

  /** Closes a file that is not text, and ignores it from now on. */
  const skip = async (file: FollowedFile): Promise<void> => {
    drop(file);
    const {size} = await file.handle.stat();
    const kind = await findFileKind(file.handle);
    await file.handle.close();
    skipped.set(identifyFile(file), size);
    warn(`${file.path} ${describeKind(kind)}: ${pod.without}.`);
  };

  const followFirst = async (files: readonly FoundFile[]): Promise<void> => {
    let linesLeft = options.firstLines;
    const opened: FollowedFile[] = [];
    const passedOver: StoredFile[] = [];
    const isFull = (): boolean => opened.length >= followedFilesMax;
    const followOne = async (found: FoundFile): Promise<void> => {
      if (isFull()) {
        if (passedOver.length < knownFilesMax) {
          const stored = passOver(store.nextFileKey(), podKey, found);
          passedOver.push(stored);
          known.remember(stored);
        }
        return;
      }
      const first = await followNew(found, async file => {
        if (await isTextNow(file)) {
          const beginsAt = await options.beginsAt?.(file.handle, file.path);
          const {position, stampedLines} =
            beginsAt !== undefined
              ? {position: beginsAt, stampedLines: 0}
              : await findFirstPosition(file.handle, {
                  stampedLines: linesLeft,
                  windowLines: options.windowLines,
                  isPlacedByTime: (head, lines) => sink.isPlacedByTime(podKey, head, lines),
                });
          file.print = await takeFingerprint(file.handle, position);
          file.isProven = true;
          linesLeft = Math.max(0, linesLeft - stampedLines);
        }
      });
      if (first !== 'unreadable') {
        await (first.isProven ? opened.push(first) : skip(first));
      }
    };
    await openings.each(files.toSorted(byAge).toReversed(), followOne, isFull);
    // Keys give the reading order: the oldest file comes first.
    const keys = opened.map(file => file.key).toSorted((left, right) => left - right);
    for (const [index, file] of opened.toReversed().entries()) {
      follow({...file, key: keys[index] ?? file.key});
    }
    isNew = false;
    if (store.isAnew) {
      sink.noteLoss({podKey, ...nothingRead}, unknownPast);
    }
    const stored = [...[...followed.values()].map(file => storeFile(file, true)), ...passedOver];
    sink.store({files: stored, startedPodKeys: [podKey]});
  };

  const restoreFile = async (stored: StoredFile, all: readonly StoredFile[]): Promise<void> => {
    const isLast = !all.some(other => other.path === stored.path && other.key > stored.key);
    const there = await findFile(stored.path).catch(() => undefined);
    // For an empty file the inode proves little: the file may have been filled, copied and emptied since.
    const predecessorKey = stored.print.position === 0 ? unknownPredecessor : undefined;
    const isOwn = (found: FoundFile): boolean => found.inode === stored.inode && !followedAs(found);
    const own = (await findNeighbours(stored.path, isOwn)).find(({found}) => isOwn(found));
    const takenUp = own && (await takeUp({...own.found, path: pathOf(own.found, there)}, stored, isLast));
    if (takenUp) {
      takenUp.predecessorKey = predecessorKey;
      return;
    }
    if (own && troubles.find(own.found)) {
      troubles.note(own.found, {stored, predecessorKey});
      return;
    }
    if (all.some(other => isRotatedFrom(stored.path, other.path))) {
      // Earlier rotations have been read, and are forgotten over time.
      return;
    }
    if (!isLast || !there) {
      orphans.push({stored, isLast});
      return;
    }
    // If nothing was read of it, the files before it identify the file that is there now.
    if (!followedAs(there) && stored.print.position > 0) {
      // Reading it finds its own content, or the rest of the old content in a rotated file.
      await takeUp(there, stored, isLast);
    }
  };

  const choose = (found: ReadonlyMap<string, FoundFile>) => {
    const readable = new Map([...found].filter(([identity]) => !skipped.has(identity)));
    const wanted = chooseFiles(readable, (identity, file) => {
      const left = releasedSizes.get(identity) ?? known.find(file)?.print.position ?? 0;
      const open = byIdentity.get(identity);
      return open ? open.seen?.sizeBytes : left;
    });
    noteCrowd(readable.size, wanted.size);
    return wanted;
  };

  /** Creates the identity of a file that is read without being followed. */
  const createStored = ({path, device, inode}: FoundFile) => ({key: store.nextFileKey(), podKey, path, device, inode});

  const close = async (
    file: FollowedFile,
    {isFollowed, hasEnded = false}: {readonly isFollowed: boolean; readonly hasEnded?: boolean | undefined},
  ): Promise<void> => {
    drop(file);
    known.remember(storeFile(file, isFollowed), {hasEnded, bornNs: file.bornNs});
    releasedSizes.set(identifyFile(file), file.seen?.sizeBytes ?? file.print.position);
    await file.handle.close();
    sink.note({files: [storeFile(file, isFollowed)], forgottenFileKeys: known.forgetOldest()});
  };

  const followFresh = async (found: FoundFile): Promise<void> => {
    const stored = known.find(found);
    const before = findPredecessor(found.path);
    // The memory of an inode may belong to a file that is gone: among files with one name, only the last can change.
    const trouble = troubles.find(found);
    const isSame = (trouble?.bornNs ?? found.bornNs) === found.bornNs;
    if (!isSame && trouble?.stored && !known.isUnread(trouble.stored.key)) {
      // No successor knows of it: it was taken for the earlier file of its inode.
      sink.noteLoss(trouble.stored, `${basename(found.path)} could not be read until it was gone`);
      warn(`${found.path} could not be read until it was gone: lines may be missing, and readers see a gap.`);
    }
    const isOther = stored !== undefined && known.isOtherThan(found, stored);
    // An inode that came back under a name that another file had since is a new file, even if it is a copy.
    const isReused = isOther && before !== undefined && before !== stored.key;
    const tried = stored && isSame && !isReused ? await tryTakeUp(found, stored, before === stored.key) : 'other';
    const takenUp = tried === 'unreadable' && isOther ? 'other' : tried;
    if (stored && takenUp === 'unreadable' && found.sizeBytes !== stored.print.position) {
      troubles.note(found, {stored, bornNs: found.bornNs});
    }
    if (takenUp !== 'other') {
      if (takenUp !== 'unreadable' && trouble) {
        takenUp.isProven = takenUp.print.position > 0;
        takenUp.predecessorKey = trouble.predecessorKey;
      }
      return;
    }
    const predecessorKey = isLive(found.path) ? before : undefined;
    const fresh = await followNew(found, async file => {
      file.predecessorKey = predecessorKey;
      if (file.predecessorKey === undefined && (await isTextNow(file))) {
        await skipBacklog(file);
      }
    });
    if (fresh !== 'unreadable') {
      troubles.forget(found);
      follow(fresh);
    } else if (troubles.find(found) && (predecessorKey !== undefined || pod.files.includes(found.path))) {
      // Its successor has to know of it, and reading it begins at its start.
      const unread = {...createStored(found), ...nothingRead};
      known.remember(unread, {isUnread: true, bornNs: found.bornNs});
      sink.note({files: [unread]});
      troubles.note(found, {stored: unread, predecessorKey, bornNs: found.bornNs});
    }
  };

  return {
    podKey,
    followed,
    followedAs,
    known,
    isLive,
    /** Returns the folders of the files and of link targets, as of the last scan. */
    folders: foundNames.folders,
    takeUp,
    skip,
    skipBacklog,
    /** Records that a file could be read. */
    noteReadable: troubles.forget,
    /** Says which file cannot be read now, and why; undefined if all can. */
    unreadable: (): string | undefined =>
      // Nobody misses a file of a configured pattern that was never read.
      names.fault() ??
      troubles.describe(({path, stored}) => options.isOpened ?? (stored !== undefined || pod.files.includes(path))),
    /** Closes a file that could not be read. It is opened again; if it is gone before, it is an orphan. */
    interrupt: async (file: FollowedFile, error: unknown): Promise<void> => {
      const why = describeError(error);
      const {sinceMs = monotonicMs()} = troubles.find(file) ?? {};
      const isStuck = file.predecessorKey !== undefined && monotonicMs() - sinceMs >= options.rotationGraceMs;
      if (isStuck) {
        sink.noteLoss(file, `what was written before ${basename(file.path)} cannot be read (${why})`);
        file.predecessorKey = undefined;
      }
      await close(file, {isFollowed: true});
      troubles.note(file, {why, stored: storeFile(file, true), predecessorKey: file.predecessorKey});
    },
    /** Opens the files that were followed before a restart, under whatever name they have now. */
    restore: async (): Promise<void> => {
      const all = store.readFiles(podKey);
      for (const stored of all) {
        known.remember(stored);
      }
      for (const stored of all.filter(({isFollowed}) => isFollowed)) {
        await restoreFile(stored, all);
      }
    },
    /** Finds new files, names that are gone, and files with something unread among those that are not followed. */
    scan: async (): Promise<void> => {
      renamesSince = options.markRenames();
      const found = await names.find();
      if (found === undefined) {
        return;
      }
      for (const {stored} of troubles.takeGone(found)) {
        if (stored && !followedAs(stored)) {
          orphans.push({stored, isLast: true});
        }
      }
      await foundNames.update(found);
      for (const [identity, sizeBytes] of skipped) {
        if ((found.get(identity)?.sizeBytes ?? -1) < sizeBytes) {
          skipped.delete(identity);
        }
      }
      await noteSwitchedLinks(found);
      if (isNew) {
        await followFirst([...found.values()]);
        return;
      }
      const wanted = choose(found);
      noteFoundNames(followed.values(), found, wanted, {nowMs: monotonicMs(), renamesSince});
      toOpen = [...found]
        .filter(([identity]) => wanted.has(identity) && !byIdentity.has(identity))
        .map(([, file]) => file)
        .toSorted(byAge);
      for (const identity of [...releasedSizes.keys()].filter(each => !found.has(each))) {
        releasedSizes.delete(identity);
      }
    },
    /** Opens what the last scan found. */
    openFound: async (): Promise<void> => {
      const files = toOpen;
      toOpen = [];
      const namedCount = [...followed.values()].filter(file => file.isNamed && !file.isCrowdedOut).length;
      const room = Math.min(followedFilesMax - namedCount, openFilesMax - followed.size);
      await openings.each(files.slice(0, Math.max(0, room)), followFresh);
    },
    /** Closes a file but remembers it. `hasEnded`: it was read to its end, and its name was free. */
    release: (file: FollowedFile, {hasEnded}: {readonly hasEnded?: boolean} = {}) =>
      close(file, {isFollowed: false, hasEnded}),
    /** Returns the files that are gone before they were read to their end, and have no successor now, each once. */
    takeOrphans: (): readonly Orphan[] => {
      // A successor reads the rest of the previous file itself.
      const hasSuccessor = ({key, path}: StoredFile) => keysByPath.get(path)?.some(other => other > key);
      const taken = orphans.filter(({stored, isLast}) => !(isLast && hasSuccessor(stored)));
      orphans = [];
      return taken;
    },
    /** Returns whether the configuration has this exact path, as opposed to a pattern that matches it. */
    isConfigured: (path: string): boolean => pod.files.includes(path),
    createStored,
    /** Closes all files; their positions are in the state. */
    close: async (): Promise<void> => {
      await Promise.all(followed.values().map(file => file.handle.close()));
      followed.clear();
      byIdentity.clear();
      keysByPath.clear();
    },
  };
};

export type PodFiles = ReturnType<typeof createPodFiles>;
