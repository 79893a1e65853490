import {describeError} from '../../errors/describe-fault.ts';
import type {HeldPieces} from '../../lines/container-line.ts';
import {advanceFingerprint, type Fingerprint, fingerprintBytesMax} from '../../lines/fingerprint.ts';
import {splitLines} from '../../lines/split-lines.ts';
import type {LineSink} from '../../sink/line-sink.ts';
import type {StoredFile} from '../../state/stored-state.ts';
import {type FoundFile, identifyFile} from '../disk/find-files.ts';
import {findBetween, type Neighbour, sortRotated} from '../rotation/rotated-files.ts';
import {findCopy, findPrintOf, isCopyOfRead, type OpenedFile, openAny} from './find-copy.ts';
import {createFollowedFile, type FollowedFile, storeFile} from './followed-file.ts';
import type {PodFiles} from './pod-files.ts';
import {readAhead} from './read-ahead.ts';
import {readCompressed} from './read-compressed.ts';

/** Read of one file in one turn; the others, and the answers that wait, come next. */
export const turnBytesMax = 8 * 1024 * 1024;

export type FollowContext = {
  readonly pod: PodFiles;
  readonly sink: LineSink;
  readonly monotonicMs: () => number;
  /** How long a file that lost its name must be quiet before it is let go, in milliseconds. */
  readonly rotationGraceMs: number;
  readonly warn: (message: string) => void;
};

type FileTakeOptions = {
  /** Pieces of a line that wait for their rest go out too. */
  readonly endsHere?: boolean;
  /** False: the file is closed after these lines. */
  readonly isFollowed?: boolean;
};

/** Gives the sink lines of a file, the position of which is past them already: both are stored together. */
const takeFromFile = (
  sink: LineSink,
  file: FollowedFile,
  lines: readonly string[],
  {endsHere = false, isFollowed = true}: FileTakeOptions = {},
): void =>
  sink.take(file, lines, {
    endsHere,
    head: file.print.head,
    changes: () => ({files: [storeFile(file, isFollowed)]}),
  });

export const createTake =
  ({sink, monotonicMs}: FollowContext) =>
  (file: FollowedFile, lines: readonly string[]): void => {
    file.changedAtMs = monotonicMs();
    takeFromFile(sink, file, lines);
  };

/** Lines may be missing here: every line that an answer has shown leaves the window, so that clients mark a gap. */
export const noteLoss = ({sink, warn}: FollowContext, path: string, why: string): void => {
  sink.noteLoss();
  warn(`${path} ${why}: lines may be missing, and readers are shown a gap.`);
};

/** Reads all that an opened file holds past a file's position, in one go: the lines of two files must not mix. */
export const readOpened = async (file: FollowedFile, opened: OpenedFile, context: FollowContext): Promise<void> => {
  const take = createTake(context);
  if (opened.kind !== 'text') {
    await readCompressed(file, {handle: opened.handle, kind: opened.kind}, take);
    return;
  }
  file.seen = undefined;
  while ((await readAhead(file, opened.handle, take, turnBytesMax)) === 'more') {
    // A file that is shorter than what was read holds nothing new; all of it is known.
  }
};

/** Gives out what had no newline yet where nothing more of it can come. */
export const givePartial = (file: FollowedFile, {sink}: FollowContext, options?: FileTakeOptions): void => {
  const {lines} = splitLines(file.partial, {atEnd: true});
  file.print = advanceFingerprint(file.print, file.partial, file.partial.length);
  file.partial = Buffer.alloc(0);
  takeFromFile(sink, file, lines, options);
};

/** Finds the copy, plain or compressed, that holds what was read of a log, among the files beside it. */
export const findRotated = (
  print: Fingerprint,
  neighbours: readonly Neighbour[],
  {pod}: FollowContext,
  isOther: (found: FoundFile) => boolean,
): Promise<OpenedFile | undefined> =>
  findCopy(
    print,
    neighbours.filter(({found, isCopy}) => isCopy && isOther(found)).map(({found}) => found),
    async found => {
      const follower = pod.followedAs(found);
      // Little content says little: a file that is known is another one then.
      return follower ? follower.isProven : print.position < fingerprintBytesMax && pod.known.find(found) !== undefined;
    },
  );

/** What is known of a rotated file, by its content: compressed or copied it has another identity, and an inode may be used again. */
const findKnown = async (opened: OpenedFile, {pod}: FollowContext): Promise<StoredFile | undefined> => {
  const own = pod.known.find(opened.found);
  return own && (await isCopyOfRead(opened, own.print)) ? own : findPrintOf(opened, pod.known.all());
};

/** The rotated file that was read last, as far as is known. */
export const findLastRead = async (
  neighbours: readonly Neighbour[],
  context: FollowContext,
): Promise<FoundFile | undefined> => {
  for (const {found} of sortRotated(neighbours).toReversed()) {
    const follower = context.pod.followedAs(found);
    if (follower?.isProven && follower.print.position > 0) {
      return found;
    }
    const opened = await openAny(found);
    const known = opened && (await findKnown(opened, context));
    await opened?.handle.close();
    if (known && known.print.position > 0) {
      return found;
    }
  }
  return undefined;
};

/** Reads an opened rotated file from where it is known, or whole, and closes it. Answers the pieces that are held at its end. */
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
      pod.known.remember(storeFile(file, false));
    }
    return rest;
  } finally {
    await opened.handle.close();
  }
};

/** Reads one rotated file unless it has been read; undefined where that cannot be done. */
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
  const opened = await openAny(found);
  if (!opened) {
    return undefined;
  }
  if (
    await findPrintOf(
      opened,
      [...pod.followed.values()].filter(other => other !== follower),
    )
  ) {
    // Its plain form is still open, and read on its own.
    await opened.handle.close();
    return held;
  }
  return opened.kind === 'text' ? readOne(opened, follower, held, context) : readOne(opened, undefined, held, context);
};
/**
 * Reads, in order, the rotated files that lie between the one that holds what was read last and the log's file of now.
 * Whether all of them could be read is known only from their names, numbered ones at that. Answers the pieces of lines
 * that go on in the file of now.
 */
export const readBetween = async (
  path: string,
  {neighbours, holder, current}: {neighbours: readonly Neighbour[]; holder: FoundFile; current: FollowedFile},
  start: HeldPieces,
  context: FollowContext,
): Promise<HeldPieces> => {
  const isCurrent = (found: FoundFile): boolean => identifyFile(found) === identifyFile(current);
  const {between, isComplete} = findBetween(neighbours, holder, isCurrent);
  if (!isComplete) {
    noteLoss(context, path, 'was rotated more than once, and one of the rotated files is gone');
  }
  let held = start;
  for (const found of between) {
    try {
      const rest = await readWhole(found, held, context);
      if (rest) {
        held = rest;
      } else {
        noteLoss(context, found.path, 'is a rotated file that cannot be read here');
      }
    } catch (error) {
      noteLoss(context, found.path, `cannot be read to its end (${describeError(error)})`);
    }
  }
  return held;
};
