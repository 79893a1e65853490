import type {FollowedFile} from './followed-file.ts';
import type {FollowContext} from './rotation.ts';

/** Programs that write a file anew in place do it in one go; a log that was emptied is not kept waiting for longer. */
const rewriteMsMax = 1_000;

/**
 * Whether a file that holds the front of what was read may still be getting the rest of it: it is given a moment, as
 * long as it grows. Read at once, all of it would be doubled.
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
