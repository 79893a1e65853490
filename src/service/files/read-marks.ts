import type {FileHandle} from 'node:fs/promises';
import {type Fingerprint, findLastLines, fingerprintBytesMax, readRange} from '#service/window/fingerprint.ts';

/** Loaded on first use: `open` has this in the chunk of the first screen. */
let zlib: typeof import('node:zlib') | undefined;
const crc32 = (data: Buffer, value?: number): number => {
  zlib ??= process.getBuiltinModule('node:zlib');
  return zlib.crc32(data, value);
};

/** Marks kept of one file; past that, older ones get farther apart. */
const marksMax = 4096;
const blockBytes = 256 * 1024;
/** A file with more before the reading position is not read again for its marks. */
export const markedBytesMax = 1024 * 1024;
const newline = 0x0a;

export const createReadMarks = () => {
  const offsets: number[] = [];
  const sums: number[] = [];
  /** Marks before this index are not of each line. */
  let sparseCount = 0;
  let end = 0;
  let sum = 0;

  const thinOut = (): void => {
    sparseCount = marksMax / 4;
    for (let index = 0; index + sparseCount < offsets.length; index += 1) {
      const from = index < sparseCount ? 2 * index + 1 : index + sparseCount;
      offsets[index] = offsets[from] ?? 0;
      sums[index] = sums[from] ?? 0;
    }
    offsets.length -= sparseCount;
    sums.length -= sparseCount;
  };

  const clear = (): void => {
    offsets.length = 0;
    sums.length = 0;
    sparseCount = 0;
    end = 0;
    sum = 0;
  };

  return {
    /** The offset up to which there are marks. */
    end: (): number => end,
    /**
     * Adds bytes read at an offset, whole lines. Bytes that do not follow those before leave the file without marks.
     */
    add: (from: number, bytes: Buffer): void => {
      if (from !== end || from === 0) {
        clear();
      }
      if (from !== end) {
        return;
      }
      for (let start = 0; start < bytes.length; ) {
        const found = bytes.indexOf(newline, start);
        const to = found === -1 ? bytes.length : found + 1;
        sum = crc32(bytes.subarray(start, to), sum);
        offsets.push(from + to);
        sums.push(sum);
        if (offsets.length > marksMax) {
          thinOut();
        }
        start = to;
      }
      end = from + bytes.length;
    },
    /**
     * Compares the content of an open file: how much of it is what was read. `end`: of the last line that is certainly
     * the same. `resume`: the first place after it where nothing that was read can follow; `end`, if every line around
     * it is marked. `isDiverged`: something else follows, as opposed to the end of the file. Returns undefined without
     * marks.
     */
    compare: async (handle: FileHandle) => {
      if (end === 0) {
        return undefined;
      }
      const {size} = await handle.stat();
      let block: Buffer = Buffer.alloc(0);
      let blockFrom = 0;
      let common = 0;
      let seen = 0;
      for (const [index, offset] of offsets.entries()) {
        const isExact = index >= sparseCount;
        if (offset > size) {
          const isLineThere = (await readRange(handle, common, size)).includes(newline);
          return {end: common, resume: isExact ? common : size, isDiverged: isExact && isLineThere};
        }
        if (offset > blockFrom + block.length) {
          blockFrom = common;
          block = await readRange(handle, common, Math.max(offset, Math.min(size, common + blockBytes)));
        }
        seen = crc32(block.subarray(common - blockFrom, offset - blockFrom), seen);
        if (seen !== sums[index]) {
          return {end: common, resume: isExact ? common : offset, isDiverged: true};
        }
        common = offset;
      }
      return {end: common, resume: common, isDiverged: size > common};
    },
  };
};

/**
 * Checksums of what was read of a file, from its first byte to the end of many of its lines: they show up to which line
 * a file that was rewritten is the old one.
 */
export type ReadMarks = ReturnType<typeof createReadMarks>;

/** Bytes at the end of a rewritten file that are searched for the last lines read. */
const searchedBytesMax = 16 * 1024 * 1024;
/** Lines of fewer bytes in all may have been written twice. */
const provingBytes = 128;
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
 * Finds the place after the last lines read in a file that was rewritten with others taken out or changed, or that
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

/** Where reading goes on in a file that was rewritten, and whether it has the last lines read. */
export type ResumePlace = {readonly position: number; readonly isWhole: boolean};

/**
 * Finds where reading goes on in a file that was rewritten: after the last lines read, or else after the front that
 * it has in common with what was read. A short front proves nothing: programs begin their logs with the same words.
 */
export const findResumePlace = async (
  handle: FileHandle,
  {print, marks}: {readonly print: Fingerprint; readonly marks: ReadMarks},
  likeness: 'prefix' | 'other',
): Promise<ResumePlace> => {
  const readEnd = await findReadEnd(handle, print);
  if (readEnd !== undefined) {
    return {position: readEnd, isWhole: true};
  }
  const common = await marks.compare(handle);
  if (common && (common.end >= fingerprintBytesMax || common.resume > common.end)) {
    const {offset} = await findLastLines(handle, common.resume, 0);
    return {position: offset, isWhole: false};
  }
  const {size} = await handle.stat();
  const isShortened = likeness === 'prefix' && !common && size >= fingerprintBytesMax;
  return {position: isShortened ? (await findLastLines(handle, size, 0)).offset : 0, isWhole: false};
};
