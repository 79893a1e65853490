import {describeError} from '#service/backend/errors.ts';
import {compareContent, fingerprintBytesMax, takeFingerprint} from '#service/window/fingerprint.ts';
import type {StoredFile} from '#service/window/stored-state.ts';
import {findFileKind} from '../disk/file-kind.ts';
import {type FoundFile, type Identified, isSameFile} from '../disk/find-files.ts';
import {createFollowedFile, type FollowedFile, storeFile, unknownPredecessor} from '../pod/followed-file.ts';
import type {Orphan} from '../pod/pod-files.ts';
import {findReadEnd, findResumePlace} from '../read-marks.ts';
import {findNeighbours, type Neighbour} from '../rotated-files.ts';
import {compareSettled, hasOnlyFront, readSwitched, wasReplacedOnce} from './read-switched.ts';
import {
  type FollowContext,
  findLastRead,
  findRotated,
  givePartial,
  noteLoss,
  readBetween,
  readInOrder,
  readOpened,
  readRotatedSince,
  readToEnd,
  settleCopy,
} from './rotation.ts';

/**
 * Continues in a file at the position reached in another one: the same log, replaced by a program that writes files
 * again.
 */
const goOnFrom = async (
  file: FollowedFile,
  before: StoredFile,
  {sink}: FollowContext,
  position = before.print.position,
): Promise<void> => {
  file.print = await takeFingerprint(file.handle, position);
  file.held = before.held;
  file.stamps = before.stamps;
  file.isText = true;
  file.isProven = true;
  file.predecessorKey = undefined;
  sink.note({files: [storeFile(file, true)]});
};

const begin = (file: FollowedFile, others: readonly StoredFile[], {sink}: FollowContext): true => {
  file.predecessorKey = undefined;
  file.shrunk = undefined;
  sink.note({files: [storeFile(file, true), ...others]});
  return true;
};

/**
 * Checks that a removed file was followed directly by the new one. A removed file has no name to be found by. If the
 * new file existed before the removal and nothing else was rotated since, no other file can have come between them
 * unseen: a rotation that keeps no old files ends this way.
 */
const overlapped = async (
  file: FollowedFile,
  before: FollowedFile,
  neighbours: readonly Neighbour[],
  {pod}: FollowContext,
): Promise<boolean> => {
  const [now, then] = [await file.handle.stat({bigint: true}), await before.handle.stat({bigint: true})];
  const isUnread = ({found, rotated}: Neighbour): boolean =>
    rotated !== undefined &&
    found.modifiedMs > Number(then.mtimeMs) &&
    !pod.followedAs(found) &&
    !pod.known.find(found);
  return (
    then.nlink === 0n &&
    now.birthtimeNs > 0n &&
    // Both are of the same coarse clock: within one tick, the order is unknown.
    now.birthtimeNs < then.ctimeNs &&
    !neighbours.some(isUnread)
  );
};

/** Continues in a file instead of the one it replaced. */
const replace = async (
  file: FollowedFile,
  before: FollowedFile,
  context: FollowContext,
  position?: number,
): Promise<void> => {
  await goOnFrom(file, storeFile(before, false), context, position);
  before.held = {};
  await context.pod.release(before);
};

/** Checks that a file is empty, or was removed before it had more than a front of what was read of the one before. */
const hasNothingNew = async (file: FollowedFile, {pod}: FollowContext): Promise<boolean> => {
  const {size, nlink} = await file.handle.stat();
  const before = file.predecessorKey === undefined ? undefined : pod.followed.get(file.predecessorKey);
  return size === 0 || (nlink === 0 && before !== undefined && (await hasOnlyFront(file.handle, before)));
};

const isRemoved = async ({handle}: FollowedFile): Promise<boolean> => (await handle.stat()).nlink === 0;

/**
 * Checks whether an editor saved a log of so few lines that another program might have begun a new one with the same:
 * its backup, which only editors name so, is there, or was removed since the last look.
 */
const isSaved = async (before: FollowedFile, isSame: boolean, holder: FoundFile | undefined): Promise<boolean> =>
  isSame && (holder ? holder.path.endsWith('~') : isRemoved(before));

