import {createHash, randomUUID} from 'node:crypto';
import {type FileHandle, open, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';

/** Creates a file that only its owner can read. This and all its methods reject with the file system's error. */
export const openNewFile = async (path: string) => {
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
    write: async (text: string): Promise<void> => {
      const chunk = Buffer.from(text);
      hash.update(chunk);
      bytes += chunk.length;
      // All or nothing: `write` alone may write only a part.
      await handle.writeFile(chunk);
    },
    /** Bytes written so far. */
    bytes: () => bytes,
    /** Flushes everything to the device. Returns the SHA-256 of the bytes in hexadecimal. */
    finish: async (): Promise<string> => {
      await handle.sync();
      await close();
      return hash.digest('hex');
    },
    /** Moves the finished file to its place, replacing an existing file. */
    publish: async (): Promise<void> => {
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },
    /** Removes the file unless it has been moved to its place. Never rejects. */
    discard: async (): Promise<void> => {
      await close().catch(() => {});
      await rm(temporary, {force: true}).catch(() => {});
    },
  };
};

/** A file that is written next to its final place and appears there only when complete. */
export type NewFile = Awaited<ReturnType<typeof openNewFile>>;

/** Makes the new name survive a power loss. Not every file system supports this. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
};
