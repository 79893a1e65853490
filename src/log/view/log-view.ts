import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {EntryList} from '#log/buffer/entry-list.ts';
import type {Entry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';

/** An entry, and the index of the view's buffer that holds it. */
export type SourcedEntry = {readonly source: number; readonly entry: Entry};

/** Identifies an entry, whatever comes or goes around it. Each buffer counts its own ids. */
export type Anchor = {readonly source: number; readonly id: number; readonly at: Instant};

/**
 * One or several buffers read as one log: entries by time, those of one time by the order of their buffers. If a filter
 * is set, the view has only what it leaves; indices count what is in the view.
 */
export type LogView = {
  /** All that is held, whatever the view shows of it. */
  readonly buffers: readonly LineBuffer[];
  /** For each buffer, what is in the view. */
  readonly lists: readonly EntryList[];
  readonly entryCount: number;
  /** Returns how many entries of each buffer, in the view or not, precede an index of the view. */
  readonly offsetsAt: (index: number) => readonly number[];
  /** Returns at most `count` entries from index `from`. O(entries returned). */
  readonly slice: (from: number, count: number) => readonly SourcedEntry[];
  /** Returns the time of the entry at an index of the view; undefined if there is none. Unpacks nothing. */
  readonly timeAt: (index: number) => Instant | undefined;
  /** Returns the index of the first entry at or after a time; `entryCount` if all are earlier. */
  readonly indexAtOrAfter: (at: Instant) => number;
  /**
   * Returns the index of an entry; if it is not in the view or no longer held, that of the first entry after its place.
   */
  readonly indexOf: (anchor: Anchor) => number;
};

export const anchorOf = ({source, entry}: SourcedEntry): Anchor => ({source, id: entry.id, at: entry.at});

/** Wraps one list as a view. Calls go straight to the list: nothing is merged. */
export const viewList = (list: EntryList): LogView => ({
  buffers: [list.buffer],
  lists: [list],
  entryCount: list.entryCount,
  offsetsAt: index => [list.bufferIndexAt(index)],
  slice: (from, count) => list.slice(from, count).map(entry => ({source: 0, entry})),
  timeAt: list.timeAt,
  indexAtOrAfter: list.indexAtOrAfter,
  indexOf: list.indexOf,
});

/** What to look for from an index of a view, itself excluded. −1 and `entryCount` search all of it. */
export type ViewSearch = {readonly fromIndex: number; readonly direction: 'next' | 'previous'};

/** An entry that was found, and its index in the view. */
export type FoundEntry = {readonly index: number; readonly anchor: Anchor};

/** Finds the nearest of what `find` finds in each buffer, from a place in it on or before that. */
export const findInView = (
  view: LogView,
  {fromIndex, direction}: ViewSearch,
  find: (list: EntryList, place: number) => Pick<Entry, 'id' | 'at'> | undefined,
): FoundEntry | undefined => {
  const isNext = direction === 'next';
  const places = view.offsetsAt(isNext ? fromIndex + 1 : fromIndex);
  const found = view.lists.flatMap((list, source): readonly FoundEntry[] => {
    const {id, at} = find(list, places[source] ?? 0) ?? {};
    return id === undefined || at === undefined
      ? []
      : [{index: view.indexOf({source, id, at}), anchor: {source, id, at}}];
  });
  return found.toSorted((a, b) => (isNext ? a.index - b.index : b.index - a.index))[0];
};
