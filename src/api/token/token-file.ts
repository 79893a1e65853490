import {errorCodeOf} from '../../base/error-code.ts';
import type {RegularFile} from '../../base/paths/open-regular.ts';
import {openTrusted} from '../../base/paths/open-trusted.ts';
import {PathError} from '../../base/paths/path-error.ts';
import {readBounded} from '../../base/paths/read-bounded.ts';
import {quoteForShell} from '../../base/quote-for-shell.ts';
import {ApiError} from '../api-error.ts';
import type {Secret} from '../secret.ts';
import {parseTokenText, tokenBytesMax} from './token-text.ts';

/** White space around a token is allowed, but not more than this. */
const fileBytesMax = tokenBytesMax + 4 * 1024;

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
  try {
    const opened = await openTrusted(path, {userId, isSecret: true});
    try {
      return await readOpened(opened, path, knownStamp, userId);
    } finally {
      await opened.file.close();
    }
  } catch (error) {
    if (error instanceof ApiError) {
      throw error;
    }
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return {kind: 'missing', reason: `the token file ${path} is missing`};
    }
    throw new ApiError(
      'token',
      error instanceof PathError
        ? `the token file ${path} ${error.message}`
        : `cannot read the token file ${path} (${code})`,
    );
  }
};

const readOpened = async (
  {file, stat}: RegularFile,
  path: string,
  knownStamp: string | undefined,
  userId: number | undefined,
): Promise<TokenFileLook> => {
  // On a system without user ids (Windows) the file's mode means nothing either.
  const isOpenToGroup = userId !== undefined && (stat.mode & 0o040n) !== 0n;
  const warning = isOpenToGroup
    ? `the token file ${path} is open to its group: run chmod 600 ${quoteForShell(path)}`
    : undefined;
  const stamp = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  if (stamp === knownStamp) {
    return {kind: 'unchanged', warning};
  }
  const secret = parseTokenText(await readBounded(file, fileBytesMax), `the token file ${path}`);
  return secret ? {kind: 'read', secret, stamp, warning} : {kind: 'missing', reason: `the token file ${path} is empty`};
};
