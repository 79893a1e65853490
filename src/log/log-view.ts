import {indexAtOrAfter, indexOfEntry, type LineBuffer, sliceEntries} from './buffer.ts';
import type {Entry} from './entry.ts';
import type {Instant} from './instant.ts';

/** An entry, and which of the view's buffers holds it, from 0. */
export type SourcedEntry = {readonly source: number; readonly entry: Entry};

/** What an entry is known by, whatever comes or goes around it. Ids are counted in each buffer by itself. */
export type Anchor = {readonly source: number; readonly id: number; readonly at: Instant};

/** One or several buffers as one log, to be read: entries by time, those of one time by the order of their buffers. */
export type LogView = {
  readonly buffers: readonly LineBuffer[];
  readonly entryCount: number;
  /** How many entries of each buffer stand before an index of the view. */
  readonly offsetsAt: (index: number) => readonly number[];
  /** The entries from index `from` on, `count` at the most. Costs what it returns. */
  readonly slice: (from: number, count: number) => readonly SourcedEntry[];
  /** The index of the first entry at or later than a time; `entryCount` where all are earlier. */
  readonly indexAtOrAfter: (at: Instant) => number;
  /** The index of an entry; where it is no longer held, that of the first entry later than it was. */
  readonly indexOf: (anchor: Anchor) => number;
};

export const anchorOf = ({source, entry}: SourcedEntry): Anchor => ({source, id: entry.id, at: entry.at});

/** One buffer as a view. It is asked directly: nothing is merged. */
export const viewBuffer = (buffer: LineBuffer): LogView => ({
  buffers: [buffer],
  entryCount: buffer.entryCount,
  offsetsAt: index => [Math.max(0, Math.min(buffer.entryCount, index))],
  slice: (from, count) => sliceEntries(buffer, from, count).map(entry => ({source: 0, entry})),
  indexAtOrAfter: at => indexAtOrAfter(buffer, at),
  indexOf: anchor => indexOfEntry(buffer, anchor),
});
