import {type FileHandle, readlink, realpath} from 'node:fs/promises';
import {basename} from 'node:path';
import {resolveLinks} from '#base/system/open-regular.ts';
import type {HeldPieces} from '#service/window/container-line.ts';
import {compareContent} from '#service/window/fingerprint.ts';
import {type FoundFile, identifyFile} from '../disk/find-files.ts';
import {byAge} from '../pod/choose-files.ts';
import type {FollowedFile} from '../pod/followed-file.ts';
import {countSwitches} from '../pod/switched-links.ts';
import {findSeries, findSiblingFiles, parseRotatedPath} from '../rotated-files.ts';
import {type FollowContext, noteLoss, readInOrder} from './rotation.ts';

/** Programs that rewrite a file in place do it in one go; a log that was emptied waits no longer than this. */
const rewriteMsMax = 3_000;

type Read = Pick<FollowedFile, 'print' | 'marks'>;

/** Checks whether a file has only a front of what was read of it, or of another one, so far. */
export const hasOnlyFront = async (handle: FileHandle, {print, marks}: Read): Promise<boolean> =>
  (await compareContent(handle, print)) === 'prefix' && !(await marks.compare(handle))?.isDiverged;

/**
 * Compares a file with what was read of it, or of the one before. `unsettled`: it has only a front of that, and may
 * still be receiving the rest. It gets a moment after each change; reading it at once would repeat every line.
 */
export const compareSettled = async (
  file: FollowedFile,
  read: Read,
  {monotonicMs, rotationGraceMs}: FollowContext,
): Promise<'same' | 'prefix' | 'other' | 'unsettled'> => {
  const before = await file.handle.stat();
  const likeness = await compareContent(file.handle, read.print);
  const isDiverged = likeness === 'prefix' && (await read.marks.compare(file.handle))?.isDiverged;
  const {mtimeNs: modifiedNs, size} = await file.handle.stat({bigint: true});
  // What changed while it was looked at may have looked like something else.
  if (likeness === 'prefix' ? isDiverged && Number(size) === before.size : Number(size) >= before.size) {
    return likeness;
  }
  const nowMs = monotonicMs();
  if (file.shrunk?.modifiedNs !== modifiedNs) {
    file.shrunk = {modifiedNs, atMs: nowMs};
  }
  return nowMs - file.shrunk.atMs < Math.min(rewriteMsMax, rotationGraceMs) ? 'unsettled' : likeness;
};

/** Checks whether the system told that one file took the place of another, and no other one between them. */
export const wasReplacedOnce = async (file: FollowedFile, before: FollowedFile): Promise<boolean> => {
  const {realPath, links} = await resolveLinks(file.path);
  return (await countSwitches(before.renamesSince, [realPath, ...links.map(({path}) => path)])) === 1;
};

/**
 * Reads what was written between two files to which a link led: it may have led to others since the last look. They are
 * told by their names and times. Returns the pieces of lines that continue in the current file; undefined if no link
 * was switched. `before` was read to its end.
 */
export const readSwitched = async (
  file: FollowedFile,
  before: FollowedFile,
  context: FollowContext,
): Promise<HeldPieces | undefined> => {
  // One call: a thousand logs may be rotated at once, and few are links.
  if ((await realpath(file.path)) === file.path) {
    return undefined;
  }
  const {realPath: to, links} = await resolveLinks(file.path);
  // Only Linux knows the name that an open file has now.
  const from = await readlink(`/proc/self/fd/${before.handle.fd}`).catch(() => undefined);
  if (links.length === 0 || from === undefined) {
    return undefined;
  }
  const paths = links.map(({path}) => path);
  const switches = await countSwitches(before.renamesSince, paths);
  const isRotated = from.startsWith(to) || parseRotatedPath(from, basename(to)) !== undefined;
  if (switches === 0 || (switches === undefined && isRotated)) {
    return undefined;
  }
  const lastMs = Number((await before.handle.stat({bigint: true})).mtimeMs);
  const ends = [identifyFile(file), identifyFile(before)];
  const isBetween = (found: FoundFile): boolean =>
    found.sizeBytes > 0 &&
    found.modifiedMs >= lastMs &&
    !ends.includes(identifyFile(found)) &&
    !context.pod.followedAs(found);
  const between = switches === 1 ? [] : (await findSeries(from, to)).filter(isBetween).toSorted(byAge);
  const isMissing =
    switches === undefined
      ? between.length === 0 && (await findSiblingFiles([from, to])).some(isBetween)
      : between.length < switches - 1;
  if (isMissing) {
    noteLoss(context, file, 'is a link that led to another file for a while, which was not found');
  }
  return readInOrder(between, before.held, file, context);
};
