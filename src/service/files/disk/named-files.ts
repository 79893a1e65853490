import {stat} from 'node:fs/promises';
import {basename} from 'node:path';
import {nameKind} from '#base/system/open-regular.ts';
import {describeError} from '#service/backend/errors.ts';
import {type FoundFile, findFiles, identifyFile} from './find-files.ts';

/** A pod whose lines come from files. */
export type FilePod = {
  readonly name: string;
  /** The consequence of a file that is not read, for messages: `pod web is served without it`. */
  readonly without: string;
  /** Absolute paths; the last parts may contain `*` and `?`. */
  readonly files: readonly string[];
};

/** A rotation leaves a name free for less than this, milliseconds. */
const missingMsMax = 5_000;

/** `is a FIFO, not a file`; undefined if nothing is there. */
const describeOther = async (path: string): Promise<string | undefined> => {
  const there = await stat(path, {bigint: true}).catch(() => undefined);
  return there && !there.isFile() ? `is a ${nameKind(there)}, not a file` : undefined;
};

/**
 * Creates a finder of the files that match a pod's configured paths.
 * A file that was there may be written where nobody reads it, and of a pod without any file nothing can be known. A
 * file that never was, such as a log of errors, is not missed beside others.
 */
export const createNamedFiles = (
  {without, files: patterns}: FilePod,
  warn: (message: string) => void,
  monotonicMs: () => number,
) => {
  /** Since when a path leads to no file, and what else it leads to. */
  const missing = new Map<string, {readonly sinceMs: number; readonly kind: string | undefined}>();
  const seen = new Set<string>();
  let examineFault: string | undefined;

  const isMissed = (pattern: string): boolean =>
    monotonicMs() - (missing.get(pattern)?.sinceMs ?? monotonicMs()) >= missingMsMax;

  return {
    /**
     * Finds them as they are now, each once by identity. Returns undefined if a path cannot be examined: the names are
     * unknown then, so no file may be treated as gone.
     */
    find: async (): Promise<ReadonlyMap<string, FoundFile> | undefined> => {
      const found = new Map<string, FoundFile>();
      for (const pattern of patterns) {
        try {
          const files = await findFiles(pattern);
          for (const file of files) {
            found.set(identifyFile(file), file);
          }
          if (files.length > 0) {
            seen.add(pattern);
            missing.delete(pattern);
          } else {
            const kind = await describeOther(pattern);
            missing.set(pattern, {sinceMs: missing.get(pattern)?.sinceMs ?? monotonicMs(), kind});
            warn(
              kind === undefined
                ? `${pattern} is missing: ${without} until it appears.`
                : `${pattern} ${kind}: ${without} until a file is there.`,
            );
          }
        } catch (error) {
          const fault = `cannot be examined (${describeError(error)})`;
          // Files that are open already are still read.
          warn(`${pattern} ${fault}: what is new there is not read until it can be.`);
          examineFault = `${basename(pattern)} ${fault}`;
          return undefined;
        }
      }
      examineFault = undefined;
      return found;
    },
    /** Says why a silent log proves nothing, by the last look: a path cannot be examined, or leads to no file. */
    fault: (): string | undefined => {
      const long = patterns.filter(isMissed);
      const missed = long.find(pattern => seen.has(pattern)) ?? (long.length === patterns.length ? long[0] : undefined);
      if (examineFault !== undefined || missed === undefined) {
        return examineFault;
      }
      const kind = missing.get(missed)?.kind;
      return kind === undefined ? `there is no file ${basename(missed)}` : `${basename(missed)} ${kind}`;
    },
  };
};
