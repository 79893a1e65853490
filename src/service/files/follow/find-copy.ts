import type {FileHandle} from 'node:fs/promises';
import {basename} from 'node:path';
import {type Fingerprint, fingerprintBytesMax, matchesFingerprint} from '../../lines/fingerprint.ts';
import {readRange} from '../../lines/last-lines.ts';
import {findFileKind} from '../disk/file-kind.ts';
import type {FoundFile} from '../disk/find-files.ts';
import {isCopyName} from '../rotation/rotated-name.ts';
import {type FollowedFile, openForReading} from './followed-file.ts';
import {type CompressedKind, holdsAll, readFront} from './read-compressed.ts';

/** An open file that can be read, plain or compressed. The handle is the caller's to close. */
export type OpenedFile = {
  readonly found: FoundFile;
  readonly handle: FileHandle;
  readonly kind: 'text' | CompressedKind;
};

/** Opens a file; undefined where it cannot be opened or is neither text nor of a compression that can be undone here. */
export const openAny = async (found: FoundFile): Promise<OpenedFile | undefined> => {
  const handle = await openForReading(found.path).catch(() => undefined);
  const kind = handle && (await findFileKind(handle).catch(() => undefined));
  if (handle && (kind === 'text' || kind === 'gzip' || kind === 'zstd')) {
    return {found, handle, kind};
  }
  await handle?.close();
  return undefined;
};

/**
 * Whether a file holds what was read of another: all of it, or, where the copy was made before the last of it was
 * written, the same front. The front alone must be a whole fingerprint then.
 */
const isPlainCopy = async (handle: FileHandle, print: Fingerprint): Promise<boolean> => {
  const {size} = await handle.stat();
  return size >= print.position
    ? matchesFingerprint(handle, print)
    : size >= fingerprintBytesMax && (await readRange(handle, 0, print.head.length)).equals(print.head);
};

/** The same for an opened file, by its decompressed bytes. A damaged or unfinished one holds nothing. */
export const isCopyOfRead = async ({handle, kind}: OpenedFile, print: Fingerprint): Promise<boolean> => {
  if (kind === 'text') {
    return isPlainCopy(handle, print).catch(() => false);
  }
  try {
    const front = await readFront(handle, kind, print.head.length);
    return front.equals(print.head) && (await holdsAll(handle, kind, print));
  } catch {
    return false;
  }
};

/** Whether any of these was taken of what an opened file holds; which one. Little content says too little. */
export const findPrintOf = async <Known extends {readonly print: Fingerprint}>(
  opened: OpenedFile,
  all: readonly Known[],
): Promise<Known | undefined> => {
  const front = await (opened.kind === 'text'
    ? readRange(opened.handle, 0, fingerprintBytesMax)
    : readFront(opened.handle, opened.kind, fingerprintBytesMax)
  ).catch(() => Buffer.alloc(0));
  for (const known of all) {
    const isTold = known.print.position >= fingerprintBytesMax && known.print.head.equals(front);
    if (isTold && (await isCopyOfRead(opened, known.print))) {
      return known;
    }
  }
  return undefined;
};

/**
 * Finds among files the one that holds what was read of a log, by content: its copy or compressed copy, and behind what
 * was read what was not read in time. The newest is tried first, a plain one before its compressed form, which may be in the making.
 */
export const findCopy = async (
  print: Fingerprint,
  candidates: readonly FoundFile[],
  isTaken: (found: FoundFile) => Promise<boolean>,
): Promise<OpenedFile | undefined> => {
  if (print.position === 0) {
    return undefined;
  }
  const newestFirst = candidates.toSorted(
    (left, right) => right.modifiedMs - left.modifiedMs || left.path.length - right.path.length,
  );
  for (const found of newestFirst) {
    const opened = await openAny(found);
    if (opened && (await isCopyOfRead(opened, print)) && !(await isTaken(found))) {
      return opened;
    }
    await opened?.handle.close();
  }
  return undefined;
};

/**
 * Whether a file that has just appeared is, so far, a copy of one that is followed: the same bytes from the front to
 * where the shorter ends. Such a file is not read, or its lines would be doubled, until it holds more than a copy can.
 */
export const isCopyOf = async (file: FollowedFile, original: FollowedFile): Promise<boolean> => {
  const {position, head, tail} = original.print;
  if (position === 0 || !isCopyName(basename(file.path), basename(original.path))) {
    return false;
  }
  const sizeBytes = (await file.handle.stat()).size;
  const headBytes = Math.min(sizeBytes, head.length);
  if (!(await readRange(file.handle, 0, headBytes)).equals(head.subarray(0, headBytes))) {
    return false;
  }
  // Its size first: a truncation right after it then shows as a file that is not intact.
  const originalBytes = (await original.handle.stat()).size;
  const isIntact = await matchesFingerprint(original.handle, original.print);
  if (sizeBytes >= position) {
    const isSameTail = (await readRange(file.handle, position - tail.length, position)).equals(tail);
    return isSameTail && !(isIntact && sizeBytes > originalBytes);
  }
  const from = Math.max(0, sizeBytes - tail.length);
  const expected = await readRange(original.handle, from, sizeBytes);
  // Where the original was truncated by now, its front is gone and the copy is still being found: the next look tells.
  return !isIntact || (await readRange(file.handle, from, sizeBytes)).equals(expected);
};
