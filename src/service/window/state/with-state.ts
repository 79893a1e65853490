import {errorCodeOf} from '#base/error-code.ts';
import {describeError, hasErrorCode, StateError} from '#service/backend/errors.ts';

/** SQLite's codes for a disk that is full, and for one that does not take a write. */
const diskFullCodes: readonly unknown[] = [10, 13];

/** Checks whether something failed because a disk is full, or a quota or limit of bytes is reached. */
const isDiskFull = (error: unknown): boolean =>
  hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG') ||
  (error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    diskFullCodes.includes(error.errcode % 256));

const sqliteBusy = 5;

/** SQLite's codes for no permission, no memory, a disk that is read-only, fails or is full, and no way to open. */
const unwritableCodes: readonly unknown[] = [3, 7, 8, 10, 13, 14];

const faultOf = (error: unknown): StateError['fault'] => {
  if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
    const code = error.errcode % 256;
    return code === sqliteBusy ? 'busy' : unwritableCodes.includes(code) ? 'unwritable' : 'damaged';
  }
  return errorCodeOf(error).startsWith('E') && error instanceof Error && 'syscall' in error ? 'unwritable' : 'damaged';
};

/** Does something with the state in a folder. Throws a `StateError` for whatever it throws. */
export const withState = <Result>(stateFolder: string, act: () => Result): Result => {
  try {
    return act();
  } catch (error) {
    if (error instanceof StateError) {
      throw error;
    }
    const fault = faultOf(error);
    const words =
      fault === 'busy'
        ? `The state folder ${stateFolder} is in use by another process: stop that process, or choose another state folder.`
        : isDiskFull(error)
          ? 'the disk is full'
          : describeError(error);
    throw new StateError(fault, words, {cause: error});
  }
};
