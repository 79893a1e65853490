import {errorCodeOf} from '#base/error-code.ts';
import {PathError} from '#base/system/resolve-path.ts';

/** Checks whether a file system error has one of these codes, such as `ENOENT`. */
export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(errorCodeOf(error));

/** SQLite's codes for a disk that is full, and for one that does not take a write. */
const sqliteCodes: readonly unknown[] = [10, 13];

/** Checks whether something failed because a disk is full, or a quota or limit of bytes is reached. */
export const isDiskFull = (error: unknown): boolean =>
  hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG') ||
  (error instanceof Error &&
    (('errcode' in error && typeof error.errcode === 'number' && sqliteCodes.includes(error.errcode % 256)) ||
      isDiskFull(error.cause)));

/** Returns the error's words without Node's prefix of code and suffix of call: `permission denied`. */
export const describeError = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? message;
};

/** Continues a sentence that ends with the path of a file that could not be read. */
export const describeUnread = (path: string, error: unknown): string =>
  error instanceof PathError ? `${path} ${error.message}` : `${path} cannot be read: ${describeError(error)}.`;
