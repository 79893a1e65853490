import type {FileHandle} from 'node:fs/promises';
import {type Instant, latestOf} from '../../log/line/instant.ts';
import {namesOfPath} from '../files/disk/names-of-path.ts';
import {fingerprintBytesMax} from '../lines/fingerprint.ts';
import {readRange} from '../lines/last-lines.ts';
import {splitLines} from '../lines/split-lines.ts';
import {emptyStreamStamps} from '../lines/stream-stamps.ts';
import type {LineSink} from '../sink/line-sink.ts';

/** Read of a file at a time, in bytes: some screens of lines. */
const blockBytes = 512 * 1024;

/** The timestamp before a line. */
const stampBytes = 31;

/** A file whose beginning was not read. */
type BackFile = {
  readonly podKey: number;
  readonly path: string;
  readonly handle: FileHandle;
  readonly head: Buffer;
  /** What comes before this offset was not read. */
  end: number;
  /** The time of the first line that was read. */
  firstAt: Instant;
  /** It is no longer the same file: what was not read can be read no more. */
  isGone: boolean;
};

/** Reads files backwards from where reading began. */
export type BackReader = {
  /** Takes over a file whose first `end` bytes are not read. */
  add(podKey: number, path: string, handle: FileHandle, end: number): Promise<void>;
  /** Learns when the first lines were written, once those are in the window. */
  begin(): void;
  /** From when on all files were read; undefined if they were read from their beginning. */
  readFrom(): Instant | undefined;
  /** Whether there is something to read. */
  hasMore(): boolean;
  /** What the lines that were read take, in bytes. */
  heldBytes(): number;
  /** Reads a block of the file that reaches back the least. Returns the number of its lines. */
  readBlock(): Promise<number>;
  close(): Promise<void>;
};

export const createBackReader = (sink: LineSink, now: () => Instant): BackReader => {
  const files: BackFile[] = [];
  let heldBytes = 0;

  const unread = (): readonly BackFile[] => files.filter(({end}) => end > 0);
  const readable = (): BackFile | undefined =>
    unread()
      .filter(({isGone}) => !isGone)
      .toSorted((left, right) => (left.firstAt > right.firstAt ? -1 : 1))[0];

  const readBlockOf = async (file: BackFile): Promise<readonly string[]> => {
    const {handle, head} = file;
    const from = Math.max(0, file.end - blockBytes);
    const block = await readRange(handle, from, file.end);
    if (block.length < file.end - from || !(await readRange(handle, 0, head.length)).equals(head)) {
      file.isGone = true;
      return [];
    }
    // A line longer than a block is cut, as all long lines are.
    const start = from === 0 ? 0 : block.subarray(0, -1).indexOf(0x0a) + 1;
    file.end = from + start;
    const {lines} = splitLines(block.subarray(start), {atEnd: true});
    heldBytes += block.length - start + lines.length * stampBytes;
    return lines;
  };

  return {
    add: async (podKey, path, handle, end) => {
      const head = await readRange(handle, 0, Math.min(end, fingerprintBytesMax));
      files.push({podKey, path, handle, head, end, firstAt: now(), isGone: false});
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
    readFrom: () => latestOf(unread().map(({firstAt}) => firstAt)),
    hasMore: () => readable() !== undefined,
    heldBytes: () => heldBytes,
    readBlock: async () => {
      const file = readable();
      if (!file) {
        return 0;
      }
      const lines = await readBlockOf(file);
      const stream = {podKey: file.podKey, names: namesOfPath(file.path), stamps: emptyStreamStamps, held: {}};
      file.firstAt = sink.takeEarlier(stream, lines, {head: file.head, before: file.firstAt});
      return lines.length;
    },
    close: async () => {
      await Promise.all(files.map(({handle}) => handle.close()));
    },
  };
};
