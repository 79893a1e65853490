import {firstIndexWhere} from '../buffer/buffer.ts';
import type {Instant} from '../line/instant.ts';

/** The clocks of pods may differ by so much; what is further ahead is a stamp that nobody's clock gave. */
const aheadMax: Instant = 3_600_000_000_000n;

/**
 * Up to which time stamps are believed: an hour past the service's clock, or past the middle line of the window where that is later
 * or the clock is not known. A line stamped later keeps its place, and is nobody's measure of what is new or late.
 */
export const believableThrough = (
  lines: readonly {readonly at: Instant}[],
  serviceAt: Instant | undefined,
): Instant | undefined => {
  const middle = lines[lines.length >>> 1]?.at;
  const from = middle === undefined || (serviceAt !== undefined && serviceAt > middle) ? serviceAt : middle;
  return from === undefined ? undefined : from + aheadMax;
};

/** The newest of times in order that is believed. */
export const newestBelieved = (
  lines: readonly {readonly at: Instant}[],
  through: Instant | undefined,
): Instant | undefined =>
  through === undefined
    ? lines.at(-1)?.at
    : lines[firstIndexWhere(lines.length, index => (lines[index]?.at ?? through) > through) - 1]?.at;
