import type {FileHandle} from 'node:fs/promises';
import {advanceFingerprint, readRange} from '#service/window/fingerprint.ts';
import {leaveOutEnd, splitLines} from '#service/window/split-lines.ts';
import type {FollowedFile} from '../pod/followed-file.ts';
import {markedBytesMax} from '../read-marks.ts';

/** Bytes read, split and stored in one go: 5 to 10 ms of work before the event loop gets a turn. */
const blockBytesMax = 256 * 1024;

/** Read of a hole in one go, in bytes: as much work as a block of lines. */
const holeBytesMax = 32 * 1024 * 1024;
const nuls = Buffer.alloc(1024 * 1024);

/** Passes over the next blocks that are nothing but NUL bytes: a hole may have gigabytes. */
const passHole = async (file: FollowedFile, handle: FileHandle, sizeBytes: number): Promise<void> => {
  const to = Math.min(sizeBytes, file.print.position + holeBytesMax);
  const block = Buffer.allocUnsafeSlow(nuls.length);
  while (file.print.position + block.length <= to) {
    const {position} = file.print;
    const {bytesRead} = await handle.read(block, 0, block.length, position);
    if (bytesRead < block.length || !block.equals(nuls)) {
      return;
    }
    file.marks.add(position, nuls);
    file.print = advanceFingerprint(file.print, nuls, nuls.length);
  }
};

/** Takes the lines that were read. The file's position is already past them, so that both are stored together. */
export type TakeLines = (file: FollowedFile, lines: readonly string[]) => void;

/**
 * Reads at most `bytesMax` of what was appended to a file. Before each block, checks that the bytes before the position
 * are still those read there: a file that was truncated and has grown past the position looks like one that only grew.
 * `handle` is the file's own, or that of a copy with its rest. Returns whether the end was reached.
 */
export const readAhead = async (
  file: FollowedFile,
  handle: FileHandle,
  take: TakeLines,
  bytesMax: number,
): Promise<'same' | 'end' | 'more' | 'truncated'> => {
  const before = await handle.stat({bigint: true});
  const seen = {sizeBytes: Number(before.size), modifiedNs: before.mtimeNs};
  file.writtenAt = before.mtimeNs;
  if (file.seen && seen.sizeBytes === file.seen.sizeBytes && seen.modifiedNs === file.seen.modifiedNs) {
    return 'same';
  }
  file.seen = undefined;
  const {head} = file.print;
  if (!(await readRange(handle, 0, head.length)).equals(head)) {
    return 'truncated';
  }
  for (let bytesLeft = bytesMax; ; ) {
    const {position, tail} = file.print;
    if (seen.sizeBytes < position) {
      return 'truncated';
    }
    const to = Math.min(seen.sizeBytes, position + blockBytesMax);
    const read = await readRange(handle, position - tail.length, to);
    if (!read.subarray(0, tail.length).equals(tail)) {
      return 'truncated';
    }
    const bytes = read.subarray(tail.length);
    const {lines, bytesUsed} = splitLines(bytes, {atEnd: false});
    file.partial = Buffer.from(bytes.subarray(bytesUsed));
    if (file.marks.end() !== position && position <= markedBytesMax) {
      file.marks.add(0, await readRange(handle, 0, position));
    }
    if (bytesUsed > 0) {
      file.marks.add(position, bytes.subarray(0, bytesUsed));
      file.print = advanceFingerprint(file.print, bytes, bytesUsed);
      if (bytesUsed === bytes.length && bytes.at(-1) === 0) {
        await passHole(file, handle, seen.sizeBytes);
      }
      take(file, leaveOutEnd(lines, tail));
    }
    if (position + bytes.length < to) {
      // It became shorter between the two calls: the next look finds out how.
      return 'end';
    }
    if (file.print.position + file.partial.length >= seen.sizeBytes) {
      file.seen = seen;
      return 'end';
    }
    bytesLeft -= bytes.length;
    if (bytesLeft <= 0) {
      return 'more';
    }
  }
};
