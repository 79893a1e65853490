import type {LineBuffer} from '../buffer/buffer.ts';
import type {Chunk} from '../buffer/chunk.ts';
import {earliestOf, type Instant, latestOf} from '../line/instant.ts';
import {errorTimesOf} from '../traits/error-lines.ts';

/** A time of a log in equal pieces. */
export type Pieces = {readonly from: Instant; readonly pieceNanos: Instant; readonly count: number};

/**
 * Counts the lines of level error or worse in each piece. Does not look into a chunk that lies within one, so a loud
 * log costs O(chunks).
 */
export const countErrors = (buffers: readonly LineBuffer[], {from, pieceNanos, count}: Pieces): readonly number[] => {
  const counts = new Array<number>(count).fill(0);
  const to = from + pieceNanos * BigInt(count);
  const add = (at: Instant, errors: number): void => {
    const piece = Number((at - from) / pieceNanos);
    counts[piece] = (counts[piece] ?? 0) + errors;
  };
  const chunks = buffers.flatMap(buffer => buffer.chunks);
  for (const chunk of chunks.filter(({firstAt, lastAt}) => lastAt >= from && firstAt < to)) {
    const times = errorTimesOf(chunk);
    const isWithin = chunk.firstAt >= from && chunk.lastAt < to;
    if (isWithin && (chunk.firstAt - from) / pieceNanos === (chunk.lastAt - from) / pieceNanos) {
      add(chunk.firstAt, times.length);
    } else {
      for (const at of times.filter(each => each >= from && each < to)) {
        add(at, 1);
      }
    }
  }
  return counts;
};

/** Returns the time of the first error at or after a time; undefined if there is none. */
export const firstErrorFrom = (buffers: readonly LineBuffer[], from: Instant): Instant | undefined =>
  earliestOf(buffers.map(({chunks}) => firstIn(chunks, chunk => errorTimesOf(chunk).find(at => at >= from))));

/** Returns the time of the last error before a time; undefined if there is none. */
export const lastErrorBefore = (buffers: readonly LineBuffer[], to: Instant): Instant | undefined =>
  latestOf(
    buffers.map(({chunks}) => firstIn(chunks.toReversed(), chunk => errorTimesOf(chunk).findLast(at => at < to))),
  );

/** Returns the times of the errors from a time to before another, in order. O(errors) of their chunks. */
export const errorTimesBetween = (buffers: readonly LineBuffer[], from: Instant, to: Instant): readonly Instant[] =>
  buffers
    .flatMap(({chunks}) => chunks)
    .filter(({firstAt, lastAt}) => lastAt >= from && firstAt < to)
    .flatMap(chunk => errorTimesOf(chunk).filter(at => at >= from && at < to))
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));

const firstIn = (chunks: readonly Chunk[], find: (chunk: Chunk) => Instant | undefined): Instant | undefined => {
  for (const chunk of chunks) {
    const found = find(chunk);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
};
