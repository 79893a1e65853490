import type {FileHandle} from 'node:fs/promises';
import {findLastLines} from '#service/lines/last-lines.ts';
import {emptyStreamStamps} from '#service/lines/stream-stamps.ts';
import type {RenamesSince} from '#service/served/line-source.ts';
import {emptyFingerprint, takeFingerprint} from '#service/window/fingerprint.ts';
import type {StoredFile} from '#service/window/stored-state.ts';
import {type FoundFile, identifyFile} from '../disk/find-files.ts';
import type {FollowedFile} from './followed-file.ts';

/**
 * Files followed in a pod at a time, each with an open handle. Those that were rotated stay open beside them until
 * they are quiet. Node raises its limit of handles to what the system allows: 4,096 and more.
 */
export const followedFilesMax = 1024;

/** Files of a pod that are open at a time: all may be rotated twice before what they were is quiet. */
export const openFilesMax = 3 * followedFilesMax;

export const byAge = (left: FoundFile, right: FoundFile): number =>
  left.modifiedMs - right.modifiedMs || (left.path < right.path ? -1 : 1);

/**
 * Chooses the files to follow, by identity: first those with something unread, the longest waiting first; then the
 * latest. `readSize` returns the size that a file had when it was read to its end, if it was.
 */
export const chooseFiles = (
  readable: ReadonlyMap<string, FoundFile>,
  readSize: (identity: string, found: FoundFile) => number | undefined,
): ReadonlySet<string> => {
  const unread: FoundFile[] = [];
  const read: FoundFile[] = [];
  for (const [identity, found] of readable) {
    const isUnread = found.sizeBytes > 0 && readSize(identity, found) !== found.sizeBytes;
    (isUnread ? unread : read).push(found);
  }
  const wanted = [...unread.toSorted(byAge), ...read.toSorted(byAge).toReversed()];
  return new Set(wanted.slice(0, followedFilesMax).map(identifyFile));
};

/** Creates what says that there are files that are not followed, again only once they are twice as many. */
export const createCrowdNote = (podName: string, warn: (message: string) => void) => {
  let unfollowedTold = 0;
  return (fileCount: number, followedCount: number): void => {
    const unfollowed = fileCount - followedCount;
    if (unfollowed > unfollowedTold * 2) {
      unfollowedTold = unfollowed;
      warn(
        `${podName} has ${fileCount} files: only ${followedFilesMax} are followed at a time, the other ${unfollowed} once they are written again.`,
      );
    }
  };
};

/** What to remember of a file that is to be read from its start. */
export const nothingRead = {print: emptyFingerprint, held: {}, stamps: emptyStreamStamps, isFollowed: true} as const;

/**
 * Returns what to remember of a file for which there is no room as if it had been read: only what is written from now
 * on is new. It is not opened, because there may be thousands.
 */
export const passOver = (key: number, podKey: number, {path, device, inode, sizeBytes}: FoundFile): StoredFile => ({
  ...{key, podKey, path, device, inode},
  ...nothingRead,
  print: {...emptyFingerprint, position: sizeBytes},
  isFollowed: false,
});

/** Completes what is known of a file that was passed over unopened. */
export const completePassed = async (handle: FileHandle, stored: StoredFile): Promise<StoredFile> => {
  const {position, head} = stored.print;
  if (position === 0 || head.length > 0 || (await handle.stat()).size < position) {
    return stored;
  }
  const {offset} = await findLastLines(handle, position, 0);
  return {...stored, print: await takeFingerprint(handle, offset)};
};

/** Notes under which names followed files were found, by identity, and which of them are no longer wanted. */
export const noteFoundNames = (
  followed: Iterable<FollowedFile>,
  found: ReadonlyMap<string, FoundFile>,
  wanted: ReadonlySet<string>,
  {nowMs, renamesSince}: {readonly nowMs: number; readonly renamesSince: RenamesSince | undefined},
): void => {
  for (const file of followed) {
    const seen = found.get(identifyFile(file));
    const isRenamed = seen !== undefined && seen.path !== file.path;
    if (file.isNamed !== (seen !== undefined) || file.isRenamed !== isRenamed) {
      file.changedAtMs = nowMs;
    }
    file.isNamed = seen !== undefined;
    file.isRenamed = isRenamed;
    file.renamesSince = seen && !isRenamed ? renamesSince : file.renamesSince;
    file.isCrowdedOut = seen !== undefined && !wanted.has(identifyFile(file));
  }
};
