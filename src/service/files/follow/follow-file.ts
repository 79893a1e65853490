import {describeError} from '#service/backend/errors.ts';
import {compareContent, emptyFingerprint, isTelling, takeFingerprint} from '#service/window/fingerprint.ts';
import type {StoredFile} from '#service/window/stored-state.ts';
import {findFileKind} from '../disk/file-kind.ts';
import {isSameFile} from '../disk/find-files.ts';
import {type FollowedFile, storeFile} from '../pod/followed-file.ts';
import {findResumePlace, type ResumePlace} from '../read-marks.ts';
import {findNeighbours, type Neighbour} from '../rotated-files.ts';
import {isCopyOf, mayBeCopyOf, type OpenedFile} from './find-copy.ts';
import {readAhead} from './read-ahead.ts';
import {compareSettled} from './read-switched.ts';
import {
  createTake,
  type FollowContext,
  findRotated,
  givePartial,
  giveUnfinished,
  noteLoss,
  readBetween,
  readOpened,
  readRotatedSince,
  settleCopy,
  turnBytesMax,
} from './rotation.ts';
import {succeed} from './succeed-file.ts';

/** A line whose end does not come for this long is shown as it stands. Its rest becomes a line of its own. */
const unfinishedMsMax = 2_000;

/**
 * Restarts a file that was emptied, after reading the rest of its old content from the copy and anything rotated since.
 */
const readFromCopy = async (
  file: FollowedFile,
  copy: OpenedFile,
  neighbours: readonly Neighbour[],
  context: FollowContext,
): Promise<void> => {
  let others: readonly StoredFile[] = [];
  try {
    await readOpened(file, copy, context);
    givePartial(file, context);
    others = [await settleCopy(file, copy, context)];
  } catch (error) {
    noteLoss(context, file, `cannot be read to its end (${describeError(error)})`, copy.found.path);
  } finally {
    await copy.handle.close();
  }
  file.held = await readBetween({neighbours, holder: copy.found, current: file}, file.held, context);
  file.print = emptyFingerprint;
  context.sink.note({files: [storeFile(file, true), ...others]});
};

/** Goes on in a file that was rewritten, and whose previous content is in no other file. */
const beginAnew = async (
  file: FollowedFile,
  {position, isWhole}: ResumePlace,
  neighbours: readonly Neighbour[],
  context: FollowContext,
): Promise<void> => {
  const {pod} = context;
  // Emit what had no newline yet as it is, unless it stands there: its rest, if it comes, is at the front of the file.
  if (isWhole) {
    file.partial = Buffer.alloc(0);
  } else {
    givePartial(file, context, {endsHere: true});
  }
  if (!pod.isLive(file.path)) {
    // A rotated file that another one was copied over: identify the copy by its content again.
    file.isProven = false;
  } else if (!isWhole) {
    noteLoss(context, file, 'was truncated or rewritten, and no copy of its old content was found');
    await readRotatedSince({neighbours, current: file}, file.stamps, context);
  }
  file.print = await takeFingerprint(file.handle, position);
  context.sink.note({files: [storeFile(file, true)]});
};

/** Handles a file that no longer begins with what was read. Returns whether there is more to read at once. */
const rewind = async (file: FollowedFile, context: FollowContext): Promise<boolean> => {
  const neighbours = await findNeighbours(file.path);
  const copy = await findRotated(file.print, neighbours, context, found => !isSameFile(found, file));
  const isRotated = neighbours.some(({found, rotated}) => rotated && copy && isSameFile(found, copy.found));
  const likeness = isRotated
    ? await compareContent(file.handle, file.print)
    : await compareSettled(file, file, context);
  if (likeness === 'same' || likeness === 'unsettled') {
    await copy?.handle.close();
    return likeness === 'same';
  }
  const place = isRotated ? undefined : await findResumePlace(file.handle, file, likeness);
  if (copy && !place?.isWhole) {
    await readFromCopy(file, copy, neighbours, context);
  } else if (place) {
    // An editor may have left the previous content under another name.
    await copy?.handle.close();
    await beginAnew(file, place, neighbours, context);
  }
  file.shrunk = undefined;
  file.seen = undefined;
  file.changedAtMs = context.monotonicMs();
  return true;
};

const holdsBack = (file: FollowedFile): boolean => file.partial.length > 0 || Object.keys(file.held).length > 0;

