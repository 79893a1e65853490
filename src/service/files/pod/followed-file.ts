import type {FileHandle} from 'node:fs/promises';
import type {RenamesSince} from '#service/served/line-source.ts';
import {emptyFingerprint, type Fingerprint} from '#service/window/fingerprint.ts';
import type {StampedStream, StreamNames} from '#service/window/line-stamper.ts';
import {emptyStreamStamps, type StoredFile} from '#service/window/stored-state.ts';
import {type FoundFile, namesOfPath} from '../disk/find-files.ts';
import {createReadMarks, type ReadMarks} from '../read-marks.ts';

/**
 * A log file that is read as it grows. The open handle prevents reuse of its inode and keeps its rest readable,
 * whatever happens to its name.
 */
export type FollowedFile = Pick<StoredFile, 'key' | 'podKey' | 'path' | 'inode'> & {
  device: bigint;
  /** When it was made; undefined if that is not known. */
  readonly bornNs: bigint | undefined;
  print: Fingerprint;
  readonly marks: ReadMarks;
  held: StampedStream['held'];
  stamps: StampedStream['stamps'];
  readonly names: StreamNames;
  /** When it was last written to, as of the last scan. */
  writtenAt: bigint | undefined;
  readonly handle: FileHandle;
  /**
   * Bytes past the position that are not a whole line yet, as last seen: after a truncation nothing else is left of
   * them.
   */
  partial: Buffer;
  /** Whether a configured path matches it now. */
  isNamed: boolean;
  /** It was found under another name than before: its writer is about to switch to a new file. */
  isRenamed: boolean;
  /** False until its first bytes have shown that it is not a binary file. */
  isText: boolean;
  /** False while it may turn out to be the copy made by a copy-and-truncate rotation. */
  isProven: boolean;
  /**
   * Key of the file that had the name before. This file is not read until that one, and everything rotated in between,
   * has been read to the end.
   */
  predecessorKey: number | undefined;
  /** Tells what was renamed since it was last found under its own name. */
  renamesSince: RenamesSince | undefined;
  /** Its last change when it was found to hold less than was read of it, and since when, on the monotonic clock. */
  shrunk: {readonly modifiedNs: bigint; readonly atMs: number} | undefined;
  /** More recently written files need its place: it is released once read to its end. */
  isCrowdedOut: boolean;
  /** Time of its last growth, truncation or loss of its name, on the monotonic clock. */
  changedAtMs: number;
  /** Size and modification time at the last look that read to the end. */
  seen: {readonly sizeBytes: number; readonly modifiedNs: bigint} | undefined;
};

/** The key of no file: nothing was read of this file yet, so what was read before it must be determined first. */
export const unknownPredecessor = 0;

export const createFollowedFile = (
  {key, podKey}: {readonly key: number; readonly podKey: number},
  found: Pick<FoundFile, 'path' | 'device' | 'inode'> & Partial<Pick<FoundFile, 'bornNs'>>,
  handle: FileHandle,
  known?: StoredFile,
): FollowedFile => ({
  key,
  podKey,
  path: known?.path ?? found.path,
  device: found.device,
  inode: found.inode,
  bornNs: found.bornNs,
  print: known?.print ?? emptyFingerprint,
  marks: createReadMarks(),
  held: known?.held ?? {},
  stamps: known?.stamps ?? emptyStreamStamps,
  names: namesOfPath(known?.path ?? found.path),
  writtenAt: undefined,
  handle,
  partial: Buffer.alloc(0),
  isNamed: true,
  isRenamed: known !== undefined && known.path !== found.path,
  isText: known !== undefined && known.print.position > 0,
  isProven: known !== undefined,
  predecessorKey: undefined,
  renamesSince: undefined,
  shrunk: undefined,
  isCrowdedOut: false,
  changedAtMs: 0,
  seen: undefined,
});

export const storeFile = (file: FollowedFile, isFollowed: boolean): StoredFile => {
  const {key, podKey, path, device, inode, print, held, stamps} = file;
  return {key, podKey, path, device, inode, print, held, stamps, isFollowed};
};
