import type {Entry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import {indexAtOrAfter, indexOfEntry, type LineBuffer, sliceEntries, timeAtIndex} from './buffer.ts';

/** The entries of one buffer that are to be read, in its order: all of them, or what a filter leaves. */
export type EntryList = {
  readonly buffer: LineBuffer;
  readonly entryCount: number;
  /** The time of the entry at an index; undefined outside. Costs no unpacking. */
  readonly timeAt: (index: number) => Instant | undefined;
  /** The entries from index `from` on, `count` at the most. Costs what it returns. */
  readonly slice: (from: number, count: number) => readonly Entry[];
  /** The index of the first entry at or later than a time; `entryCount` where all are earlier. */
  readonly indexAtOrAfter: (at: Instant) => number;
  /** The index of an entry; where it is not in the list, or no longer held, that of the first one behind its place. */
  readonly indexOf: (entry: {readonly id: number; readonly at: Instant}) => number;
  /** How many entries of the buffer stand before the entry at an index; all of them from `entryCount` on. */
  readonly bufferIndexAt: (index: number) => number;
  /** Of a chunk of the buffer the offsets of the entries in the list, which rise; undefined where all are in it. */
  readonly offsetsIn: (chunkIndex: number) => Uint16Array | undefined;
};

/** All that a buffer holds. */
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
