import type {Instant} from '#log/line/instant.ts';

/** What a strip covers: its start, and the length of a column in nanoseconds. */
export type StripSpan = {readonly from: Instant; readonly bucket: Instant};

/** Shows only part of what is held: columns of this length, with this time among them. */
export type StripZoom = {readonly bucket: Instant; readonly around: Instant};

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
