import {basename} from 'node:path';
import type {FoundFile} from '../disk/find-files.ts';
import {createLinkWatch} from '../rotation/watch-links.ts';
import type {FollowedFile} from './followed-file.ts';
import type {PodFilesOptions} from './pod-files.ts';

/**
 * Creates what notes a loss for each configured path that may have led to a third file for a while. A file that is new
 * is read after all those that a link led to before it, so only one that is followed misses them.
 */
export const createSwitchedLinks = (
  {pod, sink, warn, markRenames}: PodFilesOptions,
  followedAs: (file: FoundFile) => FollowedFile | undefined,
) => {
  const links = createLinkWatch(markRenames);
  return async (found: ReadonlyMap<string, FoundFile>): Promise<void> => {
    for (const file of [...found.values()].filter(({path}) => pod.files.includes(path))) {
      // A link that is gone by now is seen by the next look.
      const wereElsewhere = await links.wereElsewhere(file.path).catch(() => false);
      const followed = followedAs(file);
      if (wereElsewhere && followed) {
        sink.noteLoss(followed, `${basename(file.path)} is a link that may have led to another file for a while`);
        warn(`${file.path} is a link that may have led to another file for a while: readers see a gap.`);
      }
    }
  };
};
