import {lstat} from 'node:fs/promises';
import {resolveLinks} from '../../../base/paths/resolve-links.ts';
import type {RenamesSince} from '../../line-source.ts';
import {countSwitches} from './count-switches.ts';

/** Notices links that were switched more than once between two looks. */
export type LinkWatch = {
  /** Returns whether links on the way to this path may have led to a third file since the last call for it. */
  wereElsewhere(path: string): Promise<boolean>;
};

/** Returns the links on the way to a path, and what changes with each of them: a link can only be made anew. */
const readLinks = async (path: string) => {
  const links = (await resolveLinks(path)).links.map(link => link.path);
  const stats = await Promise.all(links.map(link => lstat(link, {bigint: true})));
  return {links, made: stats.map(({ino, ctimeNs}) => `${ino}:${ctimeNs}`).join()};
};

export const createLinkWatch = (markRenames: () => RenamesSince): LinkWatch => {
  const looks = new Map<string, {readonly made: string; readonly renamesSince: RenamesSince}>();
  return {
    wereElsewhere: async path => {
      const first = markRenames();
      const {links, made} = await readLinks(path);
      const last = looks.get(path);
      if (!last || last.made === made) {
        // A folder may be watched only since the last call.
        looks.set(path, {made, renamesSince: first});
        return false;
      }
      const switches = await countSwitches(last.renamesSince, links);
      // Only now has the system told of the renames that were counted.
      const renamesSince = markRenames();
      const now = await readLinks(path);
      looks.set(path, {made: now.made, renamesSince});
      return switches === undefined || switches > 1 || now.made !== made;
    },
  };
};
