import {createHash, randomUUID} from 'node:crypto';
import {type FileHandle, open, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';

/** A file that is being written beside where it is to stand, and is there only when it is whole. */
export type NewFile = {
  readonly write: (text: string) => Promise<void>;
  /** So far. */
  readonly bytes: () => number;
  /** Sees to it that the device has all of it. Answers with the SHA-256 of its bytes, hexadecimal. */
  readonly finish: () => Promise<string>;
  /** Puts the finished file in its place, over one that is there. */
  readonly publish: () => Promise<void>;
  /** Removes what was written, unless it is in its place. Never rejects. */
  readonly discard: () => Promise<void>;
};

/** Begins a file that only its owner can read. Rejects with what the file system says, as all that is done with it does. */
export const openNewFile = async (path: string): Promise<NewFile> => {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.partial`;
  const handle: FileHandle = await open(temporary, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) {
      isOpen = false;
      await handle.close();
    }
  };
  return {
    write: async text => {
      const chunk = Buffer.from(text);
      hash.update(chunk);
      bytes += chunk.length;
      // In full or not at all: `write` alone may take a part.
      await handle.writeFile(chunk);
    },
    bytes: () => bytes,
    finish: async () => {
      await handle.sync();
      await close();
      return hash.digest('hex');
    },
    publish: async () => {
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },
    discard: async () => {
      await close().catch(() => {});
      await rm(temporary, {force: true}).catch(() => {});
    },
  };
};

/** So that the name outlives a loss of power too; not every file system can. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
};
