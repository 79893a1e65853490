import {dirname} from 'node:path';
import {type FoundFile, fixedFolder} from '../disk/find-files.ts';
import {listWay} from '../rotated-files.ts';

/** Creates the memory of the names that were found last for these patterns. At most `waysMax` ways are walked. */
export const createFoundNames = (patterns: readonly string[], waysMax: number) => {
  /** Identities by path. */
  let named: ReadonlyMap<string, string> = new Map();
  let folders: ReadonlySet<string> = new Set(patterns.map(fixedFolder));
  return {
    has: (path: string): boolean => named.has(path),
    /** The folders in which a change may concern the files. */
    folders: (): ReadonlySet<string> => folders,
    /** Takes the files that were found last, by identity. */
    update: async (found: ReadonlyMap<string, FoundFile>): Promise<void> => {
      const isSame = [...found].every(([identity, {path}]) => named.get(path) === identity);
      if (isSame && found.size === named.size) {
        return;
      }
      named = new Map([...found].map(([identity, {path}]) => [path, identity]));
      const paths = [...named.keys()];
      const ways = await Promise.all(paths.slice(0, waysMax).map(listWay));
      folders = new Set([...patterns.map(fixedFolder), ...[...paths, ...ways.flat()].map(path => dirname(path))]);
    },
  };
};
