import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {errorCodeOf} from '../../config/memory/state-file.ts';
import {ApiError} from '../api-error.ts';
import type {Secret} from '../secret.ts';
import {parseTokenText, tokenBytesMax} from './token-text.ts';

/** The result of checking the token file. `unchanged` saves rereading it before every request. */
export type TokenFileLook =
  | {readonly kind: 'missing'; readonly reason: string}
  | {readonly kind: 'unchanged'; readonly warning: string | undefined}
  | {
      readonly kind: 'read';
      readonly secret: Secret;
      /** Identifies this content: device, inode, size and change time. */
      readonly stamp: string;
      readonly warning: string | undefined;
    };

/**
 * Opens the token file, checks the opened file (not the path, which may point to another file by then), and reads it
 * unless its stamp is still `knownStamp`. A missing or empty file is not an error here, because the caller may have a
 * last good token.
 * Throws an `ApiError` of kind `token` if the file must not be trusted or holds no valid token.
 */
export const lookAtTokenFile = async (
  path: string,
  knownStamp: string | undefined,
  userId: number | undefined,
): Promise<TokenFileLook> => {
  let file: FileHandle;
  try {
    // Without O_NONBLOCK, opening a FIFO waits forever for a writer.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return {kind: 'missing', reason: `the token file ${path} is missing`};
    }
    throw new ApiError('token', `cannot open the token file ${path} (${code})`);
  }
  try {
    return await readOpened(file, path, knownStamp, userId);
  } catch (error) {
    throw error instanceof ApiError
      ? error
      : new ApiError('token', `cannot read the token file ${path} (${errorCodeOf(error)})`);
  } finally {
    await file.close();
  }
};

const readOpened = async (
  file: FileHandle,
  path: string,
  knownStamp: string | undefined,
  userId: number | undefined,
): Promise<TokenFileLook> => {
  const stat = await file.stat({bigint: true});
  if (!stat.isFile()) {
    throw new ApiError('token', `the token file ${path} is not a regular file`);
  }
  const warning = checkTrust(path, Number(stat.mode), Number(stat.uid), userId);
  const stamp = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  if (stamp === knownStamp) {
    return {kind: 'unchanged', warning};
  }
  const bytes = await readBounded(file);
  const secret = parseTokenText(bytes, `the token file ${path}`);
  return secret ? {kind: 'read', secret, stamp, warning} : {kind: 'missing', reason: `the token file ${path} is empty`};
};

/** White space around a token is allowed, but not more than this. */
const fileBytesMax = tokenBytesMax + 1024;

const readBounded = async (file: FileHandle): Promise<Uint8Array> => {
  const buffer = Buffer.alloc(fileBytesMax);
  let length = 0;
  while (length < buffer.length) {
    const {bytesRead} = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) {
      break;
    }
    length += bytesRead;
  }
  return buffer.subarray(0, length);
};

/** Returns a warning if the group may read the file; throws if anybody may, or if it belongs to somebody else. */
const checkTrust = (path: string, mode: number, ownerId: number, userId: number | undefined): string | undefined => {
  // On a system without user ids (Windows) the file's mode means nothing either.
  if (userId === undefined) {
    return undefined;
  }
  if (ownerId !== userId && ownerId !== 0) {
    throw new ApiError('token', `the token file ${path} belongs to another user (${ownerId}): use one that is yours`);
  }
  // A file that others can write is refused like one they can read: the token that is sent must be the user's own.
  if ((mode & 0o006) !== 0) {
    throw new ApiError('token', `the token file ${path} is open to every user: run chmod 600 '${path}'`);
  }
  if ((mode & 0o060) !== 0) {
    return `the token file ${path} is open to its group: run chmod 600 '${path}'`;
  }
  return undefined;
};
