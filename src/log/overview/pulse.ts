/** The minutes of a pulse: what a look at the list can compare. */
export const pulseMinutesMax = 5;

export const pulseMinuteMs = 60_000;

/** What was seen of one minute of a log. */
export type PulseMinute = {
  /** Minutes since 1970. */
  readonly minute: number;
  /** How much of the minute was seen, milliseconds: nothing is known of the rest. */
  readonly seenMs: number;
  readonly lines: number;
  readonly errors: number;
};

/** An error line, as received. Untrusted text. */
export type PulseError = {readonly atMs: number; readonly text: string};

/** What one look at a log counted, and nothing of its lines but the last error. Times are milliseconds since 1970. */
export type Pulse = {
  /** Until when the log was seen. */
  readonly toMs: number;
  /** How much of the last minute was seen, milliseconds; 0 if there are no lines, or none whose time can be read. */
  readonly spanMs: number;
  /** The lines of that time; if it is 0, those without a time. */
  readonly lines: number;
  readonly errors: number;
  /** The last minutes of which anything was seen, oldest first. */
  readonly minutes: readonly PulseMinute[];
  readonly lastError?: PulseError | undefined;
  /** The newest line's time. */
  readonly lastLineMs?: number | undefined;
};

/** Longer than a row of any terminal. */
export const errorCharsMax = 400;

/** Returns the first of the minutes that are kept at a time. */
export const firstMinuteAt = (toMs: number): number => Math.floor(toMs / pulseMinuteMs) - pulseMinutesMax + 1;

/**
 * Returns the later pulse, with what only the earlier one saw. Of a minute that both saw, the look that saw more of it
 * counts: nothing tells which lines they share.
 */
export const joinPulses = (before: Pulse | undefined, now: Pulse): Pulse => {
  if (before === undefined) {
    return now;
  }
  const minutes = new Map(now.minutes.map(each => [each.minute, each]));
  for (const each of before.minutes) {
    if (each.minute >= firstMinuteAt(now.toMs) && each.seenMs > (minutes.get(each.minute)?.seenMs ?? 0)) {
      minutes.set(each.minute, each);
    }
  }
  const isNewer = (before.lastError?.atMs ?? 0) > (now.lastError?.atMs ?? 0);
  return {
    ...now,
    minutes: [...minutes.values()].sort((a, b) => a.minute - b.minute),
    lastError: isNewer ? before.lastError : now.lastError,
  };
};

/** Errors a minute before the last one, as far as they were seen; undefined if less than a minute of it was. */
const rateBefore = ({toMs, minutes}: Pulse): number | undefined => {
  const before = minutes.filter(({minute}) => (minute + 1) * pulseMinuteMs <= toMs - pulseMinuteMs);
  const seenMs = before.reduce((sum, each) => sum + each.seenMs, 0);
  const errors = before.reduce((sum, each) => sum + each.errors, 0);
  return seenMs < pulseMinuteMs ? undefined : (errors * pulseMinuteMs) / seenMs;
};

/** Errors a minute, over what was seen of the last one. */
export const rateOf = ({errors, spanMs}: Pulse): number => (spanMs === 0 ? 0 : (errors * pulseMinuteMs) / spanMs);

/** Fewer are no trend. */
const trendErrorsMin = 3;
/** So many times what came before is more than chance makes of a steady rate. */
const risingTimes = 3;

/** Says whether there were no errors in the minutes before, or far fewer; undefined if neither, or nobody looked. */
export const pulseTrendOf = (pulse: Pulse): 'new' | 'rising' | undefined => {
  const before = pulse.errors < trendErrorsMin ? undefined : rateBefore(pulse);
  if (before === undefined) {
    return undefined;
  }
  return before === 0 ? 'new' : rateOf(pulse) >= risingTimes * before ? 'rising' : undefined;
};
