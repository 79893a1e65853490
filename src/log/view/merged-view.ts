import type {LineBuffer} from '../buffer/buffer.ts';
import {type EntryList, listBuffer} from '../buffer/entry-list.ts';
import type {Entry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import {type LogView, type SourcedEntry, viewList} from './log-view.ts';

/** Several buffers as one log, with all that they hold. */
export const mergeBuffers = (buffers: readonly LineBuffer[]): LogView => mergeLists(buffers.map(listBuffer));

/**
 * Several lists of entries as one log, by time. No line is copied and nothing is kept: an index of the view is found by binary searches in
 * the lists, so that a window that comes in costs the view nothing, however much is held.
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

/** How many entries of a list stand before those that another list has at a time: at the time itself, those of the lists ahead of it. */
const countBefore = (list: EntryList, source: number, at: Instant, otherSource: number): number =>
  list.indexAtOrAfter(source < otherSource ? at + 1n : at);

/**
 * How many entries of each list are among the first `index` of all. For each list the answer is known to lie in a range; the
 * middle of the longest is looked for in the others, which tells on which side of it the answer lies. So each step halves the longest range and cuts the others
 * with it, and near either end, where a reader mostly is, the ranges are no longer than that end is far.
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

/** So many entries from the offsets on. Times are compared first, so that only the chunks that are shown are unpacked, one list after the other. */
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

/** Which of the times is the earliest, the first of equal ones; undefined where there is none left. */
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
