import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type Chunk, entriesOf} from '#log/buffer/chunk.ts';
import {noOffsets} from '#log/buffer/offset-search.ts';
import {type ChunkCache, createChunkCache} from '#log/buffer/weak-cache.ts';

/** The known matches of a pattern in a chunk. */
export type ChunkMatches = {
  /** The offsets of the lines that match, ascending. */
  readonly offsets: Uint16Array;
  /** The offsets of lines not tried yet: they came in after the others. */
  readonly unknown: Uint16Array;
};

/**
 * Where a pattern matches, as far as it was tried: a `ChunkCache` that answers from the search fill. Unlike other side
 * tables it decides what is shown, so `version` is part of the state: a state with more known is a different state.
 */
export type Matches = {
  /** How many times something became known. */
  readonly version: () => number;
  /** Returns undefined if the chunk was not tried. */
  readonly of: (chunk: Chunk) => ChunkMatches | undefined;
  /** Stores the result of trying a whole chunk. */
  readonly take: (chunk: Chunk, offsets: Uint16Array) => void;
  /**
   * Carries known matches over to the chunks that hold the same lines after a buffer changed. O(chunks + lines of
   * changed chunks).
   */
  readonly carry: (before: LineBuffer, after: LineBuffer) => void;
  /** Returns the chunks still to be tried, newest first. */
  readonly pendingIn: (buffer: LineBuffer) => readonly Chunk[];
};

export const createMatches = (): Matches => {
  const table: ChunkCache<ChunkMatches> = createChunkCache();
  let version = 0;
  const set = (chunk: Chunk, matches: ChunkMatches): void => {
    table.set(chunk, matches);
    version += 1;
  };
  return {
    version: () => version,
    of: chunk => table.get(chunk),
    take: (chunk, offsets) => set(chunk, {offsets, unknown: noOffsets}),
    carry: (before, after) => {
      const kept = new Set(after.chunks.map(({key}) => key));
      const gone = before.chunks.filter(chunk => !kept.has(chunk.key) && table.get(chunk) !== undefined);
      const changed = after.chunks.filter(
        chunk => table.get(chunk) === undefined && gone.some(each => mayShare(each, chunk)),
      );
      const known = readKnown(table, gone, changed);
      for (const chunk of changed) {
        const matches = carryInto(chunk, known);
        if (matches !== undefined) {
          set(chunk, matches);
        }
      }
    },
    pendingIn: ({chunks}) => chunks.filter(chunk => table.get(chunk)?.unknown.length !== 0).reverse(),
  };
};

/** Whether entries match, by id; entries that were not tried are missing. */
type Known = ReadonlyMap<number, boolean>;

/** Checks whether entries of one chunk may be in the other, by their times. */
const mayShare = (a: Chunk, b: Chunk): boolean => a.lastAt >= b.firstAt && a.firstAt <= b.lastAt;

/** Returns what is known of the entries in chunks that are gone and that may be in the chunks that replaced them. */
const readKnown = (table: ChunkCache<ChunkMatches>, gone: readonly Chunk[], changed: readonly Chunk[]): Known => {
  const known = new Map<number, boolean>();
  for (const chunk of gone) {
    const matches = table.get(chunk);
    if (matches === undefined || !changed.some(each => mayShare(each, chunk))) {
      continue;
    }
    const matching = new Set(matches.offsets);
    const unknown = new Set(matches.unknown);
    for (const [offset, {id}] of entriesOf(chunk).entries()) {
      if (!unknown.has(offset)) {
        known.set(id, matching.has(offset));
      }
    }
  }
  return known;
};

const carryInto = (chunk: Chunk, known: Known): ChunkMatches | undefined => {
  const offsets: number[] = [];
  const unknown: number[] = [];
  for (const [offset, {id, kind}] of entriesOf(chunk).entries()) {
    const matches = known.get(id);
    if (matches === true) {
      offsets.push(offset);
    } else if (matches === undefined && kind === 'line') {
      unknown.push(offset);
    }
  }
  return unknown.length === chunk.lineCount && chunk.lineCount > 0
    ? undefined
    : {offsets: Uint16Array.from(offsets), unknown: Uint16Array.from(unknown)};
};
