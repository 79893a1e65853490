import type {HeldSpan} from './find-levels.ts';
import {beforeSeconds, countBetween} from './find-runs.ts';

/** Since when nothing comes of what came steadily. */
export type Stop = {
  /** Its last time, in seconds. */
  readonly at: number;
  /** A second, in at most fifteen minutes before. */
  readonly before: number;
  /** How many would have come since, going by the time and by all other lines, whichever is less. */
  readonly evidence: number;
};

/** Fewer may be no more than a few of a kind. */
const eventsMin = 10;
/** A silence has to be so many times the longest before. */
const longestTimesMin = 2.5;
const expectedMin = 8;

/** Finds whether what came steadily came to an end. `clock` is the times of all lines; all times ascend. */
export const findStop = (
  times: readonly number[],
  clock: readonly number[],
  {from, to}: HeldSpan,
): Stop | undefined => {
  const at = times.at(-1);
  // What came for a while only is no habit.
  const isSteady = (times[0] ?? 0) - from <= ((at ?? 0) - from) / 4;
  if (at === undefined || times.length < eventsMin || !isSteady) {
    return undefined;
  }
  const silence = to - at;
  const heldFrom = Math.max(from, at - beforeSeconds);
  const count = countBetween(times, heldFrom, at);
  const before = count / Math.max(1, at - heldFrom);
  const linesBefore = countBetween(clock, heldFrom, at);
  const byLines = (count * countBetween(clock, at, to)) / Math.max(1, linesBefore);
  const evidence = Math.min(before * silence, byLines);
  if (evidence < expectedMin) {
    return undefined;
  }
  let longest = 0;
  for (let index = 1; index < times.length; index++) {
    longest = Math.max(longest, (times[index] ?? 0) - (times[index - 1] ?? 0));
  }
  return silence >= longestTimesMin * longest ? {at, before, evidence} : undefined;
};
