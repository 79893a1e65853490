import {firstIndexWhere} from '#log/buffer/buffer.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import type {WindowLines} from '#log/window/window-lines.ts';

/** Pod clocks may differ by this much; a stamp further ahead is not from any real clock. */
const aheadMax: Instant = 3_600_000_000_000n;

/** A clock may be hours off. A stamp further from the service's clock and from the other lines is no clock's. */
export const offMax: Instant = 24n * aheadMax;

/**
 * Returns the time up to which timestamps are believed: one hour past the service's clock, or past the window's middle
 * line if that is later, by a day at most, or the clock is unknown. A line stamped later keeps its place but is never
 * used to measure what is new or late.
 */
export const believableThrough = (
  lines: Pick<WindowLines, 'length' | 'timeAt'>,
  serviceAt: Instant | undefined,
): Instant | undefined => {
  const middle = lines.timeAt(lines.length >>> 1);
  const isOfService =
    middle === undefined || (serviceAt !== undefined && (serviceAt > middle || middle > serviceAt + offMax));
  const from = isOfService ? serviceAt : middle;
  return from === undefined ? undefined : from + aheadMax;
};

/**
 * Returns between which times stamps can be a clock's. Others bound nothing; undefined: nothing is known. `held`: times
 * of before that are a clock's.
 */
export const clockBounds = (
  lines: Pick<WindowLines, 'length' | 'timeAt'>,
  serviceAt: Instant | undefined,
  held: Iterable<Instant> = [],
): {readonly from: Instant; readonly through: Instant} | undefined => {
  const middle = latestOf([lines.timeAt(lines.length >>> 1), ...held]);
  const earlier = earliestOf([middle, serviceAt]);
  return earlier === undefined ? undefined : {from: earlier - offMax, through: (serviceAt ?? earlier) + offMax};
};

/** Returns the oldest time from an index on that can be a clock's, of lines ordered by time; else the last. */
export const oldestOfClock = (
  lines: Pick<WindowLines, 'length' | 'timeAt'>,
  serviceAt: Instant | undefined,
  from = 0,
): Instant | undefined => {
  const bounds = clockBounds(lines, serviceAt);
  const indexOf = (isFrom: (at: Instant) => boolean): number =>
    firstIndexWhere(lines.length, index => isFrom(lines.timeAt(index) ?? 0n));
  return (
    bounds &&
    lines.timeAt(
      Math.min(
        Math.max(
          indexOf(at => at >= bounds.from),
          from,
        ),
        indexOf(at => at > bounds.through) - 1,
      ),
    )
  );
};

/** Returns the newest believed time of lines ordered by time. */
export const newestBelieved = (
  lines: Pick<WindowLines, 'length' | 'timeAt'>,
  through: Instant | undefined,
): Instant | undefined =>
  through === undefined
    ? lines.timeAt(lines.length - 1)
    : lines.timeAt(firstIndexWhere(lines.length, index => (lines.timeAt(index) ?? through) > through) - 1);
