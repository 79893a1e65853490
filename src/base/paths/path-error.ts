/**
 * A path that is not used for what it leads to. The message continues a sentence that names the path, and says what to
 * do: `is a FIFO, not a file`, `may be written by others: run chmod go-w /etc/app.toml`.
 */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/** Returns whether a path was the reason, whatever the error was wrapped in. */
export const isPathRefused = (error: unknown): boolean =>
  error instanceof PathError || (error instanceof Error && isPathRefused(error.cause));
