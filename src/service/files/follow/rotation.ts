import type {FileHandle} from 'node:fs/promises';
import {basename} from 'node:path';
import {instantFromMs} from '#log/line/instant.ts';
import {describeError} from '#service/backend/errors.ts';
import type {LineSourceContext} from '#service/served/line-source.ts';
import type {HeldPieces} from '#service/window/container-line.ts';
import {
  advanceFingerprint,
  type Fingerprint,
  fingerprintBytesMax,
  isTelling,
  takeFingerprint,
} from '#service/window/fingerprint.ts';
import type {LineSink} from '#service/window/line-sink.ts';
import {readOwnTime} from '#service/window/read-own-time.ts';
import {readUnfinished, splitLines} from '#service/window/split-lines.ts';
import type {StoredFile} from '#service/window/stored-state.ts';
import {type FoundFile, isSameFile, namesOfPath} from '../disk/find-files.ts';
import type {OpenFile} from '../disk/open-file.ts';
import type {PodFiles} from '../pod/create-pod-files.ts';
import {createFollowedFile, type FollowedFile, storeFile} from '../pod/followed-file.ts';
import {findBetween, type Neighbour, sortRotated} from '../rotated-files.ts';
import {findCopy, findPrintOf, isCopyOfRead, type OpenedFile, openAny, readCompressed, readFirst} from './find-copy.ts';
import {readAhead} from './read-ahead.ts';

/**
 * Bytes read of one file in one turn, before other files and waiting answers get theirs: about 20 ms of work, and an
 * answer waits for two turns at most.
 */
export const turnBytesMax = 512 * 1024;

export type FollowContext = Pick<LineSourceContext, 'sink' | 'monotonicMs' | 'rotationGraceMs' | 'warn'> & {
  readonly pod: PodFiles;
  readonly openFile: OpenFile;
};

type FileTakeOptions = {
  /** Also emit pieces of a line that wait for their rest. */
  readonly endsHere?: boolean;
  /** False: the file is closed after these lines. */
  readonly isFollowed?: boolean;
};

/** Passes lines of a file to the sink. The file's position is already past them: both are stored together. */
const takeFromFile = (
  sink: LineSink,
  file: FollowedFile,
  lines: readonly string[],
  {endsHere = false, isFollowed = true}: FileTakeOptions = {},
): void =>
  sink.take(file, lines, {
    endsHere,
    // The end of the turn stores what all files have.
    hasMore: true,
    head: file.print.head,
    changes: () => ({files: [storeFile(file, isFollowed)]}),
  });

export const createTake =
  ({sink, monotonicMs}: FollowContext) =>
  (file: FollowedFile, lines: readonly string[]): void => {
    file.changedAtMs = monotonicMs();
    takeFromFile(sink, file, lines);
  };

/** Records that lines of a log may be missing. `path`: the file that shows it, if not the log, a rotated one of it. */
export const noteLoss = (
  {sink, warn}: FollowContext,
  log: Pick<FollowedFile, 'podKey' | 'path' | 'held' | 'stamps'>,
  why: string,
  path = log.path,
): void => {
  sink.noteLoss({...log, names: namesOfPath(log.path)}, `${basename(path)} ${why}`);
  warn(`${path} ${why}: lines may be missing, and readers see a gap.`);
};

/**
 * Reads everything after a file's position, in one go: lines of two files must not mix. Of very much, reads only the
 * last window, because nothing else of the branch is read meanwhile.
 */
export const readToEnd = async (file: FollowedFile, handle: FileHandle, context: FollowContext): Promise<void> => {
  await context.pod.skipBacklog(file, handle);
  while ((await readAhead(file, handle, createTake(context), turnBytesMax)) === 'more') {
    // A file shorter than its read position has nothing new.
  }
};

/** Does the same for an opened file, compressed or not. */
export const readOpened = async (file: FollowedFile, opened: OpenedFile, context: FollowContext): Promise<void> => {
  if (opened.kind !== 'text') {
    await readCompressed(file, {handle: opened.handle, kind: opened.kind}, createTake(context));
    return;
  }
  file.seen = undefined;
  await readToEnd(file, opened.handle, context);
};

/** Emits an unterminated last line when no more of it can come. */
export const givePartial = (file: FollowedFile, {sink}: FollowContext, options?: FileTakeOptions): void => {
  const {lines} = splitLines(file.partial, {atEnd: true});
  file.print = advanceFingerprint(file.print, file.partial, file.partial.length);
  file.partial = Buffer.alloc(0);
  takeFromFile(sink, file, lines, options);
};

