import {type FSWatcher, watch} from 'node:fs';
import {stat} from 'node:fs/promises';

/** Folders watched for a branch. A user may have only 8,192 kernel watches, and other programs need some. */
const foldersMax = 64;

/**
 * The system's notifications about folders: that something changed, not what. They may fail to come; nothing may depend
 * on them.
 */
export type FolderWatch = {
  /** Watches these folders and no others. Returns whether all of them are watched now. */
  update(folders: ReadonlySet<string>): Promise<boolean>;
  close(): void;
};

export const createFolderWatch = (onChange: () => void): FolderWatch => {
  const watched = new Map<string, {readonly watcher: FSWatcher; readonly identity: string}>();

  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };

  const add = (folder: string, identity: string): void => {
    const watcher = watch(folder, {persistent: false}, onChange);
    watcher.on('error', () => drop(folder));
    watched.set(folder, {watcher, identity});
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
            add(folder, identity);
          }
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
