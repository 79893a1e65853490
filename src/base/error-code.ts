/** Returns `ENOENT` or another error code; undefined if there is none. */
export const findErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Returns an error code for messages; never any of a file's content. */
export const errorCodeOf = (error: unknown): string => findErrorCode(error) ?? 'unknown error';
