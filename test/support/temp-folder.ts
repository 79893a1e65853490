import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export type TempFolder = {
  readonly path: string;
  remove(): void;
};

/**
 * Makes a folder of the test's own; remove it when done. What is written from then on is not writable by the group,
 * whatever the shell allows: the program would refuse it.
 */
export const createTempFolder = (purpose = 'test', within = tmpdir()): TempFolder => {
  process.umask(0o022);
  const path = realpathSync(mkdtempSync(join(within, `branchlog-${purpose}-`)));
  // Retried, because a program that was just ended may still be writing its last file.
  return {path, remove: () => rmSync(path, {recursive: true, force: true, maxRetries: 5, retryDelay: 50})};
};

/** Makes a folder for paths that must be short: of sockets, which have 107 bytes, or in a row of a screen. */
export const createShortFolder = (purpose = 'short'): TempFolder =>
  createTempFolder(purpose, tmpdir().length > 40 ? '/tmp' : tmpdir());
