import {readFileSync} from 'node:fs';

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

let limitRead: {readonly limit: number | undefined} | undefined;

/** Checks whether a log's descriptor is of the reserve: the system gives the lowest that is free. */
export const isOfReserve = (descriptor: number): boolean => {
  limitRead ??= {limit: readLimit()};
  const {limit = Number.POSITIVE_INFINITY} = limitRead;
  return descriptor >= limit - Math.min(reserve, limit / 4);
};
