import {findCopy, isCopyOf} from './find-copy.ts';
import {identifyFile} from './find-files.ts';
import {advanceFingerprint, emptyFingerprint, takeFingerprint} from './fingerprint.ts';
import {type FollowedFile, storeFile} from './followed-file.ts';
import type {LineSink} from './line-sink.ts';
import type {PodFiles} from './pod-files.ts';
import {readAhead} from './read-ahead.ts';
import {splitLines} from './split-lines.ts';
import type {StoredFile} from './stored-state.ts';

/** Read of one file in one turn; the others, and the answers that wait, come next. */
export const turnBytesMax = 8 * 1024 * 1024;

export type FollowContext = {
  readonly pod: PodFiles;
  readonly sink: LineSink;
  readonly monotonicMs: () => number;
  /** How long a file that lost its name must be quiet before it is let go, in milliseconds. */
  readonly rotationGraceMs: number;
};

const createTake =
  ({sink, monotonicMs}: FollowContext) =>
  (file: FollowedFile, lines: readonly string[]): void => {
    file.changedAtMs = monotonicMs();
    sink.take(file, lines);
  };

/** Reads the rest of a truncated file from the copy that was made of it before. Answers what is to be stored about the copy. */
const readRestFromCopy = async (file: FollowedFile, context: FollowContext): Promise<readonly StoredFile[]> => {
  const {pod} = context;
  const findFollowed = (identity: string): FollowedFile | undefined =>
    [...pod.followed.values()].find(other => identifyFile(other) === identity);
  const copy = await findCopy(file, found => {
    const other = findFollowed(identifyFile(found));
    return other ? other.isProven : pod.isKnown(found);
  });
  if (!copy) {
    return [];
  }
  try {
    file.seen = undefined;
    while ((await readAhead(file, copy.handle, createTake(context), turnBytesMax)) === 'more') {
      // The copy is read to its end before its original goes on: their lines must not mix.
    }
    // A copy that is shorter than what was read holds nothing new; all of it is known.
    const print = await takeFingerprint(copy.handle, (await copy.handle.stat()).size);
    const follower = findFollowed(identifyFile(copy.found));
    if (!follower) {
      return [pod.remember(copy.found, print)];
    }
    follower.print = print;
    follower.isProven = true;
    return [storeFile(follower, true)];
  } finally {
    await copy.handle.close();
  }
};

const rewind = async (file: FollowedFile, context: FollowContext): Promise<void> => {
  const others = await readRestFromCopy(file, context);
  // What had no newline yet goes out as it is: its rest, if it comes, stands at the front of the truncated file.
  const {lines} = splitLines(file.partial, {atEnd: true});
  file.partial = Buffer.alloc(0);
  file.print = emptyFingerprint;
  file.seen = undefined;
  file.changedAtMs = context.monotonicMs();
  context.sink.take(file, lines, {endsHere: true, others});
};

/** Gives out what a rotated file still holds back, and closes it unless a configured path still finds it. */
const finish = async (file: FollowedFile, {pod, sink}: FollowContext): Promise<void> => {
  const {lines} = splitLines(file.partial, {atEnd: true});
  file.print = advanceFingerprint(file.print, file.partial, file.partial.length);
  file.partial = Buffer.alloc(0);
  file.isRenamed = false;
  sink.take(file, lines, {endsHere: true, isFollowed: file.isNamed});
  if (file.isNamed) {
    return;
  }
  for (const other of pod.followed.values()) {
    // A copy of it takes its place where it ended.
    if (!other.isProven && (await isCopyOf(other, file))) {
      const {size} = await other.handle.stat();
      other.print = await takeFingerprint(other.handle, Math.min(file.print.position, size));
      other.isProven = true;
      sink.store({files: [storeFile(other, true)]});
    }
  }
  await pod.release(file);
};

/** Whether a file is no copy of another one of its pod; until that is known it is not read. */
const proveOwn = async (file: FollowedFile, {pod, sink}: FollowContext): Promise<boolean> => {
  for (const other of pod.followed.values()) {
    if (other !== file && other.isProven && (await isCopyOf(file, other))) {
      return false;
    }
  }
  file.isProven = true;
  sink.store({files: [storeFile(file, true)]});
  return true;
};

/**
 * Looks at one file: reads what it has gained, begins anew where it was truncated, lets it go where it was moved away
 * and has been quiet for the grace time. Answers whether there is more to read at once.
 */
export const followFile = async (file: FollowedFile, context: FollowContext): Promise<boolean> => {
  if (!file.isProven && !(await proveOwn(file, context))) {
    return false;
  }
  const outcome = await readAhead(file, file.handle, createTake(context), turnBytesMax);
  if (outcome === 'truncated') {
    await rewind(file, context);
    return true;
  }
  if (outcome !== 'more' && file.stamps.isBacklog) {
    file.stamps = {...file.stamps, isBacklog: false};
    context.sink.store({files: [storeFile(file, true)]});
  }
  // Writers keep a renamed file open for a while (nginx until its workers have reopened), so it is read on in the meantime.
  const isLeft = !file.isNamed || (file.isRenamed && (file.partial.length > 0 || Object.keys(file.held).length > 0));
  if (isLeft && outcome !== 'more' && context.monotonicMs() - file.changedAtMs >= context.rotationGraceMs) {
    await finish(file, context);
  }
  return outcome === 'more';
};
