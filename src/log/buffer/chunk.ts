import type {Entry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import {type Packed, packEntries, readSingly, unpackEntries} from './packed.ts';
import type {SlabWriter} from './slab.ts';

/** Stands for the entries of a chunk, open or packed, in tables of what was found out about them. Its one field keeps it apart from other objects. */
export type ChunkKey = {readonly isChunkKey: true};

type ChunkSize = {
  /** What is known of these entries is kept by this: a packed chunk has that of the open one it was made from. */
  readonly key: ChunkKey;
  readonly entryCount: number;
  readonly lineCount: number;
  /** What it takes in memory, in bytes. */
  readonly bytes: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
};

/**
 * A run of entries: as objects, or packed, with its lines as text side by side in a slab. Chunks are never changed once a
 * buffer holds them, so buffers share them.
 */
export type Chunk = ChunkSize &
  ({readonly kind: 'open'; readonly entries: readonly Entry[]} | {readonly kind: 'packed'; readonly packed: Packed});

/** The entries of a chunk; of a packed one they are made anew, for as long as somebody looks at them. */
export const entriesOf = (chunk: Chunk): readonly Entry[] =>
  chunk.kind === 'open' ? chunk.entries : unpacked(chunk.packed);

/** The time of one entry. Costs no unpacking. */
export const timeAt = (chunk: Chunk, offset: number): Instant | undefined =>
  chunk.kind === 'open' ? chunk.entries[offset]?.at : chunk.packed.times[offset];

/** Beside the text: its time, its length, where it begins and whether it is late. */
export const entryOverheadBytes = 12;

/**
 * What an entry takes, in bytes; characters are counted as one byte each, which holds for log lines nearly always. Once packed it is less: a timestamp
 * in the usual form is not stored. */
export const entryBytes = (entry: Entry): number => entryOverheadBytes + (entry.kind === 'line' ? entry.raw.length : 0);

/** A chunk of ordinary objects. It takes over the list. */
export const openChunk = (entries: readonly Entry[]): Chunk => {
  let lineCount = 0;
  let bytes = 0;
  for (const entry of entries) {
    lineCount += entry.kind === 'line' ? 1 : 0;
    bytes += entryBytes(entry);
  }
  return {
    kind: 'open',
    key: {isChunkKey: true},
    entries,
    entryCount: entries.length,
    lineCount,
    bytes,
    firstAt: entries[0]?.at ?? 0n,
    lastAt: entries.at(-1)?.at ?? 0n,
  };
};

/** The same chunk packed; the chunk itself where that can't be done, see `packEntries`. */
export const packChunk = (chunk: Chunk, slabs: SlabWriter): Chunk => {
  const packed = packEntries(entriesOf(chunk), slabs);
  if (packed === undefined) {
    return chunk;
  }
  return {
    kind: 'packed',
    key: chunk.key,
    packed,
    entryCount: chunk.entryCount,
    lineCount: chunk.lineCount,
    bytes: packed.bytes.length + entryOverheadBytes * chunk.entryCount,
    firstAt: chunk.firstAt,
    lastAt: chunk.lastAt,
  };
};

/** Chunks unpacked last: of each of eight branches on the screen the pane lies in two. */
const unpackedMax = 16;
const lastUnpacked: {packed: Packed; entries: readonly Entry[]}[] = [];

const unpacked = (packed: Packed): readonly Entry[] => {
  const index = lastUnpacked.findIndex(each => each.packed === packed);
  const found = lastUnpacked[index] ?? {packed, entries: unpackEntries(packed)};
  if (index !== 0) {
    if (index > 0) {
      lastUnpacked.splice(index, 1);
    }
    lastUnpacked.unshift(found);
    lastUnpacked.length = Math.min(lastUnpacked.length, unpackedMax);
  }
  return found.entries;
};

/** Of a packed chunk, so many entries at the most are read one by one; for more it is unpacked. */
const singleReadsMax = 32;

/** The entries of a chunk at some offsets, which rise. A few are read without unpacking all the others. */
export const entriesAt = (chunk: Chunk, offsets: Uint16Array): readonly Entry[] => {
  const isReadSingly =
    chunk.kind === 'packed' &&
    chunk.packed.isAscii &&
    offsets.length <= singleReadsMax &&
    !lastUnpacked.some(each => each.packed === chunk.packed);
  if (isReadSingly) {
    return readSingly(chunk.packed, offsets);
  }
  const entries = entriesOf(chunk);
  return Array.from(offsets, offset => entries[offset]).filter(entry => entry !== undefined);
};
