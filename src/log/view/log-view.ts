import type {LineBuffer} from '../buffer/buffer.ts';
import type {EntryList} from '../buffer/entry-list.ts';
import type {Entry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';

/** An entry, and which of the view's buffers holds it, from 0. */
export type SourcedEntry = {readonly source: number; readonly entry: Entry};

/** What an entry is known by, whatever comes or goes around it. Ids are counted in each buffer by itself. */
export type Anchor = {readonly source: number; readonly id: number; readonly at: Instant};

/**
 * One or several buffers as one log, to be read: entries by time, those of one time by the order of their buffers. Where a filter
 * is set the view has only what it leaves; an index counts what is in the view.
 */
export type LogView = {
  /** All that is held, whatever the view shows of it. */
  readonly buffers: readonly LineBuffer[];
  /** Of each buffer, what is in the view. */
  readonly lists: readonly EntryList[];
  readonly entryCount: number;
  /** How many entries of each buffer, in the view or not, stand before an index of the view. */
  readonly offsetsAt: (index: number) => readonly number[];
  /** The entries from index `from` on, `count` at the most. Costs what it returns. */
  readonly slice: (from: number, count: number) => readonly SourcedEntry[];
  /** The index of the first entry at or later than a time; `entryCount` where all are earlier. */
  readonly indexAtOrAfter: (at: Instant) => number;
  /** The index of an entry; where it is not in the view, or no longer held, that of the first entry behind its place. */
  readonly indexOf: (anchor: Anchor) => number;
};

export const anchorOf = ({source, entry}: SourcedEntry): Anchor => ({source, id: entry.id, at: entry.at});

/** One list as a view. It is asked directly: nothing is merged. */
export const viewList = (list: EntryList): LogView => ({
  buffers: [list.buffer],
  lists: [list],
  entryCount: list.entryCount,
  offsetsAt: index => [list.bufferIndexAt(index)],
  slice: (from, count) => list.slice(from, count).map(entry => ({source: 0, entry})),
  indexAtOrAfter: list.indexAtOrAfter,
  indexOf: list.indexOf,
});
