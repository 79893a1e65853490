import type {FileHandle} from 'node:fs/promises';
import {basename} from 'node:path';
import {describeError, hasErrorCode} from '#service/backend/errors.ts';
import type {StoredFile} from '#service/window/stored-state.ts';
import {type FoundFile, type Identified, identifyFile} from '../disk/find-files.ts';
import {isReplacement, type OpenFile} from '../disk/open-file.ts';

/** A file that cannot be read now, though it is to be: reading goes on where it ended once it can. */
type FileTrouble = {
  readonly path: string;
  readonly why: string;
  /** Since when, on the monotonic clock. */
  readonly sinceMs: number;
  /** The file that had its name before, if that has to be read first. */
  readonly predecessorKey: number | undefined;
  readonly bornNs: bigint | undefined;
  /** The part of it that was read. Undefined: readers miss nothing of it yet. */
  readonly stored: StoredFile | undefined;
};

export const createTroubledFiles = (monotonicMs: () => number) => {
  const troubles = new Map<string, FileTrouble>();
  return {
    /** Notes that a file could not be read. What is not given stays as it was. */
    note: (file: Identified & {readonly path: string}, more: Partial<FileTrouble>): void => {
      const identity = identifyFile(file);
      const first = {why: '', sinceMs: monotonicMs(), bornNs: undefined, predecessorKey: undefined, stored: undefined};
      troubles.set(identity, {...(troubles.get(identity) ?? first), path: file.path, ...more});
    },
    find: (file: Identified): FileTrouble | undefined => troubles.get(identifyFile(file)),
    forget: (file: Identified) => troubles.delete(identifyFile(file)),
    /** Forgets and returns those that are not among these identities. */
    takeGone: (identities: ReadonlyMap<string, unknown>): readonly FileTrouble[] => {
      const gone = [...troubles].filter(([identity]) => !identities.has(identity));
      for (const [identity] of gone) {
        troubles.delete(identity);
      }
      return gone.map(([, trouble]) => trouble);
    },
    /** Says which of them readers miss, and why; undefined if none. */
    describe: (isMissed: (trouble: FileTrouble) => boolean): string | undefined => {
      const [first, ...others] = [...troubles.values()].filter(isMissed);
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      return first && `${basename(first.path)}${more} cannot be read (${first.why})`;
    },
  };
};

/** The files of a pod that cannot be read now. */
type TroubledFiles = ReturnType<typeof createTroubledFiles>;

/** Files that are opened ahead. */
const aheadMax = 32;

type FileOpeningsOptions = {
  readonly without: string;
  readonly openFile: OpenFile;
  readonly troubles: TroubledFiles;
  readonly warn: (message: string) => void;
};

/** Creates the opener of the files of a pod. */
export const createFileOpenings = ({without, openFile, troubles, warn}: FileOpeningsOptions) => {
  const prepared = new Map<string, Promise<FileHandle>>();

  const takeHandle = (path: string): Promise<FileHandle> => {
    const handle = prepared.get(path) ?? openFile(path);
    prepared.delete(path);
    return handle;
  };

  /** Closes a file that was opened ahead and not needed. */
  const discard = async (path: string): Promise<void> => {
    const handle = await prepared.get(path)?.catch(() => undefined);
    prepared.delete(path);
    await handle?.close();
  };

  return {
    /**
     * Calls `act` for each file in turn. Files are opened ahead of it, because a thousand would take seconds one after
     * the other; not while `isFull`.
     */
    each: async (
      files: readonly FoundFile[],
      act: (found: FoundFile) => Promise<void>,
      isFull: () => boolean = () => false,
    ): Promise<void> => {
      for (const [index, found] of files.entries()) {
        if (prepared.size === 0 && !isFull()) {
          for (const {path} of files.slice(index, index + aheadMax)) {
            const opening = openFile(path);
            // Whoever takes it gets the error.
            opening.catch(() => undefined);
            prepared.set(path, opening);
          }
        }
        await act(found);
        await discard(found.path);
      }
    },
    /** Opens a file and begins to read it. If that fails, warns and says so, unless it has gone: one bad file stops
     * no other. */
    open: async <T>(found: FoundFile, begin: (handle: FileHandle) => Promise<T>): Promise<T | 'unreadable'> => {
      let handle: FileHandle | undefined;
      try {
        handle = await takeHandle(found.path);
        return await begin(handle);
      } catch (error) {
        await handle?.close();
        if (handle === undefined && (hasErrorCode(error, 'ENOENT') || isReplacement(error))) {
          // Its name was given to another file since it was found: the next look finds that one.
          return 'unreadable';
        }
        const why = describeError(error);
        troubles.note(found, {why});
        warn(`${found.path} cannot be read (${why}): ${without}.`);
        return 'unreadable';
      }
    },
  };
};
