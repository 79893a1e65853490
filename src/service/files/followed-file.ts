import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {basename, dirname, extname} from 'node:path';
import type {HeldPieces} from './container-line.ts';
import {emptyFileStamps, type FileStamps} from './file-stamps.ts';
import type {FoundFile} from './find-files.ts';
import {emptyFingerprint, type Fingerprint} from './fingerprint.ts';
import type {StoredFile} from './stored-state.ts';

/**
 * A log file that is read as it grows. The open handle keeps its inode from being used again and its rest readable,
 * whatever happens to its name.
 */
export type FollowedFile = {
  readonly key: number;
  readonly podKey: number;
  /** The name under which it was seen last. */
  path: string;
  device: bigint;
  readonly inode: bigint;
  print: Fingerprint;
  held: HeldPieces;
  stamps: FileStamps;
  readonly handle: FileHandle;
  /** Bytes past the position that are no whole line yet, as last seen: all that is left of them after a truncation. */
  partial: Buffer;
  /** Whether a configured path finds it now. */
  isNamed: boolean;
  /** It was found under another name than before: its writer is about to leave it. */
  isRenamed: boolean;
  /** False while it may still prove to be the copy that a copy-and-truncate rotation makes. */
  isProven: boolean;
  /** When it last grew, was truncated, or lost its name, on the monotonic clock. */
  changedAtMs: number;
  /** Size and modification time at the last look that read to the end. */
  seen: {readonly sizeBytes: number; readonly modifiedNs: bigint} | undefined;
};

/** Opens a file for reading. A pipe put where the file was must not block the opening. */
export const openForReading = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NONBLOCK);

export const createFollowedFile = (
  identity: {readonly key: number; readonly podKey: number},
  found: Pick<FoundFile, 'path' | 'device' | 'inode'>,
  handle: FileHandle,
  known?: StoredFile,
): FollowedFile => ({
  ...identity,
  path: found.path,
  device: found.device,
  inode: found.inode,
  print: known?.print ?? emptyFingerprint,
  held: known?.held ?? {},
  stamps: known?.stamps ?? emptyFileStamps,
  handle,
  partial: Buffer.alloc(0),
  isNamed: true,
  isRenamed: known !== undefined && known.path !== found.path,
  isProven: known !== undefined,
  changedAtMs: 0,
  seen: undefined,
});

export const storeFile = (file: FollowedFile, isFollowed: boolean): StoredFile => {
  const {key, podKey, path, device, inode, print, held, stamps} = file;
  return {key, podKey, path, device, inode, print, held, stamps, isFollowed};
};

/**
 * Whether one path can be that of a rotated copy of another: in the same folder, the other's name with something
 * put behind it or before its extension (`access.log.1`, `access.log-20250102`, `access-20250102.log`).
 */
export const isCopyName = (copyPath: string, path: string): boolean => {
  const stem = basename(path, extname(path));
  return (
    dirname(copyPath) === dirname(path) &&
    basename(copyPath).length > basename(path).length &&
    basename(copyPath).startsWith(stem)
  );
};
