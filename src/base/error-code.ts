/** Returns `ENOENT` or another error code, for messages; never any of a file's content. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
