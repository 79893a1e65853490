import {indexAtOrAfter, type LineBuffer} from './buffer.ts';
import {errorTimesOf} from './error-lines.ts';
import {earliestOf, type Instant, latestOf} from './instant.ts';
import {markersOf} from './markers-of.ts';

/** Lines over time: one bucket a column, the newest on the right. */
export type Strip = {
  readonly from: Instant;
  readonly to: Instant;
  readonly buckets: readonly {readonly lines: number; readonly errors: number}[];
};

const second = 1_000_000_000n;
/** Round lengths for a bucket, so that the picture moves by whole columns and only when one is full. */
const bucketLengths: readonly Instant[] = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 3600, 7200,
  10_800, 21_600, 43_200, 86_400,
].map(seconds => BigInt(seconds) * second);

/** Plots what buffers hold together into that many columns; undefined where they hold nothing. Costs columns and chunks, not lines. */
export const plotStrip = (buffers: readonly LineBuffer[], columns: number): Strip | undefined => {
  const oldest = earliestOf(buffers.map(buffer => buffer.chunks[0]?.firstAt));
  const newest = latestOf(buffers.map(buffer => buffer.newestLine?.at));
  if (oldest === undefined || newest === undefined || columns < 1) {
    return undefined;
  }
  const length =
    bucketLengths.find(candidate => newest / candidate - oldest / candidate < BigInt(columns)) ??
    bucketLengths.at(-1) ??
    second;
  const to = (newest / length + 1n) * length;
  const from = to - length * BigInt(columns);
  const errors = new Array<number>(columns).fill(0);
  const markers = new Array<number>(columns).fill(0);
  const count = (counts: number[], at: Instant): void => {
    const column = Number((at - from) / length);
    if (at >= from && column < columns) {
      counts[column] = (counts[column] ?? 0) + 1;
    }
  };
  for (const chunk of buffers.flatMap(buffer => buffer.chunks)) {
    for (const at of errorTimesOf(chunk)) {
      count(errors, at);
    }
    for (const {marker} of markersOf(chunk)) {
      count(markers, marker.at);
    }
  }
  const entriesBefore = (at: Instant): number => buffers.reduce((sum, buffer) => sum + indexAtOrAfter(buffer, at), 0);
  let startIndex = entriesBefore(from);
  const buckets = errors.map((errorCount, column) => {
    const endIndex = entriesBefore(from + length * BigInt(column + 1));
    // Markers stand among the entries and are no lines.
    const bucket = {lines: endIndex - startIndex - (markers[column] ?? 0), errors: errorCount};
    startIndex = endIndex;
    return bucket;
  });
  return {from, to, buckets};
};

const blocks = ' ▁▂▃▄▅▆▇█';

/** The block character for a count beside the largest; what is not nothing is never drawn as nothing. */
export const blockFor = (count: number, largest: number): string =>
  count <= 0 || largest <= 0 ? ' ' : (blocks[Math.max(1, Math.round((count / largest) * 8))] ?? '█');
