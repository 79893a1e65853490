import {firstIndexWhere} from '#log/buffer/buffer.ts';
import {timeAt} from '#log/buffer/chunk.ts';
import type {EntryList} from '#log/buffer/entry-list.ts';
import {markersOf} from '#log/buffer/markers-of.ts';
import {startsOf} from '#log/buffer/offset-search.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import {errorTimesOf} from '#log/traits/error-lines.ts';
import {type StripSpan, type StripZoom, spanAround, spanOfAll} from '../strip/strip-span.ts';
import {type StripBucket, usualErrorsOf} from '../strip/strip-usual.ts';
import {listedLines} from './find-in-log.ts';

/** Lines over time: one bucket per column, the newest on the right. */
export type Strip = {
  readonly from: Instant;
  /** Where the last column ends; may be later than the newest line. */
  readonly to: Instant;
  /** The length of a column, in nanoseconds. */
  readonly bucket: Instant;
  readonly buckets: readonly StripBucket[];
  /** The errors of a usual column of this length, going by everything held, also in a part of it. */
  readonly usualErrors: number;
  /** The column of the oldest line held, or 0 if that is further back: before it nothing is known. */
  readonly firstColumn: number;
  /** It shows only part of what is held. */
  readonly isZoomed: boolean;
};

/**
 * Plots what the lists show together into `columns` columns, or with a zoom a part of it. Covers all the time that
 * their buffers hold after `after`, whatever a filter shows of it. Returns undefined if they hold nothing then. A zoom
 * that would show everything is ignored. O(chunks) plus binary searches per column; independent of the number of lines.
 */
export const plotStrip = (
  lists: readonly EntryList[],
  columns: number,
  zoom?: StripZoom,
  after?: Instant,
): Strip | undefined => {
  const held = earliestOf(lists.map(({buffer}) => buffer.chunks[0]?.firstAt));
  const oldest = latestOf([held, after && after + 1n]);
  const newest = latestOf(lists.map(({buffer}) => buffer.newestLine?.at));
  if (oldest === undefined || newest === undefined || newest < oldest || columns < 1) {
    return undefined;
  }
  const all = spanOfAll(oldest, newest, columns);
  const isZoomed = zoom !== undefined && zoom.bucket < all.bucket;
  const span = isZoomed ? spanAround(zoom, oldest, newest, columns) : all;
  const errorsBefore = lists.map(countErrorsBefore);
  const edges = edgesOf(span, columns, oldest);
  const errors = countBetween(edges, errorsBefore);
  const errorsOfAll = isZoomed ? countBetween(edgesOf(all, columns, oldest), errorsBefore) : errors;
  const heldErrors = errorsOfAll.slice(columnAt(all, oldest), columnAt(all, newest) + 1);
  const entries = countBetween(
    edges,
    lists.map(({indexAtOrAfter}) => indexAtOrAfter),
  );
  const markers = new Array<number>(columns).fill(0);
  for (const {marker} of lists.flatMap(({buffer}) => buffer.chunks.flatMap(markersOf))) {
    const column = columnAt(span, marker.at);
    if (column >= 0 && column < columns && marker.at >= oldest) {
      markers[column] = (markers[column] ?? 0) + 1;
    }
  }
  return {
    ...span,
    to: span.from + span.bucket * BigInt(columns),
    isZoomed,
    firstColumn: Math.max(0, columnAt(span, oldest)),
    usualErrors: (usualErrorsOf(heldErrors) * Number(span.bucket)) / Number(all.bucket),
    buckets: errors.map((errorCount, column) => ({
      // Markers are counted among the entries but are not lines.
      lines: (entries[column] ?? 0) - (markers[column] ?? 0),
      errors: errorCount,
    })),
  };
};

/** Returns the times between columns. What is before `oldest` is in none. */
const edgesOf = ({from, bucket}: StripSpan, columns: number, oldest: Instant): readonly Instant[] =>
  Array.from({length: columns + 1}, (_, column) => from + bucket * BigInt(column)).map(at =>
    at < oldest ? oldest : at,
  );

/** Returns the column of a time; below 0 or past the last one if the strip does not show it. */
export const columnAt = ({from, bucket}: Pick<Strip, 'from' | 'bucket'>, at: Instant): number =>
  at < from ? -1 : Number((at - from) / bucket);

type CountBefore = (at: Instant) => number;

const countBetween = (edges: readonly Instant[], counts: readonly CountBefore[]): readonly number[] => {
  const before = edges.map(at => counts.reduce((sum, count) => sum + count(at), 0));
  return before.slice(1).map((count, column) => count - (before[column] ?? 0));
};

const countErrorsBefore = (list: EntryList): CountBefore => {
  const {chunks} = list.buffer;
  const times = chunks.map((chunk, index) =>
    list.offsetsIn(index) === undefined
      ? errorTimesOf(chunk)
      : Array.from(listedLines(list, index, 'error'), offset => timeAt(chunk, offset) ?? 0n),
  );
  const starts = startsOf(times.map(({length}) => length));
  return at => {
    const index = firstIndexWhere(chunks.length, each => (chunks[each]?.lastAt ?? at) >= at);
    const within = times[index] ?? [];
    return (starts[index] ?? 0) + firstIndexWhere(within.length, each => (within[each] ?? at) >= at);
  };
};

const blocks = ' ▁▂▃▄▅▆▇█';

/** Returns the block character for a count relative to that of a full block; a count above 0 is never blank. */
export const blockFor = (count: number, full: number): string =>
  count <= 0 || full <= 0 ? ' ' : (blocks[Math.max(1, Math.round((count / full) * 8))] ?? '█');

/**
 * Returns the count of a full block, given the largest count: a round number, so that one more line rarely changes all
 * blocks.
 */
export const fullBlockFor = (largest: number): number => {
  const power = 2 ** Math.floor(Math.log2(Math.max(1, largest)));
  return [power, 1.5 * power].find(full => full >= largest) ?? 2 * power;
};
