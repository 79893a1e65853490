import {readFileSync} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';

/** Kept from logs: for readers' connections, commands, and files that are open for a moment only. */
const reserve = 64;

/** Most descriptors that this process may have open at a time; undefined on a system that does not say. */
const readLimit = (): number | undefined => {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
};

/** After only the reserve was left, nothing is opened for so long, milliseconds: each try takes one of it. */
const shortMs = 1000;

let limitRead: {readonly limit: number | undefined} | undefined;
let shortUntilMs = 0;

const tooMany = (): Error =>
  Object.assign(new Error('EMFILE: too many open files, open'), {code: 'EMFILE', syscall: 'open'});

/**
 * Opens a log by `open`, unless only the reserve of descriptors is left: the system gives the lowest that is free.
 * Throws `EMFILE` then.
 */
export const openWithinLimit = async (open: () => Promise<FileHandle>): Promise<FileHandle> => {
  if (performance.now() < shortUntilMs) {
    throw tooMany();
  }
  limitRead ??= {limit: readLimit()};
  const {limit = Number.POSITIVE_INFINITY} = limitRead;
  const file = await open();
  if (file.fd < limit - Math.min(reserve, limit / 4)) {
    return file;
  }
  shortUntilMs = performance.now() + shortMs;
  await file.close();
  throw tooMany();
};
