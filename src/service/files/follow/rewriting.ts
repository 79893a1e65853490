import type {FollowedFile} from '../pod/followed-file.ts';
import type {FollowContext} from './rotation.ts';

/** Programs that rewrite a file in place do it in one go; a log that was emptied waits no longer than this. */
const rewriteMsMax = 1_000;

/**
 * Checks whether a file with the front of what was read may still be receiving the rest. It gets a moment, as long as
 * it grows; reading it at once would repeat every line.
 */
export const isBeingRewritten = async (
  file: FollowedFile,
  {monotonicMs, rotationGraceMs}: FollowContext,
): Promise<boolean> => {
  const {size} = await file.handle.stat();
  const nowMs = monotonicMs();
  if (file.shrunk?.sizeBytes !== size) {
    file.shrunk = {sizeBytes: size, atMs: nowMs};
  }
  return nowMs - file.shrunk.atMs < Math.min(rewriteMsMax, rotationGraceMs);
};
