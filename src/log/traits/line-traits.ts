import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type Chunk, sourceAt, sourcesIn, timeAt} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import {noOffsets} from '#log/buffer/offset-search.ts';
import {type ChunkCache, createChunkCache, createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {type Entry, type SourceName, textOf} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {type Follow, followLine, followNothing} from '#log/reading/continuation.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import type {Work} from '#log/work.ts';
import {foldText} from './fold-text.ts';

/** Stands for the level of a continuation whose head is in no chunk yet that was read: it is before the chunk. */
const unknownRank = 255;

type Tables = {
  readonly levels: Uint8Array;
  readonly continuations: Uint8Array;
  /** The levels of all lines, those of continuations that of their head. */
  readonly headRanks: Uint8Array;
};
type Traits = Tables & {
  /** The level of the last head of each source. */
  readonly lastHeads: ReadonlyMap<LineWriter, number>;
  /** The sources whose first lines continue a line before the chunk. */
  readonly continued: readonly LineWriter[];
};

/** Who wrote a line; undefined if nobody says so. */
export type LineWriter = SourceName | undefined;

const known: ChunkCache<Traits> = createChunkCache();

/** The reading of an open chunk so far: its levels, and where reading its source stood before and after each entry. */
type OpenRead = {
  readonly entries: readonly Entry[];
  readonly levels: Uint8Array;
  readonly befores: readonly Follow[];
  readonly follows: readonly Follow[];
};

/**
 * The last scanned open chunk, by its first entry: when lines are added to a chunk its first entry stays, and only the
 * added lines are scanned.
 */
const openBefore = createWeakCache<Entry, OpenRead>();

/**
 * Returns the rank of the level that each entry of a chunk states itself, see `levelRank`; 0 for one that states none,
 * for a continuation, and for a marker.
 */
export const levelsOf = (chunk: Chunk): Uint8Array => traitsOf(chunk).levels;

/**
 * Returns, for each entry of a chunk, 1 if it continues the line above it that its own source wrote, else 0. What is
 * above the chunk is not known: a first line that only its place makes a continuation (an exception below its error)
 * counts as a line of its own.
 */
export const continuationsOf = (chunk: Chunk): Uint8Array => traitsOf(chunk).continuations;

/**
 * Returns the level rank of each line of a chunk, of a continuation that of its head; `rankBefore` tells the rank of
 * the last head of a source before the chunk. 0 for a marker.
 */
export const headRanksOf = (chunk: Chunk, rankBefore: (source: LineWriter) => number): Uint8Array => {
  const {headRanks, continued} = traitsOf(chunk);
  return continued.length === 0
    ? headRanks
    : headRanks.map((rank, offset) => (rank === unknownRank ? rankBefore(sourceAt(chunk, offset)) : rank));
};

/** Returns the level rank of the last head of a source in a chunk; undefined if it has none. */
export const lastHeadRankOf = (chunk: Chunk, source: LineWriter): number | undefined =>
  traitsOf(chunk).lastHeads.get(source);

/** Returns the sources of a chunk whose first lines continue a line before it. */
export const continuedIn = (chunk: Chunk): readonly LineWriter[] => traitsOf(chunk).continued;

/** Checks whether the head of a line is before the line's chunk. */
export const isContinuedAt = (chunk: Chunk, offset: number): boolean =>
  traitsOf(chunk).headRanks[offset] === unknownRank;

/**
 * Fills the weak cache for a buffer. Changes no result: scans lines as they arrive, so that no key press has to scan
 * everything held.
 */
export function* readTraits({chunks}: LineBuffer): Work<void> {
  for (const chunk of chunks) {
    if (!areTraitsKnown(chunk)) {
      traitsOf(chunk);
      yield;
    }
  }
}

/** Checks whether the chunk was scanned already, so that a lookup is free. */
export const areTraitsKnown = (chunk: Chunk): boolean => known.get(chunk) !== undefined;

const findTraits = (chunk: Chunk): Traits => {
  const tables: Tables = {
    levels: new Uint8Array(chunk.entryCount),
    continuations: new Uint8Array(chunk.entryCount),
    headRanks: new Uint8Array(chunk.entryCount),
  };
  const sourceOf = hasSources(chunk) ? (offset: number) => sourceAt(chunk, offset) : () => undefined;
  const isLine = chunk.kind === 'open' ? readOpen(chunk.entries, tables) : readPacked(textsOf(chunk), tables, sourceOf);
  const lastHeads = new Map<LineWriter, number>();
  const continued = new Set<LineWriter>();
  for (let offset = 0; offset < chunk.entryCount; offset++) {
    if (isLine(offset)) {
      const source = sourceOf(offset);
      if (tables.continuations[offset] === 0) {
        lastHeads.set(source, tables.levels[offset] ?? 0);
      }
      const rank = lastHeads.get(source);
      tables.headRanks[offset] = rank ?? unknownRank;
      if (rank === undefined) {
        continued.add(source);
      }
    }
  }
  return {...tables, lastHeads, continued: [...continued]};
};

const traitsOf = once(known, findTraits);

const hasSources = (chunk: Chunk): boolean => [...sourcesIn(chunk)].some(source => source !== undefined);

const readText = ({levels, continuations}: Tables, offset: number, text: string, before: Follow): Follow => {
  const level = levelOf(text);
  const follow = followLine(before, text, level);
  continuations[offset] = follow.isContinuation ? 1 : 0;
  levels[offset] = follow.isContinuation ? 0 : levelRank(level);
  return follow;
};

type IsLine = (offset: number) => boolean;

const readPacked = (
  texts: readonly (string | undefined)[],
  tables: Tables,
  sourceOf: (offset: number) => LineWriter,
): IsLine => {
  const follows = new Map<LineWriter, Follow>();
  for (const [offset, text] of texts.entries()) {
    if (text !== undefined) {
      const source = sourceOf(offset);
      follows.set(source, readText(tables, offset, text, follows.get(source) ?? followNothing));
    }
  }
  return offset => texts[offset] !== undefined;
};

const readOpen = (entries: readonly Entry[], tables: Tables): IsLine => {
  const [first] = entries;
  const known = first === undefined ? undefined : openBefore.get(first);
  const bySource = new Map<LineWriter, Follow>();
  const befores: Follow[] = [];
  const follows: Follow[] = [];
  let offsetBefore = 0;
  for (const [offset, entry] of entries.entries()) {
    const source = entry.kind === 'line' ? entry.source : undefined;
    const before = bySource.get(source) ?? followNothing;
    const isKnown = known?.entries[offsetBefore] === entry;
    let follow = isKnown && known.befores[offsetBefore] === before ? known.follows[offsetBefore] : undefined;
    if (entry.kind !== 'line') {
      follow = before;
    } else if (follow === undefined) {
      follow = readText(tables, offset, textOf(entry), before);
    } else {
      tables.levels[offset] = known?.levels[offsetBefore] ?? 0;
      tables.continuations[offset] = follow.isContinuation ? 1 : 0;
    }
    bySource.set(source, follow);
    offsetBefore += isKnown ? 1 : 0;
    befores.push(before);
    follows.push(follow);
  }
  if (first !== undefined) {
    openBefore.set(first, {entries, levels: tables.levels, befores, follows});
  }
  return offset => entries[offset]?.kind === 'line';
};

const errorRank = levelRank('error');

/** Reads a line after those that led to `before`, and tells whether it is an error of its own: see `errorOffsetsOf`. */
export const readError = (before: Follow, text: string): {readonly follow: Follow; readonly isError: boolean} => {
  const level = levelOf(text);
  const follow = followLine(before, text, level);
  return {follow, isError: !follow.isContinuation && levelRank(level) >= errorRank};
};

const findOffsets = (chunk: Chunk, rankMin: number): Uint16Array => {
  const offsets: number[] = [];
  const levels = levelsOf(chunk);
  // By index: of a million lines, an iterator's pairs cost more than all else here.
  for (let offset = 0; offset < levels.length; offset++) {
    if ((levels[offset] ?? 0) >= rankMin) {
      offsets.push(offset);
    }
  }
  return offsets.length === 0 ? noOffsets : Uint16Array.from(offsets);
};

/**
 * Returns the offsets of a chunk's errors, in order: lines of level error or above. The lines of a trace are part of
 * the error above them. All counts and jumps go by these.
 */
export const errorOffsetsOf = once(createChunkCache<Uint16Array>(), (chunk: Chunk) => findOffsets(chunk, errorRank));

/** Returns the offsets of a chunk's warnings and errors, in order, likewise. */
export const warningOffsetsOf = once(createChunkCache<Uint16Array>(), (chunk: Chunk) =>
  findOffsets(chunk, levelRank('warn')),
);

const findErrorTimes = (chunk: Chunk): readonly Instant[] =>
  [...errorOffsetsOf(chunk)].map(offset => timeAt(chunk, offset)).filter(at => at !== undefined);

/** Returns the times of a chunk's errors, in order. */
export const errorTimesOf = once(createChunkCache<readonly Instant[]>(), findErrorTimes);

/** Hashes a text to 53 bits, by two multiplications in turn: of a million kinds, one in 20,000 logs has two alike. */
const hashOf = (text: string, seed: number): number => {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
};

/**
 * Returns a number for each entry of a chunk that is the same for lines that say the same, but for ids, numbers and the
 * like, at the same level. It takes 8 bytes a line, and stays as long as the chunk.
 */
export const kindsOf = once(createChunkCache<Float64Array>(), (chunk: Chunk) => {
  const levels = levelsOf(chunk);
  return Float64Array.from(textsOf(chunk), (text, offset) =>
    text === undefined ? 0 : hashOf(foldText(text), levels[offset] ?? 0),
  );
});
