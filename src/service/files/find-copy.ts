import type {FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {type FoundFile, findFilesIn, identifyFile} from './find-files.ts';
import {type Fingerprint, fingerprintBytesMax, matchesFingerprint} from './fingerprint.ts';
import {type FollowedFile, isCopyName, openForReading} from './followed-file.ts';
import {readRange} from './last-lines.ts';
import type {StoredFile} from './stored-state.ts';

export type FoundCopy = {readonly found: FoundFile; readonly handle: FileHandle};

/**
 * Whether an open file holds what was read of another: all of it, or, where the copy was made before the last of it
 * was written, the same front. The front alone must be a whole fingerprint then.
 */
const isCopyOfRead = async (handle: FileHandle, print: Fingerprint, sizeBytes: number): Promise<boolean> =>
  sizeBytes >= print.position
    ? matchesFingerprint(handle, print)
    : sizeBytes >= fingerprintBytesMax && (await readRange(handle, 0, print.head.length)).equals(print.head);

/**
 * Finds the copy that a copy-and-truncate rotation made of a file, by its content: it holds what was read, and behind
 * it what was not read in time. `isTaken` tells files that are known to be something else. The handle is the caller's to close.
 */
export const findCopy = async (
  file: Pick<StoredFile, 'path' | 'device' | 'inode' | 'print'>,
  isTaken: (found: FoundFile) => boolean,
): Promise<FoundCopy | undefined> => {
  if (file.print.position === 0) {
    return undefined;
  }
  const candidates = (await findFilesIn(dirname(file.path))).filter(
    found => isCopyName(found.path, file.path) && identifyFile(found) !== identifyFile(file) && !isTaken(found),
  );
  for (const found of candidates.toSorted((left, right) => right.modifiedMs - left.modifiedMs)) {
    const handle = await openForReading(found.path).catch(() => undefined);
    if (handle && (await isCopyOfRead(handle, file.print, found.sizeBytes).catch(() => false))) {
      return {found, handle};
    }
    await handle?.close();
  }
  return undefined;
};

/**
 * Whether a file that has just appeared is, so far, a copy of one that is followed: the same bytes from the front to
 * where the shorter ends. Such a file is not read, or its lines would be doubled, until it holds more than a copy can.
 */
export const isCopyOf = async (file: FollowedFile, original: FollowedFile): Promise<boolean> => {
  const {position, head, tail} = original.print;
  if (position === 0 || !isCopyName(file.path, original.path)) {
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
