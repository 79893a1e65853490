import {type LineBuffer, timeAtIndex} from '../buffer/buffer.ts';
import type {Chunk} from '../buffer/chunk.ts';
import {earliestOf, type Instant, instantToMs, latestOf} from '../line/instant.ts';
import {errorTimesOf} from '../traits/error-lines.ts';

/** A time in which a log has clearly more errors than around it. */
export type Rise = {
  /** Its first error. */
  readonly at: Instant;
  /** Its last error so far. */
  readonly lastAt: Instant;
  readonly errorCount: number;
  /** Errors a minute before it, over at most fifteen minutes; undefined if nothing older is held. */
  readonly before: number | undefined;
  /** Errors a minute in it. A shorter one counts as a minute. */
  readonly during: number;
  readonly course: 'rising' | 'steady' | 'falling' | 'over';
};

export type RiseSearch =
  | {readonly kind: 'rise'; readonly rise: Rise}
  /** Errors do not clearly rise. */
  | {readonly kind: 'none'; readonly errorCount: number; readonly heldNanos: Instant}
  /** What is held spans too little time to compare. */
  | {readonly kind: 'tooShort'; readonly heldNanos: Instant};

const second = 1_000_000_000n;
const minute = 60n * second;

/** What led to a rise is looked for in this time before it. */
export const beforeNanos = 15n * minute;

/** The first of these times up to now that has a rise in it counts: what began last matters most. */
const spans: readonly Instant[] = [15n * minute, 60n * minute, 360n * minute];

const heldMin = minute;

/** Enough to find the place of a rise: every pair of pieces is compared. */
const piecesMax = 180;

/** A later rise matters more than a larger one, unless it has less than this share of its errors. */
const laterShareMin = 0.25;

/** Finds when errors, lines of level error or worse, last began to rise clearly. O(chunks). */
export const findRise = (buffers: readonly LineBuffer[]): RiseSearch => {
  const oldest = earliestOf(buffers.map(buffer => timeAtIndex(buffer, 0)));
  const newest = latestOf(buffers.map(({newestLine}) => newestLine?.at));
  const heldNanos = oldest === undefined || newest === undefined ? 0n : newest - oldest;
  if (oldest === undefined || newest === undefined || heldNanos < heldMin) {
    return {kind: 'tooShort', heldNanos};
  }
  for (const span of [...spans.filter(each => each < heldNanos), heldNanos]) {
    const rise = riseIn(buffers, {oldest, from: newest - span, newest});
    if (rise !== undefined) {
      return {kind: 'rise', rise};
    }
  }
  return {kind: 'none', errorCount: countBetween(buffers, oldest, newest + 1n), heldNanos};
};

type Times = {readonly oldest: Instant; readonly from: Instant; readonly newest: Instant};

const riseIn = (buffers: readonly LineBuffer[], {oldest, from, newest}: Times): Rise | undefined => {
  const pieceNanos = latestOf([(newest - from) / BigInt(piecesMax) + 1n, second]) ?? second;
  const counts = countErrors(buffers, {from, pieceNanos, count: Number((newest - from) / pieceNanos) + 1});
  const run = latestRun(counts, from === oldest);
  if (run === undefined) {
    return undefined;
  }
  const end = from + pieceNanos * BigInt(run.end);
  const firstAt = firstErrorFrom(buffers, from + pieceNanos * BigInt(run.start)) ?? end;
  const lastAt = lastErrorBefore(buffers, end) ?? firstAt;
  // The run begins with a whole piece; the errors just before it belong to it if they are as close to each other.
  const lead = errorTimesBetween(buffers, firstAt - pieceNanos, firstAt);
  const gap = (2n * (lastAt - firstAt)) / BigInt(run.count);
  const apart = lead.findLastIndex((each, index) => (lead[index + 1] ?? firstAt) - each > gap);
  const at = lead[apart + 1] ?? firstAt;
  const errorCount = run.count + lead.length - (apart + 1);
  const heldFrom = latestOf([oldest, at - beforeNanos]) ?? oldest;
  const before = at - heldFrom < second ? undefined : perMinute(countBetween(buffers, heldFrom, at), at - heldFrom);
  const during = perMinute(errorCount, lastAt - at);
  const errorsBehind = end > newest ? 0 : countBetween(buffers, end, newest + 1n);
  const isQuiet = perMinute(errorsBehind, newest - lastAt) <= Math.max(2 * (before ?? 0), during / 10);
  const hasEnded = newest - lastAt > silenceFor(errorCount, lastAt - at);
  const course = !hasEnded ? courseOf(counts.slice(run.start, run.end)) : isQuiet ? 'over' : 'falling';
  return {at, lastAt, errorCount, before, during, course};
};

const countBetween = (buffers: readonly LineBuffer[], from: Instant, to: Instant): number =>
  countErrors(buffers, {from, pieceNanos: to - from, count: 1})[0] ?? 0;

