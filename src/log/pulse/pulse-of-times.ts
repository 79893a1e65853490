import {
  firstMinuteAt,
  type Pulse,
  type PulseError,
  type PulseMinute,
  pulseMinuteMs,
  pulseMinutesMax,
} from '../overview/pulse.ts';

/** What a pulse is made of. Times are milliseconds since 1970, in any order. */
export type PulseTimes = {
  /** Of all lines whose time can be read. */
  readonly times: readonly number[];
  /** How many have none. */
  readonly untimedCount?: number | undefined;
  readonly errorTimes: readonly number[];
  readonly lastError?: PulseError | undefined;
  /** Since when every line is among them; the oldest one's time by default. */
  readonly fromMs?: number | undefined;
  /** Until when. A line may be a little newer: clocks differ. */
  readonly toMs?: number | undefined;
};

/** A line further ahead of the service's clock has a wrong time, and must not make all others old. */
const aheadMsMax = 10 * pulseMinuteMs;

/** Counts the lines of the last minutes. */
export const pulseOfTimes = ({times, errorTimes, lastError, untimedCount = 0, ...seen}: PulseTimes): Pulse => {
  let [oldestMs, lastLineMs] = [seen.fromMs ?? Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const atMs of times) {
    oldestMs = seen.fromMs === undefined && atMs < oldestMs ? atMs : oldestMs;
    lastLineMs = atMs > lastLineMs && atMs - (seen.toMs ?? atMs) <= aheadMsMax ? atMs : lastLineMs;
  }
  if (times.length === 0) {
    return {toMs: seen.toMs ?? 0, spanMs: 0, lines: untimedCount, errors: 0, minutes: [], lastError};
  }
  const toMs = Math.max(seen.toMs ?? Number.NEGATIVE_INFINITY, lastLineMs);
  const countFrom = (of: readonly number[], fromMs: number, beforeMs = Number.POSITIVE_INFINITY): number =>
    of.reduce((count, atMs) => (atMs >= fromMs && atMs < beforeMs ? count + 1 : count), 0);
  const fromMs = Math.max(oldestMs, toMs - pulseMinuteMs);
  const minutes = Array.from({length: pulseMinutesMax}, (_, index): PulseMinute => {
    const minute = firstMinuteAt(toMs) + index;
    const [startMs, endMs] = [minute * pulseMinuteMs, (minute + 1) * pulseMinuteMs];
    return {
      minute,
      seenMs: Math.min(endMs, toMs) - Math.max(startMs, oldestMs),
      lines: countFrom(times, startMs, endMs),
      errors: countFrom(errorTimes, startMs, endMs),
    };
  });
  return {
    toMs,
    // A single line spans no time, but was seen.
    spanMs: Math.max(1, toMs - fromMs),
    lines: countFrom(times, fromMs),
    errors: countFrom(errorTimes, fromMs),
    minutes: minutes
      .filter(({seenMs, lines}) => seenMs > 0 || lines > 0)
      .map(each => ({...each, seenMs: Math.max(1, each.seenMs)})),
    lastError,
    ...(Number.isFinite(lastLineMs) && {lastLineMs}),
  };
};
