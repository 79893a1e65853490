import type {FileHandle} from 'node:fs/promises';
import {readRange} from '#service/window/fingerprint.ts';

/** The kind of a file, judged by its first block. `unknown`: there are too few bytes yet. */
export type FileKind = 'unknown' | 'text' | 'gzip' | 'zstd' | 'xz' | 'bzip2' | 'UTF-16' | 'binary';

/** Large enough to contain a NUL in any binary format likely to be found among logs. */
const firstBlockBytes = 4096;

const magics: readonly {readonly kind: FileKind; readonly bytes: Buffer}[] = [
  {kind: 'gzip', bytes: Buffer.from([0x1f, 0x8b])},
  {kind: 'zstd', bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd])},
  {kind: 'xz', bytes: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])},
  {kind: 'bzip2', bytes: Buffer.from('BZh')},
  {kind: 'UTF-16', bytes: Buffer.from([0xff, 0xfe])},
  {kind: 'UTF-16', bytes: Buffer.from([0xfe, 0xff])},
];
/** Fewer could be text in no encoding at all. */
const telltalePairs = 4;
/** Follows `BZh` and a digit; needed because a text log may begin with those letters. */
const bzip2BlockMagic = Buffer.from([0x31, 0x41, 0x59, 0x26, 0x53, 0x59]);

const newline = 0x0a;

/**
 * A run of NULs at the start of a line is the hole left by a writer that does not append, and is no sign of a binary
 * file. A NUL after other bytes of a line is.
 */
const hasInnerNul = (block: Buffer): boolean => {
  for (let index = block.indexOf(0); index !== -1; index = block.indexOf(0, index + 1)) {
    const before = index === 0 ? newline : block[index - 1];
    if (before !== newline && before !== 0) {
      return true;
    }
  }
  return false;
};

/** Without a byte order mark, text is UTF-16 if exactly one byte of each pair is NUL, always on the same side. */
const isUtf16 = (block: Buffer): boolean => {
  const pairs = Math.floor(block.length / 2);
  const holds = (isNulAt: (index: number) => boolean): boolean =>
    block.subarray(0, 2 * pairs).every((byte, index) => (byte === 0) === isNulAt(index));
  return pairs >= telltalePairs && (holds(index => index % 2 === 1) || holds(index => index % 2 === 0));
};

/** Judges a file by its first bytes. Returns `unknown` for a block that could still become any of the formats. */
export const judgeFileKind = (block: Buffer): FileKind => {
  for (const {kind, bytes} of magics) {
    const length = Math.min(block.length, bytes.length);
    if (!block.subarray(0, length).equals(bytes.subarray(0, length))) {
      continue;
    }
    if (block.length < bytes.length) {
      return 'unknown';
    }
    if (kind !== 'bzip2' || block.subarray(4, 10).equals(bzip2BlockMagic)) {
      return kind;
    }
  }
  return hasInnerNul(block) ? (isUtf16(block) ? 'UTF-16' : 'binary') : 'text';
};

/** Returns whether a known file can be read. A file that was followed as text stays text, whatever NULs it has. */
export const isReadableKind = (kind: FileKind): boolean => kind === 'unknown' || kind === 'text' || kind === 'binary';

/** Says why a file of this kind is not served, after its name. */
export const describeKind = (kind: FileKind): string =>
  kind === 'UTF-16'
    ? 'is text in UTF-16, not in UTF-8: `iconv -f UTF-16 -t UTF-8` converts it'
    : `is not text (${kind})`;

export const findFileKind = async (handle: FileHandle): Promise<FileKind> =>
  judgeFileKind(await readRange(handle, 0, firstBlockBytes));
