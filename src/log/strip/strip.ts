import {firstIndexWhere, indexAtOrAfter, type LineBuffer} from '../buffer/buffer.ts';
import {markersOf} from '../buffer/markers-of.ts';
import {startsOf} from '../buffer/offset-search.ts';
import {earliestOf, type Instant, latestOf} from '../line/instant.ts';
import {errorTimesOf} from '../traits/error-lines.ts';
import {type StripZoom, spanAround, spanOfAll} from './strip-span.ts';

/** Lines over time: one bucket per column, the newest on the right. */
export type Strip = {
  readonly from: Instant;
  /** Where the last column ends; may be later than the newest line. */
  readonly to: Instant;
  /** The length of a column, in nanoseconds. */
  readonly bucket: Instant;
  readonly buckets: readonly {readonly lines: number; readonly errors: number}[];
  /** The column of the oldest line held, or 0 if that is further back: before it nothing is known. */
  readonly firstColumn: number;
  /** It shows only part of what is held. */
  readonly isZoomed: boolean;
};

/**
 * Plots what the buffers hold together into `columns` columns, or with a zoom a part of it. Returns undefined if they
 * hold nothing. A zoom that would show everything is ignored. O(chunks) plus binary searches per column; independent of
 * the number of lines.
 */
export const plotStrip = (buffers: readonly LineBuffer[], columns: number, zoom?: StripZoom): Strip | undefined => {
  const oldest = earliestOf(buffers.map(buffer => buffer.chunks[0]?.firstAt));
  const newest = latestOf(buffers.map(buffer => buffer.newestLine?.at));
  if (oldest === undefined || newest === undefined || columns < 1) {
    return undefined;
  }
  const all = spanOfAll(oldest, newest, columns);
  const isZoomed = zoom !== undefined && zoom.bucket < all.bucket;
  const {from, bucket} = isZoomed ? spanAround(zoom, oldest, newest, columns) : all;
  const edges = Array.from({length: columns + 1}, (_, column) => from + bucket * BigInt(column));
  const entries = countBetween(edges, buffers.map(entriesBefore));
  const errors = countBetween(edges, buffers.map(errorsBefore));
  const markers = new Array<number>(columns).fill(0);
  const strip = {from, to: from + bucket * BigInt(columns), bucket, isZoomed};
  for (const {marker} of buffers.flatMap(buffer => buffer.chunks.flatMap(markersOf))) {
    const column = columnAt(strip, marker.at);
    if (column >= 0 && column < columns) {
      markers[column] = (markers[column] ?? 0) + 1;
    }
  }
  return {
    ...strip,
    firstColumn: Math.max(0, columnAt(strip, oldest)),
    buckets: errors.map((errorCount, column) => ({
      // Markers are counted among the entries but are not lines.
      lines: (entries[column] ?? 0) - (markers[column] ?? 0),
      errors: errorCount,
    })),
  };
};

/** Returns the column of a time; below 0 or past the last one if the strip does not show it. */
export const columnAt = ({from, bucket}: Pick<Strip, 'from' | 'bucket'>, at: Instant): number =>
  at < from ? -1 : Number((at - from) / bucket);

type CountBefore = (at: Instant) => number;

const countBetween = (edges: readonly Instant[], counts: readonly CountBefore[]): readonly number[] => {
  const before = edges.map(at => counts.reduce((sum, count) => sum + count(at), 0));
  return before.slice(1).map((count, column) => count - (before[column] ?? 0));
};

const entriesBefore =
  (buffer: LineBuffer): CountBefore =>
  at =>
    indexAtOrAfter(buffer, at);

const errorsBefore = ({chunks}: LineBuffer): CountBefore => {
  const times = chunks.map(errorTimesOf);
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
