import {dirname} from 'node:path';
import {type FoundFile, fixedFolder} from '../disk/find-files.ts';
import {listWay} from '../rotation/rotated-files.ts';

export type FoundNames = {
  has(path: string): boolean;
  /** The folders in which a change may concern the files. */
  folders(): ReadonlySet<string>;
  /** Takes the files that were found last, by identity. */
  update(found: ReadonlyMap<string, FoundFile>): Promise<void>;
};

/** Creates the memory of the names that were found last for these patterns. At most `waysMax` ways are walked. */
export const createFoundNames = (patterns: readonly string[], waysMax: number): FoundNames => {
  /** Identities by path. */
  let named: ReadonlyMap<string, string> = new Map();
  let folders: ReadonlySet<string> = new Set();
  return {
    has: path => named.has(path),
    folders: () => folders,
    update: async found => {
      const isSame = [...found].every(([identity, {path}]) => named.get(path) === identity);
      if (folders.size > 0 && isSame && found.size === named.size) {
        return;
      }
      named = new Map([...found].map(([identity, {path}]) => [path, identity]));
      const paths = [...named.keys()];
      const ways = await Promise.all(paths.slice(0, waysMax).map(listWay));
      folders = new Set([...patterns.map(fixedFolder), ...[...paths, ...ways.flat()].map(path => dirname(path))]);
    },
  };
};
