import type {FileHandle} from 'node:fs/promises';
import {basename} from 'node:path';
import {
  advanceFingerprint,
  emptyFingerprint,
  type Fingerprint,
  fingerprintBytesMax,
  matchesFingerprint,
  readRange,
} from '#service/window/fingerprint.ts';
import {leaveOutEnd, splitLines} from '#service/window/split-lines.ts';
import {findFileKind} from '../disk/file-kind.ts';
import type {FoundFile} from '../disk/find-files.ts';
import type {OpenFile} from '../disk/open-file.ts';
import type {FollowedFile} from '../pod/followed-file.ts';
import {isCopyName} from '../rotated-files.ts';
import {type CompressedKind, decompressFile} from './decompress-file.ts';
import type {TakeLines} from './read-ahead.ts';

/**
 * Decompressed bytes read of one file: half a minute, in which nothing else of its branch is read. A few megabytes of
 * gzip can hold a terabyte of zeros.
 */
const unreadBytesMax = 4 * 1024 ** 3;

/** Returns the first decompressed bytes, fewer if there are no more. */
const readFront = async (handle: FileHandle, kind: CompressedKind, bytesMax: number): Promise<Buffer> => {
  let front = Buffer.alloc(0);
  for await (const block of decompressFile(handle, kind)) {
    front = Buffer.concat([front, block.subarray(0, bytesMax - front.length)]);
    if (front.length >= bytesMax) {
      break;
    }
  }
  return front;
};

/**
 * Checks whether the decompressed bytes contain everything the fingerprint covers, or end before its position: the file
 * is then an earlier state of the same log. The caller has already compared the front.
 */
const holdsAll = async (handle: FileHandle, kind: CompressedKind, print: Fingerprint): Promise<boolean> => {
  let passed = emptyFingerprint;
  for await (const block of decompressFile(handle, kind)) {
    passed = advanceFingerprint(passed, block, Math.min(block.length, print.position - passed.position));
    if (passed.position >= print.position) {
      break;
    }
  }
  return passed.position < print.position || passed.tail.equals(print.tail);
};

/**
 * Reads the decompressed bytes from the file's position to the end. An unterminated last line stays in `partial`.
 * Memory is bounded whatever the compression ratio. Throws after `bytesMax`.
 */
export const readCompressed = async (
  file: FollowedFile,
  {handle, kind}: {readonly handle: FileHandle; readonly kind: CompressedKind},
  take: TakeLines,
  bytesMax = unreadBytesMax,
): Promise<void> => {
  let toPass = file.print.position;
  let bytesLeft = bytesMax;
  file.partial = Buffer.alloc(0);
  for await (const block of decompressFile(handle, kind)) {
    const passed = Math.min(toPass, block.length);
    toPass -= passed;
    bytesLeft -= block.length - passed;
    if (bytesLeft < 0) {
      throw new Error(`more than ${bytesMax} bytes of it are unread`);
    }
    const bytes = Buffer.concat([file.partial, block.subarray(passed)]);
    const {lines, bytesUsed} = splitLines(bytes, {atEnd: false});
    file.partial = Buffer.from(bytes.subarray(bytesUsed));
    if (bytesUsed > 0) {
      const {tail} = file.print;
      file.print = advanceFingerprint(file.print, bytes, bytesUsed);
      take(file, leaveOutEnd(lines, tail));
    }
  }
};

/** An open readable file, plain or compressed. The caller closes the handle. */
export type OpenedFile = {
  readonly found: FoundFile;
  readonly handle: FileHandle;
  readonly kind: 'text' | CompressedKind;
};

/** Returns the first bytes of an opened file, unpacked; none if they cannot be read. */
export const readFirst = ({handle, kind}: OpenedFile): Promise<Buffer> =>
  (kind === 'text' ? readRange(handle, 0, fingerprintBytesMax) : readFront(handle, kind, fingerprintBytesMax)).catch(
    () => Buffer.alloc(0),
  );

/** Opens a file. Returns undefined if it cannot be opened, or is neither text nor compressed in a supported format. */
export const openAny = async (found: FoundFile, openFile: OpenFile): Promise<OpenedFile | undefined> => {
  const handle = await openFile(found.path).catch(() => undefined);
  const kind = handle && (await findFileKind(handle).catch(() => undefined));
  if (handle && (kind === 'text' || kind === 'gzip' || kind === 'zstd')) {
    return {found, handle, kind};
  }
  await handle?.close();
  return undefined;
};

