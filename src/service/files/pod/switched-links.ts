import {lstat} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {resolveLinks} from '#base/system/open-regular.ts';
import type {RenamesSince} from '#service/served/line-source.ts';
import type {FoundFile} from '../disk/find-files.ts';
import {parseRotatedName} from '../rotated-files.ts';
import type {FollowedFile} from './followed-file.ts';
import type {PodFilesOptions} from './pod-files.ts';

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

/** Returns the links on the way to a path, and what changes with each of them: a link can only be remade. */
const readLinks = async (path: string) => {
  const links = (await resolveLinks(path)).links.map(link => link.path);
  const stats = await Promise.all(links.map(link => lstat(link, {bigint: true})));
  return {links, made: stats.map(({ino, ctimeNs}) => `${ino}:${ctimeNs}`).join()};
};

/**
 * Creates a function that returns whether links on the way to a path may have led to a third file since its last call
 * for that path: links that were switched more than once.
 */
const createLinkWatch = (markRenames: () => RenamesSince) => {
  const looks = new Map<string, {readonly made: string; readonly renamesSince: RenamesSince}>();
  return async (path: string): Promise<boolean> => {
    const first = markRenames();
    const {links, made} = await readLinks(path);
    const last = looks.get(path);
    if (!last || last.made === made) {
      // A folder may be watched only since the last call.
      looks.set(path, {made, renamesSince: first});
      return false;
    }
    const switches = await countSwitches(last.renamesSince, links);
    // Only now has the system reported the renames that were counted.
    const renamesSince = markRenames();
    const now = await readLinks(path);
    looks.set(path, {made: now.made, renamesSince});
    return switches === undefined || switches > 1 || now.made !== made;
  };
};

/**
 * Creates a watch that notes a loss for each configured path that may have led to a third file for a while. A file that
 * is new is read after all those that a link led to before it, so only one that is followed misses them.
 */
export const createSwitchedLinks = (
  {pod, sink, warn, markRenames}: PodFilesOptions,
  followedAs: (file: FoundFile) => FollowedFile | undefined,
) => {
  const wereLinksElsewhere = createLinkWatch(markRenames);
  return async (found: ReadonlyMap<string, FoundFile>): Promise<void> => {
    for (const file of [...found.values()].filter(({path}) => pod.files.includes(path))) {
      // A link that is gone by now is seen by the next look.
      const wereElsewhere = await wereLinksElsewhere(file.path).catch(() => false);
      const followed = followedAs(file);
      if (wereElsewhere && followed) {
        sink.noteLoss(followed, `${basename(file.path)} is a link that may have led to another file for a while`);
        warn(`${file.path} is a link that may have led to another file for a while: readers see a gap.`);
      }
    }
  };
};