const succeedFollowed = async (file: FollowedFile, before: FollowedFile, context: FollowContext): Promise<boolean> => {
  if (before.predecessorKey !== undefined && (await hasNothingNew(before, context))) {
    // It was rotated or replaced before anything new was written to it.
    file.predecessorKey = before.predecessorKey;
    return succeed(file, context);
  }
  if (before.predecessorKey !== undefined && !(await succeed(before, context))) {
    return false;
  }
  before.isText ||= (await findFileKind(before.handle)) === 'text';
  if (before.isText) {
    await readToEnd(before, before.handle, context);
  }
  const likeness = await compareSettled(file, before, context);
  if (likeness === 'unsettled') {
    return false;
  }
  const isSame = likeness === 'same' && before.print.position > 0;
  if (isSame && (before.print.position >= fingerprintBytesMax || (await isRemoved(before)))) {
    await replace(file, before, context);
    return true;
  }
  const neighbours = await findNeighbours(file.path, found => isSameFile(found, before));
  const isOther = (found: Identified): boolean => !isSameFile(found, file);
  let holder = neighbours.find(({found}) => isSameFile(found, before))?.found;
  const settled: StoredFile[] = [];
  if (!holder) {
    const copy = await findRotated(before.print, neighbours, context, isOther);
    if (copy) {
      settled.push(await settleCopy(before, copy, context));
    }
    await copy?.handle.close();
    holder = copy?.found;
  }
  const readEnd = (await isSaved(before, isSame, holder))
    ? before.print.position
    : neighbours.some(({found, rotated}) => !rotated && found === holder)
      ? await findReadEnd(file.handle, before.print)
      : undefined;
  if (readEnd !== undefined) {
    // An editor left the previous content under another name.
    await replace(file, before, context, readEnd);
    return true;
  }
  const held =
    (await readSwitched(file, before, context)) ??
    (holder && (await readBetween({neighbours, holder, current: file}, before.held, context)));
  if (held) {
    file.held = held;
    before.held = {};
    // The same log has the same format, whatever the first line of the new file looks like.
    file.stamps = before.stamps;
    return begin(file, [storeFile(before, true), ...settled], context);
  }
  const place = await findResumePlace(file.handle, before, likeness === 'prefix' ? likeness : 'other');
  if (place.position > 0) {
    if (!place.isWhole) {
      noteLoss(context, before, 'was rewritten, and no copy of its old content was found');
    }
    await replace(file, before, context, place.position);
    return true;
  }
  if (!(await overlapped(file, before, neighbours, context)) && !(await wasReplacedOnce(file, before))) {
    noteLoss(context, before, 'was replaced by another file, and the previous one was not found beside it');
    const {mtimeNs: writtenNs} = await before.handle.stat({bigint: true});
    await readRotatedSince({neighbours, current: file, writtenNs}, before.stamps, context);
  }
  return begin(file, [], context);
};

/** Finds the current place of a file that was released, or was followed when the service ended, and reads its rest. */
const readStoredRest = async (
  stored: StoredFile,
  neighbours: readonly Neighbour[],
  isOther: (found: Identified) => boolean,
  context: FollowContext,
) => {
  const {pod} = context;
  const holder = await findRotated(stored.print, neighbours, context, isOther);
  if (!holder) {
    return undefined;
  }
  try {
    const {device, inode} = holder.found;
    const reader = createFollowedFile(stored, holder.found, holder.handle, {...stored, device, inode});
    await readOpened(reader, holder, context);
    givePartial(reader, context, {isFollowed: false});
    pod.known.forget(stored);
    pod.known.remember(storeFile(reader, false), {bornNs: reader.bornNs});
    return {found: holder.found, held: reader.held};
  } catch (error) {
    noteLoss(context, stored, `cannot be read to its end (${describeError(error)})`, holder.found.path);
    return {found: holder.found, held: {}};
  } finally {
    await holder.handle.close();
  }
};

/** Continues after the rotated file that was read last, when nothing else shows what was read. */
const succeedLastRead = async (
  file: FollowedFile,
  neighbours: readonly Neighbour[],
  context: FollowContext,
): Promise<boolean> => {
  const others = neighbours.filter(({found}) => !isSameFile(found, file));
  const holder = await findLastRead(others, context);
  if (holder) {
    // A file that was read in part is the last one that was read, too.
    const held = await readInOrder([holder], file.held, file, context);
    file.held = await readBetween({neighbours, holder, current: file}, held, context);
    begin(file, [], context);
  }
  return holder !== undefined;
};

