import {type FSWatcher, watch} from 'node:fs';
import {stat, statfs} from 'node:fs/promises';

/** Folders watched for a branch. A user may have only 8,192 kernel watches, and other programs need some. */
const foldersMax = 64;

/**
 * File systems on which the kernel reports only the changes of this machine, by their numbers in Linux: NFS, SMB, CIFS,
 * SMB2, FUSE, 9P, Ceph, Lustre, AFS.
 */
const sharedTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x0bd00bd0, 0x5346414f,
]);

/**
 * The system's notifications about folders: that something changed, not what. They may fail to come; nothing may depend
 * on them.
 */
export type FolderWatch = {
  /** Watches these folders and no others. Returns whether changes in all of them will be reported. */
  update(folders: ReadonlySet<string>): Promise<boolean>;
  close(): void;
};

export const createFolderWatch = (onChange: () => void): FolderWatch => {
  const watched = new Map<
    string,
    {readonly watcher: FSWatcher; readonly identity: string; readonly isShared: boolean}
  >();

  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };

  const add = async (folder: string, identity: string): Promise<void> => {
    const isShared = sharedTypes.has((await statfs(folder)).type);
    const watcher = watch(folder, {persistent: false}, onChange);
    watcher.on('error', () => drop(folder));
    watched.set(folder, {watcher, identity, isShared});
  };

  return {
    update: async folders => {
      for (const folder of watched.keys()) {
        if (!folders.has(folder)) {
          drop(folder);
        }
      }
      let isComplete = folders.size <= foldersMax;
      for (const folder of [...folders].slice(0, foldersMax)) {
        try {
          const {dev, ino} = await stat(folder, {bigint: true});
          const identity = `${dev}:${ino}`;
          // A folder that was created again under its name is a different one, and the watch is on the old one.
          if (watched.get(folder)?.identity !== identity) {
            drop(folder);
            await add(folder, identity);
          }
          isComplete &&= watched.get(folder)?.isShared === false;
        } catch {
          drop(folder);
          isComplete = false;
        }
      }
      return isComplete;
    },
    close: () => {
      for (const folder of [...watched.keys()]) {
        drop(folder);
      }
    },
  };
};
