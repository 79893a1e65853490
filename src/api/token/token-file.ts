import {errorCodeOf} from '#base/error-code.ts';
import type {Secret} from '#base/secret.ts';
import {quoteForShell} from '#base/system/find-distrust.ts';
import {PathError} from '#base/system/resolve-path.ts';
import {readIfChanged} from '#base/system/trusted-files.ts';
import {ApiError} from '../client/api-error.ts';
import {parseTokenText, tokenBytesMax} from '../client/token-sources.ts';

/** White space around a token is allowed, but not more than this. */
const fileBytesMax = tokenBytesMax + 4 * 1024;

/** The result of checking the token file. `unchanged` saves rereading it before every request. */
export type TokenFileCheck =
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
export const checkTokenFile = async (
  path: string,
  knownStamp: string | undefined,
  userId: number | undefined,
): Promise<TokenFileCheck> => {
  try {
    const {stamp, stat, bytes} = await readIfChanged(path, knownStamp, fileBytesMax, {userId, isSecret: true});
    // On a system without user ids (Windows) the file's mode means nothing either.
    const isOpenToGroup = userId !== undefined && (stat.mode & 0o040n) !== 0n;
    const warning = isOpenToGroup
      ? `the token file ${path} is open to its group: run chmod 600 ${quoteForShell(path)}`
      : undefined;
    if (bytes === undefined) {
      return {kind: 'unchanged', warning};
    }
    const secret = parseTokenText(bytes, `the token file ${path}`);
    return secret
      ? {kind: 'read', secret, stamp, warning}
      : {kind: 'missing', reason: `the token file ${path} is empty`};
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
