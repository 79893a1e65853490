/** Checks whether a file system error has one of these codes, such as `ENOENT`. */
export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** Returns the error's words without Node's prefix of code and suffix of call: `permission denied`. */
export const describeError = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? message;
};
