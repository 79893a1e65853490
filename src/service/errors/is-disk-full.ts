import {hasErrorCode} from './describe-fault.ts';

/** SQLite's codes for a disk that is full, and for one that does not take a write. */
const sqliteCodes: readonly unknown[] = [10, 13];

/** Checks whether something failed because a disk is full, or a quota or limit of bytes is reached. */
export const isDiskFull = (error: unknown): boolean =>
  hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG') ||
  (error instanceof Error &&
    (('errcode' in error && typeof error.errcode === 'number' && sqliteCodes.includes(error.errcode % 256)) ||
      isDiskFull(error.cause)));
