import {firstIndexWhere, indexAtOrAfter, type LineBuffer} from '../buffer/buffer.ts';
import {markersOf} from '../buffer/markers-of.ts';
import {startsOf} from '../buffer/offset-search.ts';
import {earliestOf, type Instant, latestOf} from '../line/instant.ts';
import {errorTimesOf} from '../traits/error-lines.ts';
import {type StripZoom, spanAround, spanOfAll} from './strip-span.ts';

/** Lines over time: one bucket a column, the newest on the right. */
export type Strip = {
  readonly from: Instant;
  /** Where the last column ends; it may be later than the newest line. */
  readonly to: Instant;
  /** How long a column is, in nanoseconds. */
  readonly bucket: Instant;
  readonly buckets: readonly {readonly lines: number; readonly errors: number}[];
  /** It shows a part of what is held. */
  readonly isZoomed: boolean;
};

/**
 * Plots what buffers hold together into that many columns, or with a zoom a part of it; undefined where they hold nothing. A zoom
 * that would show all is none. Costs chunks, and binary searches a column, not lines.
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
    buckets: errors.map((errorCount, column) => ({
      // Markers stand among the entries and are no lines.
      lines: (entries[column] ?? 0) - (markers[column] ?? 0),
      errors: errorCount,
    })),
  };
};

/** The column of a time; below 0 or past the last one where the strip does not show it. */
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

/** The block character for a count beside that of a full one; what is not nothing is never drawn as nothing. */
export const blockFor = (count: number, full: number): string =>
  count <= 0 || full <= 0 ? ' ' : (blocks[Math.max(1, Math.round((count / full) * 8))] ?? '█');

/** The count of a full block where the largest is that: a round number, so that one line more hardly ever changes all blocks. */
export const fullBlockFor = (largest: number): number => {
  const power = 2 ** Math.floor(Math.log2(Math.max(1, largest)));
  return [power, 1.5 * power].find(full => full >= largest) ?? 2 * power;
};
