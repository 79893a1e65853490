import type {FileHandle} from 'node:fs/promises';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import type {HeldFrom, HeldTo, ReadDirection} from '#log/line/unread.ts';
import {fingerprintBytesMax, readRange} from '#service/window/fingerprint.ts';
import type {LineSink} from '#service/window/line-sink.ts';
import {splitLines} from '#service/window/split-lines.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {namesOfPath} from '../disk/find-files.ts';

/** Read of a file at a time, in bytes: some screens of lines. */
const blockBytes = 512 * 1024;

/** The timestamp before a line. */
const stampBytes = 31;

/** An open file. `close` leaves one open that others read. */
export type HeldFile = {readonly handle: FileHandle; close(): Promise<void>};

/** The range of a file that is or was read: the bytes from `from` to `to`. */
export type FileRange = {
  readonly podKey: number;
  readonly path: string;
  readonly file: HeldFile;
  from: number;
  to: number;
  /** Its first bytes; left out: as they are now. */
  readonly head?: Buffer | undefined;
  /** Bytes after this offset are not read. */
  readonly until: number;
  /** The times of the first and the last line that was read. */
  firstAt: Instant;
  lastAt: Instant;
};

type RangedFile = FileRange & {
  readonly head: Buffer;
  /** It is no longer the same file: what was not read can be read no more. */
  isGone: boolean;
};

/** Reads files on from where they were read, in both directions. */
export type RangeReader = {
  add(range: FileRange): Promise<void>;
  /** Learns when the first lines were written, once those are in the window. */
  begin(): void;
  ranges(): readonly FileRange[];
  /** From when on all files were read; undefined if they were read from their beginning. */
  readFrom(): HeldFrom | undefined;
  /** Up to when all files were read. */
  readTo(): HeldTo;
  hasMore(direction: ReadDirection): boolean;
  /** Bytes of the lines that were read. */
  heldBytes(): number;
  /** Reads a block of the file that reaches the least in a direction. Returns the number of its lines. */
  readBlock(direction: ReadDirection): Promise<number>;
  /** Whether lines from before the first ones came after the one with this number. */
  hasEarlierAfter(number: number): boolean;
  close(): Promise<void>;
};

export const createRangeReader = (sink: LineSink, blockBytesMax = blockBytes): RangeReader => {
  const files: RangedFile[] = [];
  let heldBytes = 0;
  let earlierThrough = 0;

  const unread = (direction: ReadDirection): readonly RangedFile[] =>
    files.filter(({from, to, until}) => (direction === 'earlier' ? from > 0 : to < until));
  const readable = (direction: ReadDirection): RangedFile | undefined =>
    unread(direction)
      .filter(({isGone}) => !isGone)
      .toSorted((left, right) =>
        direction === 'earlier' ? (left.firstAt > right.firstAt ? -1 : 1) : left.lastAt < right.lastAt ? -1 : 1,
      )[0];

  const readLines = async (range: RangedFile, direction: ReadDirection): Promise<readonly string[]> => {
    const {
      file: {handle},
      head,
      until,
    } = range;
    const isEarlier = direction === 'earlier';
    const from = isEarlier ? Math.max(0, range.from - blockBytesMax) : range.to;
    const to = isEarlier ? range.from : Math.min(until, range.to + blockBytesMax);
    const block = await readRange(handle, from, to);
    if (block.length < to - from || !(await readRange(handle, 0, head.length)).equals(head)) {
      range.isGone = true;
      return [];
    }
    // A line longer than a block is cut, as all long lines are.
    const start = isEarlier && from > 0 ? block.subarray(0, -1).indexOf(0x0a) + 1 : 0;
    const end = isEarlier || to === until ? block.length : block.lastIndexOf(0x0a) + 1 || block.length;
    range.from = isEarlier ? from + start : range.from;
    range.to = isEarlier ? range.to : from + end;
    const {lines} = splitLines(block.subarray(start, end), {atEnd: true});
    heldBytes += end - start + lines.length * stampBytes;
    return lines;
  };

  return {
    add: async range => {
      const head =
        range.head ??
        (await readRange(range.file.handle, 0, Math.min(Math.max(range.from, range.until), fingerprintBytesMax)));
      files.push({...range, head, isGone: false});
    },
    begin: () => {
      const lines = sink.window.lines();
      for (const file of files) {
        const {file: name} = namesOfPath(file.path);
        const isOwn = (container = name): boolean => container === name;
        const first = lines.find(({podKey, source}) => podKey === file.podKey && isOwn(source.container));
        file.firstAt = first?.stamp ?? file.firstAt;
      }
    },
    ranges: () => files,
    readFrom: () => {
      const at = latestOf(unread('earlier').map(({firstAt}) => firstAt));
      return at === undefined ? undefined : {at, why: 'unread'};
    },
    readTo: () => {
      const next = earliestOf(unread('later').map(({lastAt}) => lastAt));
      return next === undefined
        ? {at: latestOf(files.map(({lastAt}) => lastAt)) ?? 0n, why: 'newest'}
        : {at: next, why: 'unread'};
    },
    hasMore: direction => readable(direction) !== undefined,
    heldBytes: () => heldBytes,
    readBlock: async direction => {
      const file = readable(direction);
      if (!file) {
        return 0;
      }
      const lines = await readLines(file, direction);
      const stream = {podKey: file.podKey, names: namesOfPath(file.path), stamps: emptyStreamStamps, held: {}};
      if (direction === 'earlier') {
        file.firstAt = sink.insertAround(stream, lines, {head: file.head, before: file.firstAt});
        earlierThrough = sink.window.last();
      } else {
        file.lastAt = sink.insertAround(stream, lines, {head: file.head, after: file.lastAt});
      }
      return lines.length;
    },
    hasEarlierAfter: number => number < earlierThrough,
    close: async () => {
      await Promise.all(files.map(({file}) => file.close()));
    },
  };
};
