import {type FSWatcher, watch} from 'node:fs';
import {stat, statfs} from 'node:fs/promises';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {RenamesSince} from './line-source.ts';

/** Folders watched for a branch. A user may have only 8,192 kernel watches, and other programs need some. */
const foldersMax = 64;

/**
 * File systems on which the kernel reports only the changes of this machine, by their numbers in Linux: NFS, SMB, CIFS,
 * SMB2, FUSE, 9P, Ceph, Lustre, AFS.
 */
const sharedTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x0bd00bd0, 0x5346414f,
]);

/** Names recorded of a folder: a rotation of a thousand logs takes some four thousand. */
const namesMax = 16_384;
/** The kernel keeps this many notifications for a process, and drops others. */
const eventsMax = 16_384;

/**
 * The system's notifications about folders. They may fail to come: they only tell sooner that something changed, and
 * prove that nothing else did where all are known to have come.
 */
export const createFolderWatch = (onChange: () => void) => {
  const watched = new Map<
    string,
    {readonly watcher: FSWatcher; readonly identity: string; readonly isShared: boolean; names: string[]}
  >();
  let eventCount = 0;

  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };

  const add = async (folder: string, identity: string): Promise<void> => {
    const isShared = sharedTypes.has((await statfs(folder)).type);
    const names: string[] = [];
    const watcher = watch(folder, {persistent: false}, (kind, name) => {
      eventCount += 1;
      if (kind === 'rename' && name !== null) {
        entry.names = entry.names.length < namesMax ? entry.names : [];
        entry.names.push(name);
      }
      onChange();
    });
    const entry = {watcher, identity, isShared, names};
    watcher.on('error', () => drop(folder));
    watched.set(folder, entry);
  };

  return {
    /** Watches these folders and no others. Returns whether changes in all of them will be reported. */
    update: async (folders: ReadonlySet<string>): Promise<boolean> => {
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
    markRenames: (): RenamesSince => {
      const countBefore = eventCount;
      const places = new Map(watched.entries().map(([folder, {names}]) => [folder, {names, from: names.length}]));
      return async folder => {
        // One whole turn of the loop takes what the kernel has told by now.
        await nextTurn();
        await nextTurn();
        const [place, entry] = [places.get(folder), watched.get(folder)];
        const isWhole = place?.names === entry?.names && entry?.isShared === false;
        return isWhole && eventCount - countBefore < eventsMax ? place?.names.slice(place.from) : undefined;
      };
    },
    close: (): void => {
      for (const folder of [...watched.keys()]) {
        drop(folder);
      }
    },
  };
};
