import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type EntryList, listBuffer} from '#log/buffer/entry-list.ts';
import type {Entry, LineEntry} from '#log/line/entry.ts';
import {earliestOf, type Instant} from '#log/line/instant.ts';

/** An entry, and the index of the view's buffer that holds it. */
export type SourcedEntry = {readonly source: number; readonly entry: Entry};

/** Identifies an entry, whatever comes or goes around it. Each buffer counts its own ids. */
export type Anchor = {readonly source: number; readonly id: number; readonly at: Instant};

/**
 * One or several buffers read as one log: entries by time, those of one time by the order of their buffers. If a filter
 * is set, the view has only what it leaves; indices count what is in the view.
 */
export type LogView = {
  /** Everything that is held, whether or not the view shows it. */
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

/** The entry to look for from an index of a view, which is itself excluded. −1 and `entryCount` search all of it. */
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

/** Merges several buffers into one log, with everything they hold. */
export const mergeBuffers = (buffers: readonly LineBuffer[]): LogView => mergeLists(buffers.map(listBuffer));

/**
 * Merges several lists of entries into one log, by time. Copies no line and caches nothing: an index of the view is
 * found by binary searches in the lists, so a new window costs the view nothing, however much is held.
 */
export const mergeLists = (lists: readonly EntryList[]): LogView => {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) {
    return viewList(only);
  }
  const entryCount = sum(lists.map(list => list.entryCount));
  return {
    buffers: lists.map(list => list.buffer),
    lists,
    entryCount,
    offsetsAt: index => {
      const offsets = selectOffsets(lists, entryCount, index);
      return lists.map((list, source) => list.bufferIndexAt(offsets[source] ?? 0));
    },
    slice: (from, count) => {
      const start = Math.max(0, from);
      return takeInOrder(lists, selectOffsets(lists, entryCount, start), Math.min(entryCount, from + count) - start);
    },
    timeAt: index => {
      if (index < 0 || index >= entryCount) {
        return undefined;
      }
      const offsets = selectOffsets(lists, entryCount, index);
      return earliestOf(lists.map((list, source) => list.timeAt(offsets[source] ?? 0)));
    },
    indexAtOrAfter: at => sum(lists.map(list => list.indexAtOrAfter(at))),
    indexOf: anchor =>
      sum(
        lists.map((list, source) =>
          source === anchor.source ? list.indexOf(anchor) : countBefore(list, source, anchor.at, anchor.source),
        ),
      ),
  };
};

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/**
 * Counts the entries of a list that precede those of another list at a time; at equal times, lists earlier in the order
 * come first.
 */
const countBefore = (list: EntryList, source: number, at: Instant, otherSource: number): number =>
  list.indexAtOrAfter(source < otherSource ? at + 1n : at);

/**
 * Returns how many entries of each list are among the first `index` of all. The count for each list lies in a known
 * range; each step looks up the middle of the longest range in the other lists, which shows on which side of it the
 * count lies. So each step halves the longest range and cuts the others too. Near either end, where a reader mostly is,
 * the ranges are no longer than the distance to that end.
 */
const selectOffsets = (lists: readonly EntryList[], entryCount: number, index: number): readonly number[] => {
  const wanted = Math.max(0, Math.min(entryCount, index));
  const low = lists.map(list => Math.max(0, list.entryCount - (entryCount - wanted)));
  const high = lists.map(list => Math.min(list.entryCount, wanted));
  for (;;) {
    const lengths = high.map((end, source) => end - (low[source] ?? 0));
    const length = Math.max(...lengths);
    if (length <= 0) {
      return low;
    }
    const source = lengths.indexOf(length);
    const middle = (low[source] ?? 0) + (length >>> 1);
    const pivotAt = lists[source]?.timeAt(middle) ?? 0n;
    const before = lists.map((list, other) => (other === source ? middle : countBefore(list, other, pivotAt, source)));
    const isAmongFirst = sum(before) < wanted;
    for (const [other, count] of before.entries()) {
      if (isAmongFirst) {
        low[other] = Math.max(low[other] ?? 0, other === source ? count + 1 : count);
      } else {
        high[other] = Math.min(high[other] ?? 0, count);
      }
    }
  }
};

/**
 * Returns `count` entries from the offsets on. Compares times first, so that only chunks that are shown are unpacked,
 * one list after another.
 */
const takeInOrder = (
  lists: readonly EntryList[],
  offsets: readonly number[],
  count: number,
): readonly SourcedEntry[] => {
  const next = [...offsets];
  const times = lists.map((list, source) => list.timeAt(next[source] ?? 0));
  const order: number[] = [];
  while (order.length < count) {
    const source = earliest(times);
    if (source === undefined) {
      break;
    }
    order.push(source);
    const index = (next[source] ?? 0) + 1;
    next[source] = index;
    times[source] = lists[source]?.timeAt(index);
  }
  const taken: readonly Iterator<Entry>[] = lists.map((list, source) => {
    const from = offsets[source] ?? 0;
    return list.slice(from, (next[source] ?? from) - from).values();
  });
  return order.flatMap((source): readonly SourcedEntry[] => {
    const entry = taken[source]?.next();
    return entry === undefined || entry.done === true ? [] : [{source, entry: entry.value}];
  });
};

/** Returns the index of the earliest time, the first of equal ones; undefined if none is left. */
const earliest = (times: readonly (Instant | undefined)[]): number | undefined => {
  let found: number | undefined;
  let foundAt: Instant | undefined;
  for (const [source, at] of times.entries()) {
    if (at !== undefined && (foundAt === undefined || at < foundAt)) {
      found = source;
      foundAt = at;
    }
  }
  return found;
};

/** Returns the line at an anchor; undefined if it is no line, or not in the view any more. */
export const lineAt = (view: LogView, anchor: Anchor | undefined): LineEntry | undefined => {
  const [found] = anchor === undefined ? [] : view.slice(view.indexOf(anchor), 1);
  return found?.entry.kind === 'line' && found.source === anchor?.source && found.entry.id === anchor.id
    ? found.entry
    : undefined;
};
