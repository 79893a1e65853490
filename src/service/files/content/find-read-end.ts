import type {FileHandle} from 'node:fs/promises';
import {findLastLines, readRange} from '#service/lines/last-lines.ts';
import {type Fingerprint, fingerprintBytesMax} from '#service/window/fingerprint.ts';
import type {ReadMarks} from '../read-marks.ts';

/** Bytes at the end of a rewritten file that are searched for the last lines read. */
const searchedBytesMax = 16 * 1024 * 1024;
/** Lines of fewer bytes in all may have been written twice. */
const provingBytes = 128;
const newline = 0x0a;

/** Returns the whole lines that were read last and stand only once among them, the last one first. */
const listLastLines = ({position, tail}: Fingerprint): readonly string[] => {
  const lines = tail
    .toString('latin1')
    .split('\n')
    .slice(position > tail.length ? 1 : 0, -1);
  return lines.filter(line => lines.indexOf(line) === lines.lastIndexOf(line)).toReversed();
};

/** Checks whether the front of a file is what was read, except for bytes that are NUL now, and the end is the same. */
const hasHole = async (handle: FileHandle, {position, head, tail}: Fingerprint): Promise<boolean> => {
  const front = await readRange(handle, 0, head.length);
  return (
    front.length === fingerprintBytesMax &&
    front.every((byte, index) => byte === 0 || byte === head[index]) &&
    (await readRange(handle, position - tail.length, position)).equals(tail)
  );
};

/**
 * Finds the place after the last lines read in a file that was written anew with others taken out or changed, or that
 * got a hole. Returns undefined if it has too few of them, or one of them twice.
 */
export const findReadEnd = async (handle: FileHandle, print: Fingerprint): Promise<number | undefined> => {
  if (await hasHole(handle, print)) {
    return print.position;
  }
  const {size} = await handle.stat();
  const from = Math.max(0, size - searchedBytesMax);
  // A line begins after a newline, the first one too.
  const content = Buffer.concat([Buffer.from([newline]), await readRange(handle, from, size)]);
  let end: number | undefined;
  let before = content.length;
  let provenBytes = 0;
  for (const line of listLastLines(print)) {
    const whole = Buffer.from(`\n${line}\n`, 'latin1');
    const index = content.indexOf(whole);
    if (index !== -1 && index < before && content.indexOf(whole, index + 1) === -1) {
      end ??= from + index + whole.length - 1;
      before = index;
      provenBytes += whole.length;
    }
  }
  return provenBytes >= provingBytes ? end : undefined;
};

type RewrittenContent = {
  readonly likeness: 'prefix' | 'other';
  readonly marks?: ReadMarks;
  readonly mayGrow: () => Promise<boolean>;
};

/** Where reading goes on in a file that was written anew, and whether it has the last lines read. */
export type ResumePlace = {readonly position: number; readonly isWhole: boolean};

/**
 * Finds where reading goes on in a file that was written anew: after the last lines read, or else after the front
 * that it has in common with what was read. Returns undefined as long as it may be receiving the rest of the old
 * content. A short front proves nothing: programs begin their logs with the same words.
 */
export const findResumePlace = async (
  handle: FileHandle,
  print: Fingerprint,
  {likeness, marks, mayGrow}: RewrittenContent,
): Promise<ResumePlace | undefined> => {
  const readEnd = await findReadEnd(handle, print);
  if (readEnd !== undefined) {
    return {position: readEnd, isWhole: true};
  }
  const common = await marks?.compare(handle);
  if (likeness === 'prefix' && !common?.isDiverged && (await mayGrow())) {
    return undefined;
  }
  if (common && (common.end >= fingerprintBytesMax || common.resume > common.end)) {
    const {offset} = await findLastLines(handle, common.resume, 0);
    return {position: offset, isWhole: false};
  }
  const {size} = await handle.stat();
  const isShortened = likeness === 'prefix' && !common && size >= fingerprintBytesMax;
  return {position: isShortened ? (await findLastLines(handle, size, 0)).offset : 0, isWhole: false};
};
