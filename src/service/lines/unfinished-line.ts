import {cutBefore, lineBytesMax} from '../window/split-lines.ts';

/** A line whose end does not come for this long is shown as it stands. Its rest becomes a line of its own. */
export const unfinishedMsMax = 2_000;

const newline = 0x0a;

/** Returns how many bytes at the end are the beginning of a UTF-8 sequence. */
const countCutBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) !== 0x80) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return length > back ? back : 0;
    }
  }
  return 0;
};

/** Reads what there is of a line without its end, empty if nothing can be shown, and how many bytes that took. */
export const readUnfinished = (partial: Buffer): {readonly text: string; readonly bytesUsed: number} => {
  const end = cutBefore(partial, Math.min(partial.length, lineBytesMax));
  const bytesUsed = end - countCutBytes(partial.subarray(0, end));
  return {text: partial.toString('utf8', 0, bytesUsed).replace(/^\0+/, '').replace(/\r$/, ''), bytesUsed};
};

/** Leaves out the end of a line that was shown before its end came: nothing is left of it. `tail`: what was read. */
export const leaveOutEnd = (lines: readonly string[], tail: Buffer): readonly string[] =>
  lines[0] === '' && tail.length > 0 && tail.at(-1) !== newline ? lines.slice(1) : lines;
