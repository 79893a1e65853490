import {basename, dirname} from 'node:path';
import type {RenamesSince} from '../../line-source.ts';
import {countReplacements} from './count-replacements.ts';

/** Counts how often these names were given to other files since a moment; undefined if the system may not have told. */
export const countSwitches = async (
  renamesSince: RenamesSince | undefined,
  paths: readonly string[],
): Promise<number | undefined> => {
  let count = 0;
  for (const path of paths) {
    const names = await renamesSince?.(dirname(path));
    if (!names) {
      return undefined;
    }
    count += countReplacements(names, basename(path));
  }
  return count;
};