/** Returns the last run that matters. One that begins with the first count began earlier, unless nothing is older. */
const latestRun = (counts: readonly number[], isAll: boolean): Run | undefined => {
  const strongest = strongestRun(counts);
  if (strongest === undefined || (strongest.start === 0 && !isAll)) {
    return undefined;
  }
  let latest = strongest;
  for (let from = latest.end; ; ) {
    const later = strongestRun(counts.slice(from));
    if (later === undefined || later.start === 0) {
      return latest;
    }
    const run = {...later, start: later.start + from, end: later.end + from};
    latest = run.count >= laterShareMin * latest.count ? run : latest;
    from = run.end;
  }
};

const perMinute = (count: number, nanos: Instant): number => count / Math.max(1, instantToMs(nanos) / 60_000);

/** A rise goes on for so long without an error, or for three times what passed between two of them on average. */
const silenceMin = 30n * second;

const silenceFor = (count: number, lengthNanos: Instant): Instant =>
  latestOf([silenceMin, (3n * lengthNanos) / BigInt(count)]) ?? silenceMin;

/** A half has so many times the errors of the other. */
const steadyTimes = 1.25;

/** Of few errors, halves differ by chance: by more than this many times the square root of all, hardly ever. */
const chanceTimes = 2;

const courseOf = (counts: readonly number[]): Rise['course'] => {
  const half = Math.floor(counts.length / 2);
  const sum = (some: readonly number[]): number => some.reduce((total, count) => total + count, 0);
  const [first, last] = [sum(counts.slice(0, half)), sum(counts.slice(counts.length - half))];
  if (half === 0) {
    return 'rising';
  }
  const isClear =
    Math.abs(last - first) > chanceTimes * Math.sqrt(first + last) &&
    Math.max(first, last) > steadyTimes * Math.min(first, last);
  return !isClear ? 'steady' : last > first ? 'rising' : 'falling';
};

/** Some of a row of counts: those from `start` to before `end`, and their sum. */
type Run = {readonly start: number; readonly end: number; readonly count: number};

/** Chance brings fewer together. */
const countMin = 4;
/** Log-likelihood ratio; chance alone hardly ever reaches it. */
const ratioMin = 10;
/** A smaller rise is what any day brings. */
const timesMin = 2;

/**
 * Returns the run of counts that chance explains worst: Kulldorff's scan statistic, the most likely place of a burst
 * among events that are otherwise spread evenly. Undefined if chance may explain all of them. O(n²).
 */
const strongestRun = (counts: readonly number[]): Run | undefined => {
  const sums = [0];
  for (const [index, count] of counts.entries()) {
    sums.push((sums[index] ?? 0) + count);
  }
  const total = sums.at(-1) ?? 0;
  let best: Run | undefined;
  let bestRatio = ratioMin;
  for (let start = 0; start < counts.length; start++) {
    for (let end = start + 1; end <= counts.length; end++) {
      const count = (sums[end] ?? 0) - (sums[start] ?? 0);
      const expected = (total * (end - start)) / counts.length;
      const outside = (total - count) / Math.max(1, counts.length - (end - start));
      if (count >= countMin && count >= timesMin * outside * (end - start)) {
        const ratio = term(count, expected) + term(total - count, total - expected);
        if (ratio > bestRatio) {
          bestRatio = ratio;
          best = {start, end, count};
        }
      }
    }
  }
  return best;
};

const term = (count: number, expected: number): number =>
  count === 0 || expected <= 0 ? 0 : count * Math.log(count / expected);

/** A time of a log in equal pieces. */
type Pieces = {readonly from: Instant; readonly pieceNanos: Instant; readonly count: number};

/**
 * Counts the lines of level error or worse in each piece. Does not look into a chunk that lies within one, so a loud
 * log costs O(chunks).
 */
const countErrors = (buffers: readonly LineBuffer[], {from, pieceNanos, count}: Pieces): readonly number[] => {
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
const firstErrorFrom = (buffers: readonly LineBuffer[], from: Instant): Instant | undefined =>
  earliestOf(buffers.map(({chunks}) => firstIn(chunks, chunk => errorTimesOf(chunk).find(at => at >= from))));

/** Returns the time of the last error before a time; undefined if there is none. */
const lastErrorBefore = (buffers: readonly LineBuffer[], to: Instant): Instant | undefined =>
  latestOf(
    buffers.map(({chunks}) => firstIn(chunks.toReversed(), chunk => errorTimesOf(chunk).findLast(at => at < to))),
  );

/** Returns the times of the errors from a time to before another, in order. O(errors) of their chunks. */
const errorTimesBetween = (buffers: readonly LineBuffer[], from: Instant, to: Instant): readonly Instant[] =>
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
