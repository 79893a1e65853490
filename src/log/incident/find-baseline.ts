import type {Instant} from '#log/line/instant.ts';
import {comparedMin, instantOf, linesIn} from './findings/rate-finding.ts';
import type {LogEvents} from './findings/read-events.ts';
import {findLevels, type HeldSpan} from './statistics/find-levels.ts';
import {countBetween} from './statistics/find-runs.ts';
import type {Span} from './verdict.ts';

/** Half of what can be compared. */
const baselineMin = comparedMin / 2;
/** In less time nobody knows which errors are usual, in seconds, unless they are few: in some minutes, so many. */
const usualMin = 1200;
const few = {seconds: 300, perMinute: 0.6, share: 0.005} as const;

/**
 * Returns the quietest contiguous part of what is held without a hole before what is judged: before what was found,
 * before the time asked or, if nothing is held before that, its last part. Undefined if none is long enough.
 * `judgedFrom`: when what was found began.
 */
export const findBaseline = (
  events: LogEvents,
  covered: readonly Span[],
  judgedFrom: Instant | undefined,
): Span | undefined => {
  const {held, asked, origin, errors} = events;
  const levels = findLevels(errors, held);
  const isHeldBefore = asked.from - held.from >= baselineMin;
  const found = judgedFrom === undefined ? undefined : Number(judgedFrom - origin) / 1e9;
  const before = found ?? (isHeldBefore ? asked.from : Math.max(levels.at(-1)?.from ?? 0, held.to / 2));
  const parts = levels.flatMap(({start, end, from, to}) =>
    spansWithin({from, to: Math.min(to, before)}, covered, origin).map(span => ({
      span,
      rate: (end - start) / Math.max(1, to - from),
    })),
  );
  const isUnknown = found === undefined && held.to < usualMin && hasMany(events);
  const long = isUnknown ? [] : parts.filter(({span}) => span.to - span.from >= baselineMin);
  const [quietest] = long.toSorted((a, b) => a.rate - b.rate || b.span.to - b.span.from - (a.span.to - a.span.from));
  return quietest && {from: instantOf(events, quietest.span.from), to: instantOf(events, quietest.span.to)};
};

/** Checks whether the errors of the time asked are more than few. */
const hasMany = (events: LogEvents): boolean => {
  const {errors, asked, held} = events;
  const count = countBetween(errors, asked.from, asked.to + 1e-6);
  const isFew =
    held.to >= few.seconds &&
    errors.length <= (few.perMinute * held.to) / 60 &&
    errors.length <= few.share * linesIn(events, held.from, held.to);
  return count > 0 && !isFew;
};

const spansWithin = ({from, to}: HeldSpan, covered: readonly Span[], origin: Instant): readonly HeldSpan[] =>
  covered
    .map(span => ({
      from: Math.max(from, Number(span.from - origin) / 1e9),
      to: Math.min(to, Number(span.to - origin) / 1e9),
    }))
    .filter(span => span.to > span.from);
