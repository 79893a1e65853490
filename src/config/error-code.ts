/** `ENOENT` and the like, for sentences; `fallback` if the error has no code. */
export const errorCodeOf = (error: unknown, fallback = 'unknown error'): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : fallback;
