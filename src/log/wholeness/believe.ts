import {firstIndexWhere} from '../buffer/buffer.ts';
import type {Instant} from '../line/instant.ts';
import type {WindowLines} from '../line/window-lines.ts';

/** Pod clocks may differ by this much; a stamp further ahead is not from any real clock. */
const aheadMax: Instant = 3_600_000_000_000n;

/**
 * Returns the time up to which timestamps are believed: one hour past the service's clock, or past the window's middle
 * line if that is later or the clock is unknown. A line stamped later keeps its place but is never used to measure what
 * is new or late.
 */
export const believableThrough = (
  lines: Pick<WindowLines, 'length' | 'timeAt'>,
  serviceAt: Instant | undefined,
): Instant | undefined => {
  const middle = lines.timeAt(lines.length >>> 1);
  const from = middle === undefined || (serviceAt !== undefined && serviceAt > middle) ? serviceAt : middle;
  return from === undefined ? undefined : from + aheadMax;
};

/** Returns the newest believed time of lines ordered by time. */
export const newestBelieved = (
  lines: Pick<WindowLines, 'length' | 'timeAt'>,
  through: Instant | undefined,
): Instant | undefined =>
  through === undefined
    ? lines.timeAt(lines.length - 1)
    : lines.timeAt(firstIndexWhere(lines.length, index => (lines.timeAt(index) ?? through) > through) - 1);
