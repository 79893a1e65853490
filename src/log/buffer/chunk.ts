import type {Entry, SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {
  expandTexts,
  type Packed,
  type PackedTexts,
  packEntries,
  readSingly,
  type SlabWriter,
  sourceIn,
  unpackEntries,
} from './packed.ts';

/**
 * Key of a chunk's entries, open or packed, in weak caches. Its one field keeps it distinct from other objects in the
 * type system.
 */
export type ChunkKey = {readonly isChunkKey: true};

type ChunkSize = {
  /** Weak caches use this key: a packed chunk keeps what is known of the open chunk it was made from. */
  readonly key: ChunkKey;
  readonly entryCount: number;
  readonly lineCount: number;
  /** Memory it takes, in bytes. */
  readonly bytes: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
};

/**
 * A run of entries: as objects, or packed, with its lines as compressed text in a slab. Chunks never change once a
 * buffer holds them, so buffers share them.
 */
export type Chunk = ChunkSize &
  ({readonly kind: 'open'; readonly entries: readonly Entry[]} | {readonly kind: 'packed'; readonly packed: Packed});

/** Returns the entries of a chunk. Those of a packed chunk are rebuilt, and kept only while in use. */
export const entriesOf = (chunk: Chunk): readonly Entry[] =>
  chunk.kind === 'open' ? chunk.entries : unpacked(chunk.packed);

/** Returns the time of one entry. Unpacks nothing. */
export const timeAt = (chunk: Chunk, offset: number): Instant | undefined =>
  chunk.kind === 'open' ? chunk.entries[offset]?.at : chunk.packed.times[offset];

/** Returns the source of the line at an offset; undefined if it is not known. Unpacks nothing. */
export const sourceAt = (chunk: Chunk, offset: number): SourceName | undefined => {
  if (chunk.kind === 'packed') {
    return sourceIn(chunk.packed.sources, offset);
  }
  const entry = chunk.entries[offset];
  return entry?.kind === 'line' ? entry.source : undefined;
};

/** Returns the sources that occur among the lines of a chunk. Unpacks nothing. */
export const sourcesIn = (chunk: Chunk): ReadonlySet<SourceName | undefined> =>
  chunk.kind === 'packed'
    ? new Set(chunk.packed.sources.table)
    : new Set(chunk.entries.map((_, offset) => sourceAt(chunk, offset)));

/** Overhead besides the text: its time, its length, where it begins and whether it is late. */
export const entryOverheadBytes = 12;

/**
 * Returns the size of an entry in bytes. Counts each character as one byte, which holds for nearly all log lines. Once
 * packed it is less: a timestamp in the usual form is not stored.
 */
export const entryBytes = (entry: Entry): number => entryOverheadBytes + (entry.kind === 'line' ? entry.raw.length : 0);

/** Makes a chunk of ordinary objects. Takes ownership of the list. */
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

/** Packs a chunk. Returns the chunk itself if that can't be done, see `packEntries`. */
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
    bytes: packed.texts.length + entryOverheadBytes * chunk.entryCount,
    firstAt: chunk.firstAt,
    lastAt: chunk.lastAt,
  };
};

/** The most recently unpacked chunks to keep: with eight branches on the screen, each pane covers two. */
const unpackedMax = 16;
const lastUnpacked: {packed: Packed; entries: readonly Entry[]}[] = [];

const unpacked = (packed: Packed): readonly Entry[] =>
  recall(
    lastUnpacked,
    unpackedMax,
    each => each.packed === packed,
    () => ({packed, entries: unpackEntries(packed)}),
  ).entries;

/** The most recently expanded texts to keep, some 64 kB each: each row of a screen may be of another chunk. */
const expandedMax = 64;
const lastExpanded: {texts: PackedTexts; utf8: Buffer}[] = [];

const expanded = (texts: PackedTexts): Buffer =>
  recall(
    lastExpanded,
    expandedMax,
    each => each.texts === texts,
    () => ({texts, utf8: expandTexts(texts)}),
  ).utf8;

/** Returns what is remembered, or else made, and moves it to the front of at most `max`. */
const recall = <T>(recent: T[], max: number, isWanted: (each: T) => boolean, make: () => T): T => {
  const index = recent.findIndex(isWanted);
  const found = recent[index] ?? make();
  if (index !== 0) {
    if (index > 0) {
      recent.splice(index, 1);
    }
    recent.unshift(found);
    recent.length = Math.min(recent.length, max);
  }
  return found;
};

/** At most this many entries of a packed chunk are read one by one; for more it is unpacked. */
const singleReadsMax = 32;

/** Returns the entries of a chunk at ascending offsets. Reads a few without unpacking all others. */
export const entriesAt = (chunk: Chunk, offsets: Uint16Array): readonly Entry[] => {
  const isReadSingly =
    chunk.kind === 'packed' &&
    chunk.packed.texts.isAscii &&
    offsets.length <= singleReadsMax &&
    !lastUnpacked.some(each => each.packed === chunk.packed);
  if (isReadSingly) {
    return readSingly(chunk.packed, expanded(chunk.packed.texts), offsets);
  }
  const entries = entriesOf(chunk);
  return Array.from(offsets, offset => entries[offset]).filter(entry => entry !== undefined);
};
