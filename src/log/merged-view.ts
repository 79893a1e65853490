import {indexAtOrAfter, indexOfEntry, type LineBuffer, sliceEntries, timeAtIndex} from './buffer.ts';
import type {Entry} from './entry.ts';
import type {Instant} from './instant.ts';
import {type LogView, type SourcedEntry, viewBuffer} from './log-view.ts';

/**
 * Several buffers as one log, by time. No line is copied and nothing is kept: an index of the view is found by binary searches in
 * the buffers, so that a window that comes in costs the view nothing, however much is held.
 */
export const mergeBuffers = (buffers: readonly LineBuffer[]): LogView => {
  const [only] = buffers;
  if (only !== undefined && buffers.length === 1) {
    return viewBuffer(only);
  }
  const entryCount = sum(buffers.map(buffer => buffer.entryCount));
  const offsetsAt = (index: number): readonly number[] => selectOffsets(buffers, entryCount, index);
  return {
    buffers,
    entryCount,
    offsetsAt,
    slice: (from, count) => {
      const start = Math.max(0, from);
      return takeInOrder(buffers, offsetsAt(start), Math.min(entryCount, from + count) - start);
    },
    indexAtOrAfter: at => sum(buffers.map(buffer => indexAtOrAfter(buffer, at))),
    indexOf: anchor =>
      sum(
        buffers.map((buffer, source) =>
          source === anchor.source
            ? indexOfEntry(buffer, anchor)
            : countBefore(buffer, source, anchor.at, anchor.source),
        ),
      ),
  };
};

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** How many entries of a buffer stand before those that another buffer holds at a time: at the time itself, those of the buffers ahead of it. */
const countBefore = (buffer: LineBuffer, source: number, at: Instant, otherSource: number): number =>
  indexAtOrAfter(buffer, source < otherSource ? at + 1n : at);

/**
 * How many entries of each buffer are among the first `index` of all. For each buffer the answer is known to lie in a range; the
 * middle of the longest is looked for in the others, which tells on which side of it the answer lies. So each step halves the longest range and cuts the others
 * with it, and near either end, where a reader mostly is, the ranges are no longer than that end is far.
 */
const selectOffsets = (buffers: readonly LineBuffer[], entryCount: number, index: number): readonly number[] => {
  const wanted = Math.max(0, Math.min(entryCount, index));
  const low = buffers.map(buffer => Math.max(0, buffer.entryCount - (entryCount - wanted)));
  const high = buffers.map(buffer => Math.min(buffer.entryCount, wanted));
  for (;;) {
    const lengths = high.map((end, source) => end - (low[source] ?? 0));
    const length = Math.max(...lengths);
    if (length <= 0) {
      return low;
    }
    const source = lengths.indexOf(length);
    const middle = (low[source] ?? 0) + (length >>> 1);
    const pivotAt = timeAtIndex(buffers[source], middle) ?? 0n;
    const before = buffers.map((buffer, other) =>
      other === source ? middle : countBefore(buffer, other, pivotAt, source),
    );
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

/** So many entries from the offsets on. Times are compared first, so that only the chunks that are shown are unpacked, one buffer after the other. */
const takeInOrder = (
  buffers: readonly LineBuffer[],
  offsets: readonly number[],
  count: number,
): readonly SourcedEntry[] => {
  const next = [...offsets];
  const times = buffers.map((buffer, source) => timeAtIndex(buffer, next[source] ?? 0));
  const order: number[] = [];
  while (order.length < count) {
    const source = earliest(times);
    if (source === undefined) {
      break;
    }
    order.push(source);
    const index = (next[source] ?? 0) + 1;
    next[source] = index;
    times[source] = timeAtIndex(buffers[source], index);
  }
  const taken: readonly Iterator<Entry>[] = buffers.map((buffer, source) => {
    const from = offsets[source] ?? 0;
    return sliceEntries(buffer, from, (next[source] ?? from) - from).values();
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
