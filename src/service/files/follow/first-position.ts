import type {FileHandle} from 'node:fs/promises';
import {fingerprintBytesMax} from '../../lines/fingerprint.ts';
import {findLastLines, readRange} from '../../lines/last-lines.ts';
import {splitLines} from '../../lines/split-lines.ts';
import type {FollowedFile} from './followed-file.ts';

/** Past this much unread, no window could show what lies between, and reading it would only take time: about 300,000 lines. */
export const backlogBytesMax = 64 * 1024 * 1024;

/** Lines at a file's end that are looked at for times: a stack trace has none in most of its lines. */
const lastLinesMax = 20;

export type FirstPositionOptions = {
  /** Lines that are left of the pod's share. */
  readonly stampedLines: number;
  readonly windowLines: number;
  /** Whether lines find their place by times of their own; told by the file's first bytes and some of its last lines. */
  readonly isPlacedByTime?: (head: Buffer, lines: readonly string[]) => boolean;
};

/**
 * Where to begin in a file at the very first start. Lines with times of their own find their place in a new window, so a
 * whole window of them is read; the others are stamped as they are read, and take only what is left of their pod's share.
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

/** Where the last window of a file begins, if so much of it is unread that the rest is passed over; else undefined. */
export const linesOfLastWindow = async (file: FollowedFile, windowLines: number): Promise<number | undefined> => {
  const sizeBytes = (await file.handle.stat()).size;
  return sizeBytes - file.print.position > backlogBytesMax
    ? (await findLastLines(file.handle, sizeBytes, windowLines)).offset
    : undefined;
};
