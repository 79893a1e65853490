import type {FileHandle} from 'node:fs/promises';
import {parseContainerLine} from './container-line.ts';
import type {FollowedFile} from './followed-file.ts';
import {findLastLines, readRange} from './last-lines.ts';
import {splitLines} from './split-lines.ts';

/** Past this much unread, no window could show what lies between, and reading it would only take time: about 300,000 lines. */
export const backlogBytesMax = 64 * 1024 * 1024;

const isContainerFile = async (handle: FileHandle, sizeBytes: number): Promise<boolean> => {
  const {offset} = await findLastLines(handle, sizeBytes, 1);
  const {lines} = splitLines(await readRange(handle, offset, sizeBytes), {atEnd: false});
  return lines[0] !== undefined && parseContainerLine(lines[0]) !== undefined;
};

/**
 * Where to begin in a file at the very first start. Lines with timestamps of their own find their place in the window,
 * so a whole window of them is read; the others are stamped as they are read, and take only what is left of their pod's share.
 */
export const findFirstPosition = async (
  handle: FileHandle,
  {stampedLines, windowLines}: {readonly stampedLines: number; readonly windowLines: number},
): Promise<{readonly position: number; readonly stampedLines: number}> => {
  const sizeBytes = (await handle.stat()).size;
  if (await isContainerFile(handle, sizeBytes)) {
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
