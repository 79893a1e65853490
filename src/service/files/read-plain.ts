import {once} from 'node:events';
import type {FileHandle} from 'node:fs/promises';
import {pipeline, type Readable} from 'node:stream';
import {mayBeginContainerLine} from '#service/window/container-line.ts';
import {fingerprintBytesMax} from '#service/window/fingerprint.ts';
import {describeKind, judgeFileKind} from './disk/file-kind.ts';
import {type Identified, isSameFile} from './disk/find-files.ts';
import {createFileOpener, type FileScope} from './disk/open-file.ts';
import {createDecompressor, describeDamage} from './follow/decompress-file.ts';

/** Bytes of a file that are read in one go: few calls, and little memory. */
const blockBytes = 128 * 1024;

/** Bytes by which a file is judged. */
const headBytes = 4096;

/** Returns where reading of a file begins. */
export type BeginsAt = (handle: FileHandle, path: string) => Promise<number>;

/** Says of what was opened by name why it shows nothing. */
export const blankWords = (name: string): string => `${name} has no lines so far, only NUL bytes.`;

/** Whether first bytes are those of lines as they were written: not packed, not a container's log, no hole. */
const beginsPlain = (head: Buffer): boolean => judgeFileKind(head) === 'text' && head[0] !== 0 && isWritten(head);

/** Whether lines are as they were written, not in the form of a container runtime, by their first bytes. */
export const isWritten = (head: Buffer): boolean =>
  !mayBeginContainerLine(head.toString('latin1').split('\n')[0] ?? '');

/**
 * Yields a file block by block, in memory that is used again: a block holds until the next one is asked for. Throws if
 * another file than this one has its name now.
 */
export const readBlocks = async function* (
  path: string,
  found: Identified,
  scope: FileScope,
  beginsAt: BeginsAt = async () => 0,
): AsyncGenerator<Buffer> {
  const handle = await createFileOpener(scope)(path);
  const block = Buffer.allocUnsafeSlow(blockBytes);
  try {
    const {dev: device, ino: inode} = await handle.stat({bigint: true});
    if (!isSameFile({device, inode}, found)) {
      throw new Error('it was replaced while it was opened');
    }
    for (let offset = await beginsAt(handle, path); ; ) {
      const {bytesRead} = await handle.read(block, 0, block.length, offset);
      if (bytesRead === 0) {
        return;
      }
      offset += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
};

/** Leaves out NUL bytes at the beginning: the hole that a writer leaves whose file is truncated. */
export const skipHole = async function* (blocks: AsyncIterable<Buffer>, onBlank: () => void): AsyncGenerator<Buffer> {
  let place: 'start' | 'hole' | 'lines' = 'start';
  for await (const block of blocks) {
    const from: number = place === 'lines' ? 0 : block.findIndex(byte => byte !== 0);
    place = from === -1 ? 'hole' : 'lines';
    if (place === 'lines') {
      yield block.subarray(from);
    }
  }
  if (place === 'hole') {
    onBlank();
  }
};

/** Returns the first bytes of what is read block by block; undefined if that is no text, or cannot be read. */
export const readHead = async (blocks: AsyncIterable<Buffer>): Promise<Buffer | undefined> => {
  try {
    for await (const block of skipHole(blocks, () => undefined)) {
      const head = Buffer.from(block.subarray(0, headBytes));
      return judgeFileKind(head) === 'text' ? head : undefined;
    }
    return Buffer.alloc(0);
  } catch {
    return undefined;
  }
};

/** Waits for the first bytes of a stream, which stay in it; none if it ended without any. */
const peek = async (stream: Readable): Promise<Buffer> => {
  if (stream.readableLength === 0 && !stream.readableEnded && !stream.destroyed) {
    const waiting = new AbortController();
    const events = ['readable', 'end'].map(event => once(stream, event, {signal: waiting.signal}));
    try {
      await Promise.race(events);
    } finally {
      waiting.abort();
      await Promise.allSettled(events);
    }
  }
  if (stream.errored) {
    throw stream.errored;
  }
  const first: unknown = stream.read();
  if (first !== null) {
    stream.unshift(first);
  }
  return Buffer.isBuffer(first) ? first.subarray(0, fingerprintBytesMax) : Buffer.alloc(0);
};

/** Yields what a stream has, unpacked if it is packed. Throws if it is neither text nor what can be unpacked here. */
export const unpackStream = async function* (stream: Readable): AsyncGenerator<Buffer> {
  const kind = judgeFileKind(await peek(stream));
  if (kind === 'xz' || kind === 'bzip2' || kind === 'UTF-16') {
    throw new Error(`it ${describeKind(kind)}`);
  }
  if (kind !== 'gzip' && kind !== 'zstd') {
    yield* stream;
    return;
  }
  const unpacked = createDecompressor(kind);
  // A failure of either is that of what is read.
  pipeline(stream, unpacked, () => undefined);
  try {
    yield* unpacked;
  } catch (error) {
    throw describeDamage(error, kind);
  }
};

/**
 * Returns the bytes of standard input, block by block. Undefined if that has more to be read than lines as they were
 * written, or cannot be read: nothing is lost of it then.
 */
export const readPlainStream = async (stdin: Readable): Promise<AsyncIterable<Buffer> | undefined> =>
  beginsPlain(await peek(stdin).catch(() => Buffer.alloc(0))) ? stdin : undefined;
