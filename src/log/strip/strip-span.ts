import type {Instant} from '../line/instant.ts';

/** What a strip covers: from a time on, and how long one of its columns is, in nanoseconds. */
export type StripSpan = {readonly from: Instant; readonly bucket: Instant};

/** Only a part of what is held is shown: in columns of that length, with that time among them. */
export type StripZoom = {readonly bucket: Instant; readonly around: Instant};

const milli = 1_000_000n;

/** Round lengths for a bucket, so that the picture moves by whole columns. */
const wholeLengths: readonly Instant[] = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 3600, 7200,
  10_800, 21_600, 43_200, 86_400,
].map(seconds => BigInt(seconds) * 1000n * milli);

/** Closer than this a column has no more than a line or two of any log. */
const zoomedLengths: readonly Instant[] = [100n * milli, 200n * milli, 500n * milli, ...wholeLengths];

/** The picture moves on by so many columns at once, at the most, so that a new line hardly ever draws all of it anew. */
const columnsPerMoveMax = 8;

const columnsPerMove = (columns: number): number => Math.max(1, Math.min(columnsPerMoveMax, Math.floor(columns / 8)));

const floorTo = (at: Instant, unit: Instant): Instant => at - (((at % unit) + unit) % unit);

/** Where a strip of that bucket begins that has the newest line near its right end. */
const lastFrom = (newest: Instant, columns: number, bucket: Instant): Instant => {
  const step = bucket * BigInt(columnsPerMove(columns));
  return floorTo(newest, step) + step - bucket * BigInt(columns);
};

/** All from the oldest to the newest line in that many columns, 1 at the least: the shortest round buckets that do. */
export const spanOfAll = (oldest: Instant, newest: Instant, columns: number): StripSpan => {
  const longest = wholeLengths.at(-1) ?? milli;
  const used = BigInt(Math.max(1, columns - columnsPerMove(columns))) * longest;
  // Past two months there are days enough in a column for any multiple of them to be round.
  const bucket =
    wholeLengths.find(length => lastFrom(newest, columns, length) <= oldest) ??
    longest * ((newest - oldest) / used + 1n);
  return {from: lastFrom(newest, columns, bucket), bucket};
};

/**
 * A part of it. Turned over like pages that overlap, so that it stands still while the reader moves within the middle half of one; the
 * first one is at the oldest line and the last one at the newest.
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

/** The length of a column one step closer, at most half as long; undefined where that is the closest. */
export const closerBucket = (bucket: Instant): Instant | undefined =>
  zoomedLengths.findLast(length => 2n * length <= bucket);

/** The length of a column one step further away, at least twice as long; undefined where there is none. */
export const widerBucket = (bucket: Instant): Instant | undefined =>
  zoomedLengths.find(length => length >= 2n * bucket);