/** Emits what there is of a line whose end does not come. Its rest is read as a line of its own. */
export const giveUnfinished = (file: FollowedFile, {sink}: FollowContext): void => {
  const {text, bytesUsed} = readUnfinished(file.partial);
  if (text !== '') {
    file.print = advanceFingerprint(file.print, file.partial, bytesUsed);
    file.partial = file.partial.subarray(bytesUsed);
    takeFromFile(sink, file, [text]);
  }
};

/** Finds, among the neighbours, the plain or compressed copy with what was read of a log. */
export const findRotated = (
  print: Fingerprint,
  neighbours: readonly Neighbour[],
  {pod, openFile}: FollowContext,
  isOther: (found: FoundFile) => boolean,
): Promise<OpenedFile | undefined> =>
  findCopy(
    print,
    neighbours.filter(({found, isCopy}) => isCopy && isOther(found)).map(({found}) => found),
    openFile,
    async opened => {
      const follower = pod.followedAs(opened.found);
      const known = pod.known.find(opened.found);
      // Little content proves little: a known file counts as a different one then, unless it only had this inode.
      const isKnown = known !== undefined && known.print.position > 0 && (await isCopyOfRead(opened, known.print));
      return follower ? follower.isProven : print.position < fingerprintBytesMax && isKnown;
    },
  );

/**
 * Finds what is known of a rotated file by its content: a compressed file or a copy has another identity, and inodes
 * are reused.
 */
const findKnown = async (opened: OpenedFile, {pod}: FollowContext): Promise<StoredFile | undefined> => {
  const own = pod.known.find(opened.found);
  if (own && own.print.position > 0 && (await isCopyOfRead(opened, own.print))) {
    return own;
  }
  // Few lines count if they are all that there is.
  return findPrintOf(
    opened,
    pod.known.all(),
    ({print}, front) => print.head.equals(front) && print.position > 0 && isTelling(print),
  );
};

/**
 * Remembers the copy with what was read of a file, so that it is known whatever its name; if it is followed, moves its
 * position to where the file was read.
 */
export const settleCopy = async (
  file: FollowedFile,
  {found, handle, kind}: OpenedFile,
  {pod}: FollowContext,
): Promise<StoredFile> => {
  const {position} = file.print;
  const print =
    kind === 'text' ? await takeFingerprint(handle, Math.min(position, (await handle.stat()).size)) : file.print;
  const follower = pod.followedAs(found);
  if (!follower) {
    const stored = {...pod.createStored(found), print, held: {}, stamps: file.stamps, isFollowed: false};
    pod.known.remember(stored);
    return stored;
  }
  follower.print = print;
  follower.isProven = true;
  return storeFile(follower, true);
};

/** Returns the rotated file that was read last, as far as known. */
export const findLastRead = async (
  neighbours: readonly Neighbour[],
  context: FollowContext,
): Promise<FoundFile | undefined> => {
  for (const {found} of sortRotated(neighbours).toReversed()) {
    const follower = context.pod.followedAs(found);
    if (follower?.isProven && follower.print.position > 0) {
      return found;
    }
    const opened = await openAny(found, context.openFile);
    const known = opened && (await findKnown(opened, context));
    await opened?.handle.close();
    if (known && known.print.position > 0) {
      return found;
    }
  }
  return undefined;
};

/**
 * Reads an opened rotated file from its known position, or whole, and closes it. Returns the pieces held at its end.
 */
const readOne = async (
  opened: OpenedFile,
  follower: FollowedFile | undefined,
  held: HeldPieces,
  context: FollowContext,
): Promise<HeldPieces> => {
  const {pod} = context;
  const {found} = opened;
  try {
    const known = await findKnown(opened, context);
    if (known) {
      pod.known.forget(known);
    }
    const file = follower ?? createFollowedFile(known ?? pod.createStored(found), found, opened.handle, known);
    file.held = known?.held ?? held;
    file.isText = true;
    file.isProven = true;
    file.predecessorKey = undefined;
    await readOpened(file, opened, context);
    givePartial(file, context, {isFollowed: follower !== undefined});
    const rest = file.held;
    if (follower) {
      follower.held = {};
    } else {
      pod.known.remember(storeFile(file, false), {bornNs: file.bornNs});
    }
    return rest;
  } finally {
    await opened.handle.close();
  }
};

