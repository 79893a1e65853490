import type {FileHandle} from 'node:fs/promises';
import {describeError} from '#service/errors/describe-fault.ts';
import type {FoundFile} from '../disk/find-files.ts';
import type {OpenFile} from '../disk/open-file.ts';
import type {TroubledFiles} from './troubled-files.ts';

/** Files that are opened ahead. */
const aheadMax = 32;

type FileOpeningsOptions = {
  readonly without: string;
  readonly openFile: OpenFile;
  readonly troubles: TroubledFiles;
  readonly warn: (message: string) => void;
};

/** Creates what opens the files of a pod. */
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
    /** Opens a file and begins to read it. If that fails, warns and says so: one bad file stops no other. */
    open: async <T>(found: FoundFile, begin: (handle: FileHandle) => Promise<T>): Promise<T | 'unreadable'> => {
      let handle: FileHandle | undefined;
      try {
        handle = await takeHandle(found.path);
        return await begin(handle);
      } catch (error) {
        await handle?.close();
        const why = describeError(error);
        troubles.note(found, {why});
        warn(`${found.path} cannot be read (${why}): ${without}.`);
        return 'unreadable';
      }
    },
  };
};
