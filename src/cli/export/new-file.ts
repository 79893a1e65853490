import {createHash, randomUUID} from 'node:crypto';
import {type FileHandle, open, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';

/** A file that is written next to its final place and appears there only when complete. */
export type NewFile = {
  readonly write: (text: string) => Promise<void>;
  /** Bytes written so far. */
  readonly bytes: () => number;
  /** Flushes everything to the device. Returns the SHA-256 of the bytes in hexadecimal. */
  readonly finish: () => Promise<string>;
  /** Moves the finished file to its place, replacing an existing file. */
  readonly publish: () => Promise<void>;
  /** Removes the file unless it has been moved to its place. Never rejects. */
  readonly discard: () => Promise<void>;
};

/** Creates a file that only its owner can read. This and all its methods reject with the file system's error. */
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
      // All or nothing: `write` alone may write only a part.
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

/** Makes the new name survive a power loss. Not every file system supports this. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
};