/**
 * Checks whether a file contains everything read from another one. A copy made before the last bytes were written only
 * has the same front; that counts only if the front is a whole fingerprint.
 */
const isPlainCopy = async (handle: FileHandle, print: Fingerprint): Promise<boolean> => {
  const {size} = await handle.stat();
  return size >= print.position
    ? matchesFingerprint(handle, print)
    : size >= fingerprintBytesMax && (await readRange(handle, 0, print.head.length)).equals(print.head);
};

/** Does the same check for an opened file, on its decompressed bytes. A damaged or unfinished file never matches. */
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

/**
 * Returns which of these files' fingerprints was taken of the content of an opened file; of several, that of which most
 * was read: the others are earlier states of it. Fingerprints of too little content are ignored.
 */
export const findPrintOf = async <Known extends {readonly print: Fingerprint}>(
  opened: OpenedFile,
  all: readonly Known[],
  isTold = ({print}: Known, front: Buffer): boolean =>
    print.position >= fingerprintBytesMax && print.head.equals(front),
): Promise<Known | undefined> => {
  const front = await readFirst(opened);
  const told = all.filter(known => isTold(known, front));
  for (const known of told.toSorted((left, right) => right.print.position - left.print.position)) {
    if (await isCopyOfRead(opened, known.print)) {
      return known;
    }
  }
  return undefined;
};

/**
 * Checks whether a file under the inode of a stored one is that file, by content. An inode of which nothing was read
 * proves nothing: it is another file's if what stands there was read of one of `all`.
 */
export const isSameLog = async (
  opened: OpenedFile,
  {key, print}: Pick<FollowedFile, 'key' | 'print'>,
  all: readonly Pick<FollowedFile, 'key' | 'print'>[],
): Promise<boolean> => {
  const isFront = (other: (typeof all)[number], front: Buffer): boolean =>
    other.key !== key &&
    other.print.head.length > 0 &&
    other.print.head.equals(front.subarray(0, other.print.head.length));
  return print.position === 0
    ? (await findPrintOf(opened, all, isFront)) === undefined
    : matchesFingerprint(opened.handle, print);
};

/**
 * Finds the file that contains what was read of a log, by content: a plain or compressed copy, which also has what was
 * not read in time. Tries the newest first, and a plain file before its compressed form, which may still be incomplete.
 */
export const findCopy = async (
  print: Fingerprint,
  candidates: readonly FoundFile[],
  openFile: OpenFile,
  isTaken: (opened: OpenedFile) => Promise<boolean>,
): Promise<OpenedFile | undefined> => {
  if (print.head.length === 0) {
    return undefined;
  }
  const newestFirst = candidates.toSorted(
    (left, right) => right.modifiedMs - left.modifiedMs || left.path.length - right.path.length,
  );
  for (const found of newestFirst) {
    const opened = await openAny(found, openFile);
    if (opened && (await isCopyOfRead(opened, print)) && !(await isTaken(opened))) {
      return opened;
    }
    await opened?.handle.close();
  }
  return undefined;
};

/** Checks whether a file could be a copy of another one by its name. Most cannot. */
export const mayBeCopyOf = (file: FollowedFile, original: FollowedFile): boolean =>
  file !== original && original.print.position > 0 && isCopyName(basename(file.path), basename(original.path));

/**
 * Checks whether a new file is, so far, a copy of a followed one: the same bytes from the front to the end of the
 * shorter one. Such a file is not read until it has more than a copy could, or its lines would appear twice.
 */
export const isCopyOf = async (file: FollowedFile, original: FollowedFile): Promise<boolean> => {
  const {position, head, tail} = original.print;
  const sizeBytes = (await file.handle.stat()).size;
  const headBytes = Math.min(sizeBytes, head.length);
  if (!(await readRange(file.handle, 0, headBytes)).equals(head.subarray(0, headBytes))) {
    return false;
  }
  // Take the size first: a truncation right after it then makes the file fail the check for being intact.
  const originalBytes = (await original.handle.stat()).size;
  const isIntact = await matchesFingerprint(original.handle, original.print);
  if (sizeBytes >= position) {
    const isSameTail = (await readRange(file.handle, position - tail.length, position)).equals(tail);
    return isSameTail && !(isIntact && sizeBytes > originalBytes);
  }
  const from = Math.max(0, sizeBytes - tail.length);
  const expected = await readRange(original.handle, from, sizeBytes);
  // If the original is truncated by now, its front is gone and the copy is still sought: the next look decides.
  return !isIntact || (await readRange(file.handle, from, sizeBytes)).equals(expected);
};