/** Emits what a rotated file still holds back, and closes it unless a name or another file still needs it. */
const finish = async (file: FollowedFile, context: FollowContext): Promise<void> => {
  const {pod, sink} = context;
  // The file that took its name needs to know where it ended, once it has lines.
  const isAwaited = [...pod.followed.values()].some(other => other.predecessorKey === file.key);
  if (holdsBack(file)) {
    givePartial(file, context, {endsHere: true});
  }
  if (file.isNamed || isAwaited) {
    return;
  }
  for (const other of pod.followed.values()) {
    // A copy of it continues at the position where it ended.
    if (!other.isProven && mayBeCopyOf(other, file) && (await isCopyOf(other, file))) {
      const {size} = await other.handle.stat();
      other.print = await takeFingerprint(other.handle, Math.min(file.print.position, size));
      other.isProven = true;
      sink.note({files: [storeFile(other, true)]});
    }
  }
  await pod.release(file, {hasEnded: true});
};

/** Checks that a file is not a copy of another file in the pod. Files are not read until this is known. */
const proveOwn = async (file: FollowedFile, {pod, sink}: FollowContext): Promise<boolean> => {
  for (const other of pod.followed.values()) {
    if (other.isProven && mayBeCopyOf(file, other) && (await isCopyOf(file, other))) {
      return false;
    }
  }
  file.isProven = true;
  sink.note({files: [storeFile(file, true)]});
  return true;
};

/** Checks that a file contains text; drops it if not. */
const proveText = async (file: FollowedFile, {pod}: FollowContext): Promise<boolean> => {
  const kind = await findFileKind(file.handle);
  if (kind === 'unknown') {
    return false;
  }
  file.isText = kind === 'text' || (kind === 'binary' && pod.isConfigured(file.path));
  if (!file.isText) {
    await pod.skip(file);
  }
  return file.isText;
};

/** Checks whether a file may be read now: it is text, everything before it has been read, and it is not a copy. */
const isReady = async (file: FollowedFile, context: FollowContext): Promise<boolean> =>
  (file.isText || (await proveText(file, context))) &&
  (file.predecessorKey === undefined || (await succeed(file, context))) &&
  (file.isProven || (await proveOwn(file, context)));

/**
 * Looks at one file: reads what was appended, starts over if it was truncated, releases it once it was moved away and
 * has been quiet for the grace time. Returns whether there is more to read at once.
 *
 * Lines appended after a copy-and-truncate rotation copies a file, and before it truncates the file, are lost without a
 * trace. Nothing can detect this: to keep such lines, rotate by renaming.
 */
export const followFile = async (file: FollowedFile, context: FollowContext): Promise<boolean> => {
  const {pod, monotonicMs, rotationGraceMs} = context;
  const isOver = (): boolean => monotonicMs() - file.changedAtMs >= rotationGraceMs;
  if (!(await isReady(file, context))) {
    const isIdle = file.isNamed ? file.isCrowdedOut && file.predecessorKey === undefined && !file.isText : isOver();
    if (isIdle && pod.followed.has(file.key)) {
      // It is empty and others need its place, it was rotated while empty, or a copy was made and removed.
      await pod.release(file);
    }
    return false;
  }
  const bytesBefore = file.partial.length;
  const outcome = await readAhead(file, file.handle, createTake(context), turnBytesMax);
  file.changedAtMs = file.partial.length === bytesBefore ? file.changedAtMs : monotonicMs();
  if (outcome === 'truncated') {
    return rewind(file, context);
  }
  if (file.shrunk) {
    file.shrunk = undefined;
    if (!isTelling(file.print)) {
      noteLoss(context, file, 'was shorter for a while, and its lines do not show whether they are new');
    }
  }
  if (outcome === 'more') {
    return true;
  }
  if (file.stamps.isBacklog) {
    file.stamps = {...file.stamps, isBacklog: false};
    context.sink.note({files: [storeFile(file, true)]});
  }
  if (file.partial.length > 0 && monotonicMs() - file.changedAtMs >= unfinishedMsMax) {
    giveUnfinished(file, context);
  }
  // Writers keep a renamed file open for a while (nginx until its workers have reopened): keep reading it.
  const isLeft = !file.isNamed || (file.isRenamed && holdsBack(file));
  if (isLeft && isOver()) {
    await finish(file, context);
  } else if (file.isCrowdedOut) {
    await pod.release(file);
  }
  return false;
};
