import {randomUUID} from 'node:crypto';
import {mkdir, open, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';

/** `ENOENT` and the like, for sentences; a file's content is never part of it. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';

/** A file's text; undefined where it is longer than we would ever write it. Throws what the file system says. */
export const readStateFile = async (path: string, bytesMax: number): Promise<string | undefined> => {
  const file = await open(path, 'r');
  try {
    const {buffer, bytesRead} = await file.read(Buffer.alloc(bytesMax + 1), 0, bytesMax + 1, 0);
    return bytesRead > bytesMax ? undefined : buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
};

/**
 * Writes a file of the state folder, which is made where it is missing: a temporary file, fsync, rename, mode 0600, so a
 * reader sees the old content or the new one. Throws what the file system says, and leaves nothing behind.
 */
export const writeStateFile = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), {recursive: true, mode: 0o700});
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
};
