import type {Entry, Marker} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {indexAtOrAfter, indexOfEntry, type LineBuffer, sliceEntries, timeAtIndex} from './buffer.ts';
import {type Chunk, entriesOf} from './chunk.ts';
import {createChunkCache, once} from './weak-cache.ts';

/** A marker and its place in its chunk, from 0. */
type PlacedMarker = {readonly offset: number; readonly marker: Marker};

const none: readonly PlacedMarker[] = [];

const findMarkers = once(createChunkCache<readonly PlacedMarker[]>(), (chunk: Chunk) =>
  entriesOf(chunk).flatMap((entry, offset) => (entry.kind === 'line' ? [] : [{offset, marker: entry}])),
);

/** Returns the markers of a chunk, in order. Free if it has none, as nearly every chunk. */
export const markersOf = (chunk: Chunk): readonly PlacedMarker[] =>
  chunk.lineCount === chunk.entryCount ? none : findMarkers(chunk);

/** The readable entries of one buffer, in its order: all of them, or what a filter leaves. */
export type EntryList = {
  readonly buffer: LineBuffer;
  readonly entryCount: number;
  /** Returns the time of the entry at an index; undefined outside. Unpacks nothing. */
  readonly timeAt: (index: number) => Instant | undefined;
  /** Returns at most `count` entries from index `from`. O(entries returned). */
  readonly slice: (from: number, count: number) => readonly Entry[];
  /** Returns the index of the first entry at or after a time; `entryCount` if all are earlier. */
  readonly indexAtOrAfter: (at: Instant) => number;
  /**
   * Returns the index of an entry; if it is not in the list or no longer held, that of the first entry after its place.
   */
  readonly indexOf: (entry: {readonly id: number; readonly at: Instant}) => number;
  /** Returns how many entries of the buffer precede the entry at an index; all of them from `entryCount` on. */
  readonly bufferIndexAt: (index: number) => number;
  /** Returns the ascending offsets in a chunk of the entries in the list; undefined if all are in it. */
  readonly offsetsIn: (chunkIndex: number) => Uint16Array | undefined;
};

/** Lists everything that a buffer holds. */
export const listBuffer = (buffer: LineBuffer): EntryList => ({
  buffer,
  entryCount: buffer.entryCount,
  timeAt: index => timeAtIndex(buffer, index),
  slice: (from, count) => sliceEntries(buffer, from, count),
  indexAtOrAfter: at => indexAtOrAfter(buffer, at),
  indexOf: entry => indexOfEntry(buffer, entry),
  bufferIndexAt: index => Math.max(0, Math.min(buffer.entryCount, index)),
  offsetsIn: () => undefined,
});
