import {basename, dirname} from 'node:path';
import type {RenamesSince} from '#service/served/line-source.ts';
import {parseRotatedName} from './rotated-name.ts';

/**
 * Counts how often a name was given to another file, at most. `names`: those in its folder that were made, removed or
 * moved, in order. A name that goes and comes back, with nothing but rotated names between, was given once; a name that
 * was moved there has another name before it, so each of these counts.
 */
const countReplacements = (names: readonly string[], name: string): number => {
  const places = names.flatMap((each, index) => (each === name ? [index] : []));
  let count = 0;
  for (let index = 0; index < places.length; index += 1) {
    count += 1;
    const between = names.slice((places[index] ?? 0) + 1, places[index + 1] ?? 0);
    if (index + 1 < places.length && between.every(each => parseRotatedName(each, name) !== undefined)) {
      index += 1;
    }
  }
  return count;
};

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
