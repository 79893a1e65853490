import {firstIndexWhere} from '#log/buffer/buffer.ts';
import {timeAt} from '#log/buffer/chunk.ts';
import {type EntryList, markersOf} from '#log/buffer/entry-list.ts';
import {startsOf} from '#log/buffer/offset-search.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import {errorTimesOf} from '#log/traits/line-traits.ts';
import {listedLines} from './find-in-log.ts';

/** The range of a strip: its start, and the length of a column in nanoseconds. */
type StripSpan = {readonly from: Instant; readonly bucket: Instant};

/** Shows only part of what is held: columns of this length, with this time among them. */
type StripZoom = {readonly bucket: Instant; readonly around: Instant};

const milli = 1_000_000n;

/** Round bucket lengths, so that the picture moves by whole columns. */
const wholeLengths: readonly Instant[] = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 3600, 7200,
  10_800, 21_600, 43_200, 86_400,
].map(seconds => BigInt(seconds) * 1000n * milli);

/** In shorter columns, no log has more than a line or two. */
const zoomedLengths: readonly Instant[] = [100n * milli, 200n * milli, 500n * milli, ...wholeLengths];

/** The most columns by which the picture moves at once, so that a new line rarely redraws all of it. */
const columnsPerMoveMax = 8;

const columnsPerMove = (columns: number): number => Math.max(1, Math.min(columnsPerMoveMax, Math.floor(columns / 8)));

const floorTo = (at: Instant, unit: Instant): Instant => at - (((at % unit) + unit) % unit);

/** Returns where a strip with this bucket begins that has the newest line near its right end. */
const lastFrom = (newest: Instant, columns: number, bucket: Instant): Instant => {
  const step = bucket * BigInt(columnsPerMove(columns));
  return floorTo(newest, step) + step - bucket * BigInt(columns);
};

/**
 * Fits everything from the oldest to the newest line into `columns` columns (at least 1), with the shortest round
 * bucket that does.
 */
export const spanOfAll = (oldest: Instant, newest: Instant, columns: number): StripSpan => {
  const longest = wholeLengths.at(-1) ?? milli;
  const used = BigInt(Math.max(1, columns - columnsPerMove(columns))) * longest;
  // Past two months a column spans so many days that any multiple of a day is round enough.
  const bucket =
    wholeLengths.find(length => lastFrom(newest, columns, length) <= oldest) ??
    longest * ((newest - oldest) / used + 1n);
  return {from: lastFrom(newest, columns, bucket), bucket};
};

/**
 * Returns a part of it. Moves in overlapping pages, so it stays put while the reader moves within the middle half of
 * one; the first page begins at the oldest line and the last ends at the newest.
 */
export const spanAround = (
  {bucket, around}: StripZoom,
  oldest: Instant,
  newest: Instant,
  columns: number,
): StripSpan => {
  const page = floorTo(around, bucket * BigInt(Math.max(1, Math.floor(columns / 2))));
  const first = floorTo(oldest, bucket * BigInt(columnsPerMove(columns)));
  const last = lastFrom(newest, columns, bucket);
  const paged = page - bucket * BigInt(Math.floor(columns / 4));
  const from = paged > first ? paged : first;
  return {from: from < last ? from : last, bucket};
};

/** Returns the column length one zoom step in, at most half as long; undefined at the closest. */
export const closerBucket = (bucket: Instant): Instant | undefined =>
  zoomedLengths.findLast(length => 2n * length <= bucket);

/** Returns the column length one zoom step out, at least twice as long; undefined if there is none. */
export const widerBucket = (bucket: Instant): Instant | undefined =>
  zoomedLengths.find(length => length >= 2n * bucket);

/** The counts of a column of the strip. */
export type StripBucket = {readonly lines: number; readonly errors: number};

/** The usual rate stays the usual one even if most of the held lines are unusual. */
const usualShare = 0.2;

/** Returns the errors of a usual column: a fifth of all columns have no more. */
export const usualErrorsOf = (errors: readonly number[]): number =>
  errors.toSorted((a, b) => a - b)[Math.floor(errors.length * usualShare)] ?? 0;

/** By so many square roots of what is usual, chance hardly ever exceeds it. */
const chanceTimes = 3;

/** This many times the usual rate, and more than chance explains, is far above it. */
const farTimes = 3;

/** How the errors of a column compare with those of a usual one. */
type Excess = 'none' | 'some' | 'far';

export const excessOf = ({errors}: StripBucket, usual: number): Excess => {
  const chance = chanceTimes * Math.sqrt(Math.max(1, usual));
  return errors <= usual + chance ? 'none' : errors <= farTimes * (usual + chance) ? 'some' : 'far';
};

/** In fewer columns it may be a burst, which is a peak. */
const sustainedMin = 3;

/**
 * Returns the columns in which errors begin to exceed what is usual and keep doing so. More errors only because there
 * are more lines of all kinds don't count.
 */
export const findOnsets = ({
  buckets,
  usualErrors,
}: {
  readonly buckets: readonly StripBucket[];
  readonly usualErrors: number;
}): readonly number[] => {
  const sum = (of: keyof StripBucket): number => buckets.reduce((total, bucket) => total + bucket[of], 0);
  const shareOfAll = sum('errors') / Math.max(1, sum('lines'));
  const isAbove = (column: number): boolean => {
    const bucket = buckets[column];
    return (
      bucket !== undefined &&
      excessOf(bucket, usualErrors) !== 'none' &&
      (shareOfAll > manyErrors || bucket.errors > shareOfAll * bucket.lines)
    );
  };
  return buckets.flatMap((_, column) => {
    const isSustained = Array.from({length: sustainedMin}, (__, ahead) => column + ahead).every(isAbove);
    return isSustained && !isAbove(column - 1) ? [column] : [];
  });
};

/** From this share of errors on, a log has too many for a column to have a larger one. */
const manyErrors = 1 / 3;

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