/** Reads one rotated file unless it has been read. Returns undefined if it cannot be read. */
const readWhole = async (
  found: FoundFile,
  held: HeldPieces,
  context: FollowContext,
): Promise<HeldPieces | undefined> => {
  const {pod} = context;
  const follower = pod.followedAs(found);
  if (follower?.isProven && follower.print.position > 0) {
    return held;
  }
  const opened = await openAny(found, context.openFile);
  if (!opened) {
    // An empty log is rotated, too.
    return found.sizeBytes === 0 ? held : undefined;
  }
  if (
    await findPrintOf(
      opened,
      [...pod.followed.values()].filter(other => other !== follower),
    )
  ) {
    // Its plain form is still open, and read separately.
    await opened.handle.close();
    return held;
  }
  return opened.kind === 'text' ? readOne(opened, follower, held, context) : readOne(opened, undefined, held, context);
};

/**
 * Reads files that come before the current one of the log, each unless it was read. Returns the pieces of lines that
 * continue in the current file.
 */
export const readInOrder = async (
  files: readonly FoundFile[],
  start: HeldPieces,
  current: FollowedFile,
  context: FollowContext,
): Promise<HeldPieces> => {
  let held = start;
  for (const found of files) {
    try {
      const rest = await readWhole(found, held, context);
      if (rest) {
        held = rest;
      } else {
        noteLoss(context, current, 'is a rotated file that cannot be read', found.path);
      }
    } catch (error) {
      noteLoss(context, current, `cannot be read to its end (${describeError(error)})`, found.path);
    }
  }
  return held;
};

/**
 * Reads, in order, the files rotated between the one that was read last and the current file of the log. Only numbered
 * names show whether any of them is missing. Returns the pieces of lines that continue in the current file.
 */
export const readBetween = async (
  {neighbours, holder, current}: {neighbours: readonly Neighbour[]; holder: FoundFile; current: FollowedFile},
  start: HeldPieces,
  context: FollowContext,
): Promise<HeldPieces> => {
  const isCurrent = (found: FoundFile): boolean => isSameFile(found, current);
  const {between, isComplete} = findBetween(neighbours, holder, isCurrent);
  if (!isComplete) {
    noteLoss(context, current, 'was rotated more than once, and one of the rotated files is gone');
  }
  return readInOrder(between, start, current, context);
};

/** Checks whether all of a rotated file was written after a line: by the time of its first line, or by its own age. */
const isLaterThan = async (
  found: FoundFile,
  {last = 0n}: StoredFile['stamps'],
  writtenNs: bigint | undefined,
  context: FollowContext,
) => {
  const opened = await openAny(found, context.openFile);
  const first = opened ? await readFirst(opened) : Buffer.alloc(0);
  await opened?.handle.close();
  const now = instantFromMs(found.modifiedMs);
  const [at] = splitLines(first, {atEnd: true}).lines.flatMap(line => readOwnTime(line, {now}) ?? []);
  return at === undefined ? opened?.kind === 'text' && writtenNs !== undefined && found.bornNs > writtenNs : at > last;
};

/**
 * Reads what was rotated since a file was written last that is not beside the log any more, as far as that is there.
 * `writtenNs`: when it was written last, if that is known. Returns whether there is nothing that might be later, and is
 * not certainly.
 */
export const readRotatedSince = async (
  {neighbours, current, writtenNs}: {neighbours: readonly Neighbour[]; current: FollowedFile; writtenNs?: bigint},
  stamps: StoredFile['stamps'],
  context: FollowContext,
): Promise<boolean> => {
  const {pod} = context;
  const rotated = sortRotated(neighbours);
  // The current log may have been rotated itself meanwhile.
  const place = rotated.findIndex(({found}) => isSameFile(found, current));
  const unread = rotated
    .slice(0, place === -1 ? rotated.length : place)
    .filter(({found}) => !pod.followedAs(found) && !pod.known.find(found));
  for (const {found} of unread) {
    if (await isLaterThan(found, stamps, writtenNs, context)) {
      current.held = await readInOrder([found], {}, current, context);
      current.held = await readBetween({neighbours, holder: found, current}, current.held, context);
      return true;
    }
  }
  return !unread.some(({found}) => found.sizeBytes > 0 && instantFromMs(found.modifiedMs) > (stamps.last ?? 0n));
};