/** Continues in a log that was emptied, and may have been rotated since, where no rotated file is known. */
const succeedEmptied = async (
  file: FollowedFile,
  neighbours: readonly Neighbour[],
  context: FollowContext,
): Promise<true> => {
  const {stamps} = file;
  // Of a log of which no line was ever read, nobody misses what was rotated.
  if (
    stamps.last !== undefined &&
    !(await readRotatedSince({neighbours, current: file, writtenNs: stamps.last}, stamps, context))
  ) {
    noteLoss(context, file, 'was rotated while it was not read, and the file that was read last was not found');
  }
  return begin(file, [], context);
};

/** Forgets a file of which nothing is left to read, and that another one is known by now. */
const forget = (stored: StoredFile, {pod, sink}: FollowContext): true => {
  pod.known.forget(stored);
  sink.note({forgottenFileKeys: [stored.key]});
  return true;
};

const succeedStored = async (file: FollowedFile, stored: StoredFile, context: FollowContext): Promise<boolean> => {
  const {pod} = context;
  const isOther = (found: Identified): boolean => !isSameFile(found, file);
  const isMoved = (found: FoundFile): boolean => found.inode === stored.inode && isOther(found);
  const neighbours = await findNeighbours(file.path, isMoved);
  const moved = neighbours.find(({found}) => isMoved(found));
  const before = moved && !pod.followedAs(moved.found) ? await pod.takeUp(moved.found, stored) : undefined;
  if (before) {
    // The next scan determines whether a configured path matches it too.
    before.isNamed = false;
    return succeedFollowed(file, before, context);
  }
  if (stored.print.head.length >= fingerprintBytesMax && (await compareContent(file.handle, stored.print)) === 'same') {
    await goOnFrom(file, stored, context);
    return forget(stored, context);
  }
  const rest = await readStoredRest(stored, neighbours, isOther, context);
  if (rest) {
    file.held = await readBetween({neighbours, holder: rest.found, current: file}, rest.held, context);
    file.stamps = stored.stamps;
    return begin(file, [], context);
  }
  const isBegun = stored.print.position === 0 && (await succeedLastRead(file, neighbours, context));
  if (isBegun ? pod.known.isUnread(stored.key) : !pod.known.hasEnded(stored.key)) {
    noteLoss(context, stored, 'was rotated or replaced, and the rest of the previous file was not found');
  }
  if (!isBegun) {
    await readRotatedSince({neighbours, current: file}, stored.stamps, context);
  }
  // Its place would be sought again at the next start, where its inode may be another file's.
  const done = {...stored, isFollowed: false};
  return stored.print.position === 0
    ? begin(file, [], context) && forget(stored, context)
    : begin(file, [done], context);
};

/**
 * Handles everything between a file and its predecessor: reads the predecessor's rest and what was rotated in between
 * first. Returns whether the file itself can be read now.
 */
export const succeed = async (file: FollowedFile, context: FollowContext): Promise<boolean> => {
  const {pod} = context;
  if (await hasNothingNew(file, context)) {
    // Pieces of a line may still arrive in the previous file.
    return false;
  }
  const key = file.predecessorKey;
  if (key === unknownPredecessor) {
    const neighbours = await findNeighbours(file.path);
    return (await succeedLastRead(file, neighbours, context)) || succeedEmptied(file, neighbours, context);
  }
  const followed = key === undefined ? undefined : pod.followed.get(key);
  if (followed) {
    return succeedFollowed(file, followed, context);
  }
  const stored = key === undefined ? undefined : pod.known.withKey(key);
  return stored ? succeedStored(file, stored, context) : begin(file, [], context);
};

/** Reads the rest of a file that was not read to its end, or may not have been, and has no name now. */
export const finishStored = async ({stored, isLast}: Orphan, context: FollowContext): Promise<void> => {
  const {pod, sink} = context;
  if (await readStoredRest(stored, await findNeighbours(stored.path), () => true, context)) {
    return;
  }
  const done = {...stored, isFollowed: false};
  pod.known.remember(done, {hasEnded: true});
  if (isLast) {
    // A file with a successor was read to its end before that one was followed.
    noteLoss(context, stored, 'was moved away before it was read to its end, and its rest was not found');
  }
  sink.note({files: [done]});
};
