import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import type {HeldPieces} from '../../lines/container-line.ts';
import {emptyFingerprint, type Fingerprint} from '../../lines/fingerprint.ts';
import {emptyStreamStamps, type StreamStamps} from '../../lines/stream-stamps.ts';
import type {StoredFile} from '../../state/stored-state.ts';
import type {FoundFile} from '../disk/find-files.ts';

/**
 * A log file that is read as it grows. The open handle keeps its inode from being used again and its rest readable,
 * whatever happens to its name.
 */
export type FollowedFile = {
  readonly key: number;
  readonly podKey: number;
  /** The configured name under which it was met first: it stays that of its log when the file is renamed. */
  readonly path: string;
  device: bigint;
  readonly inode: bigint;
  print: Fingerprint;
  held: HeldPieces;
  stamps: StreamStamps;
  readonly handle: FileHandle;
  /** Bytes past the position that are no whole line yet, as last seen: all that is left of them after a truncation. */
  partial: Buffer;
  /** Whether a configured path finds it now. */
  isNamed: boolean;
  /** It was found under another name than before: its writer is about to leave it. */
  isRenamed: boolean;
  /** False until its first bytes have shown that it is no binary file. */
  isText: boolean;
  /** False while it may still prove to be the copy that a copy-and-truncate rotation makes. */
  isProven: boolean;
  /**
   * The file that had the name before, by its key, until it has been read to its end and what rotation put between them
   * too. Until then this one is not read.
   */
  predecessorKey: number | undefined;
  /** Its size when it was seen to hold less than was read of it, and since when, on the monotonic clock. */
  shrunk: {readonly sizeBytes: number; readonly atMs: number} | undefined;
  /** More recently written files want its place: it is let go at its end. */
  isCrowdedOut: boolean;
  /** When it last grew, was truncated, or lost its name, on the monotonic clock. */
  changedAtMs: number;
  /** Size and modification time at the last look that read to the end. */
  seen: {readonly sizeBytes: number; readonly modifiedNs: bigint} | undefined;
};

/** The key of no file: what was read before a file of which nothing was read yet is to be found out. */
export const unknownPredecessor = 0;

/** Opens a file for reading. A pipe put where the file was must not block the opening. */
export const openForReading = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NONBLOCK);

export const createFollowedFile = (
  {key, podKey}: {readonly key: number; readonly podKey: number},
  found: Pick<FoundFile, 'path' | 'device' | 'inode'>,
  handle: FileHandle,
  known?: StoredFile,
): FollowedFile => ({
  key,
  podKey,
  path: known?.path ?? found.path,
  device: found.device,
  inode: found.inode,
  print: known?.print ?? emptyFingerprint,
  held: known?.held ?? {},
  stamps: known?.stamps ?? emptyStreamStamps,
  handle,
  partial: Buffer.alloc(0),
  isNamed: true,
  isRenamed: known !== undefined && known.path !== found.path,
  isText: known !== undefined && known.print.position > 0,
  isProven: known !== undefined,
  predecessorKey: undefined,
  shrunk: undefined,
  isCrowdedOut: false,
  changedAtMs: 0,
  seen: undefined,
});

export const storeFile = (file: FollowedFile, isFollowed: boolean): StoredFile => {
  const {key, podKey, path, device, inode, print, held, stamps} = file;
  return {key, podKey, path, device, inode, print, held, stamps, isFollowed};
};
