import type {FileHandle} from 'node:fs/promises';
import {findLastLines, fingerprintBytesMax, readRange} from '#service/window/fingerprint.ts';
import {splitLines} from '#service/window/split-lines.ts';

/**
 * With more than this unread (about 300,000 lines), no window could show what lies between, and reading it would only
 * take time.
 */
export const backlogBytesMax = 64 * 1024 * 1024;

/** Lines at the end of a file that are searched for times. Most lines of a stack trace have none. */
const lastLinesMax = 20;

export type FirstPositionOptions = {
  /** The rest of the pod's share of lines. */
  readonly stampedLines: number;
  readonly windowLines: number;
  /**
   * Tells, from the file's first bytes and some of its last lines, whether its lines are placed by times of their own.
   */
  readonly isPlacedByTime?: (head: Buffer, lines: readonly string[]) => boolean;
};

/**
 * Finds the position at which reading begins on the very first start. Lines with times of their own are placed by them
 * in a new window, so a whole window of them is read. Other lines are stamped as they are read, and take only what is
 * left of their pod's share.
 */
export const findFirstPosition = async (
  handle: FileHandle,
  {stampedLines, windowLines, isPlacedByTime = () => false}: FirstPositionOptions,
): Promise<{readonly position: number; readonly stampedLines: number}> => {
  const sizeBytes = (await handle.stat()).size;
  const head = await readRange(handle, 0, Math.min(sizeBytes, fingerprintBytesMax));
  const {offset} = await findLastLines(handle, sizeBytes, lastLinesMax);
  const {lines} = splitLines(await readRange(handle, offset, sizeBytes), {atEnd: false});
  if (lines.length > 0 && isPlacedByTime(head, lines)) {
    return {position: (await findLastLines(handle, sizeBytes, windowLines)).offset, stampedLines: 0};
  }
  const last = await findLastLines(handle, sizeBytes, stampedLines);
  return {position: last.offset, stampedLines: last.lineCount};
};

/**
 * Finds the start of a file's last window if so much is unread after a position that the rest is skipped; otherwise
 * returns undefined.
 */
export const linesOfLastWindow = async (
  handle: FileHandle,
  position: number,
  windowLines: number,
): Promise<number | undefined> => {
  const sizeBytes = (await handle.stat()).size;
  return sizeBytes - position > backlogBytesMax
    ? (await findLastLines(handle, sizeBytes, windowLines)).offset
    : undefined;
};
