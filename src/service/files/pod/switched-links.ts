import {lstat} from 'node:fs/promises';
import {basename} from 'node:path';
import {resolveLinks} from '#base/system/resolve-path.ts';
import type {RenamesSince} from '#service/served/line-source.ts';
import type {FoundFile} from '../disk/find-files.ts';
import {countSwitches} from '../rotation/count-switches.ts';
import type {FollowedFile} from './followed-file.ts';
import type {PodFilesOptions} from './pod-files.ts';

/** Returns the links on the way to a path, and what changes with each of them: a link can only be made anew. */
const readLinks = async (path: string) => {
  const links = (await resolveLinks(path)).links.map(link => link.path);
  const stats = await Promise.all(links.map(link => lstat(link, {bigint: true})));
  return {links, made: stats.map(({ino, ctimeNs}) => `${ino}:${ctimeNs}`).join()};
};

/**
 * Creates what returns whether links on the way to a path may have led to a third file since the last call for it:
 * those that were switched more than once.
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
    // Only now has the system told of the renames that were counted.
    const renamesSince = markRenames();
    const now = await readLinks(path);
    looks.set(path, {made: now.made, renamesSince});
    return switches === undefined || switches > 1 || now.made !== made;
  };
};

/**
 * Creates what notes a loss for each configured path that may have led to a third file for a while. A file that is new
 * is read after all those that a link led to before it, so only one that is followed misses them.
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
