import {randomUUID} from 'node:crypto';
import {mkdir, open, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {PathError} from '#base/system/open-regular.ts';
import {openTrusted, readBounded} from '#base/system/trusted-files.ts';

/** Returns the fields of a value from a state file that should be an object; none of any other value. */
export const storedFields = <Item>(value: unknown): {readonly [Key in keyof Item]?: unknown} =>
  typeof value === 'object' && value !== null ? value : {};

/**
 * Returns a file's text, or undefined if it is longer than anything the program writes. Throws a `PathError` or a file
 * system error.
 */
export const readStateFile = async (path: string, bytesMax: number): Promise<string | undefined> => {
  const {file, stat} = await openTrusted(path);
  try {
    return stat.size > bytesMax ? undefined : (await readBounded(file, bytesMax)).toString();
  } finally {
    await file.close();
  }
};

/** Returns why a file was not read or written, for a notice that names the path. */
export const describeStateFault = (error: unknown): string =>
  error instanceof PathError ? `it ${error.message}` : errorCodeOf(error);

const makeOneFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') {
      throw error;
    }
  }
};

/** Creates a folder and those above it, one at a time: Node's recursive mkdir never returns below /proc. */
const makeFolder = async (path: string): Promise<void> => {
  try {
    await makeOneFolder(path);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT' || dirname(path) === path) {
      throw error;
    }
    await makeFolder(dirname(path));
    await makeOneFolder(path);
  }
};

/** The last turn of each file of the state folder, of which there are a few. None of them rejects. */
const lastTurns = new Map<string, Promise<unknown>>();

/**
 * Reads a state file, or reads and writes it, after all turns of it that began before: none writes over what another
 * has changed since it read. Rejects as `use` does.
 */
export const takeStateFile = <Result>(path: string, use: () => Promise<Result>): Promise<Result> => {
  const used = (lastTurns.get(path) ?? Promise.resolve()).then(use);
  lastTurns.set(
    path,
    used.catch(() => {}),
  );
  return used;
};

/**
 * Resolves when all turns so far have ended: a program that ends before that loses a change, or leaves a temporary file
 * behind. Never rejects.
 */
export const stateWritten = async (): Promise<void> => {
  await Promise.all(lastTurns.values());
};

/**
 * Writes a file of the state folder, which is created if missing. Uses a temporary file, fsync, rename and mode 0600,
 * so that a reader sees either the old content or the new. Throws file system errors, and leaves no temporary file.
 */
export const writeStateFile = async (path: string, text: string): Promise<void> => {
  await makeFolder(dirname(path));
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
