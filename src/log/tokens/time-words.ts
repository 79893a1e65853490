import {type Instant, instantFromMs, instantToMs, nanosPerSecond, parseInstant} from '#log/line/instant.ts';

const day = 86_400_000;

/** Milliseconds of a unit, by its word without a plural `s`. */
const unitMs: ReadonlyMap<string, number> = new Map(
  (
    [
      ['ms msec millisecond', 1],
      ['s sec second', 1000],
      ['m min minute', 60_000],
      ['h hr hour', 3_600_000],
      ['d day', day],
      ['w week', 7 * day],
    ] as const
  ).flatMap(([words, ms]) => words.split(' ').map((word): readonly [string, number] => [word, ms])),
);

/** 4 years: a longer time is a typing error. */
const durationMsMax = 4 * 365 * day;

const part = /(\d{1,12}(?:\.\d{1,9})?)\s*([a-z]*)\s*/gi;
/** Nobody types more than weeks, days, hours, minutes and seconds. */
const whole = /^(?:\d{1,12}(?:\.\d{1,9})?\s*[a-z]*\s*){1,6}$/i;

/**
 * Parses a length of time as people type it, and returns milliseconds: `500ms`, `15s`, `15min`, `1h30m`, `2 days`,
 * `1w`; a bare number is seconds. Returns undefined if it is none, or is longer than 4 years.
 */
export const parseDurationMs = (text: string): number | undefined => {
  const words = text.trim();
  if (!whole.test(words)) {
    return undefined;
  }
  const parts = [...words.matchAll(part)];
  let sum = 0;
  for (const [, count = '', unit = ''] of parts) {
    const word = unit.toLowerCase();
    const ms = unit === '' && parts.length === 1 ? 1000 : (unitMs.get(word) ?? unitMs.get(word.replace(/s$/, '')));
    if (ms === undefined) {
      return undefined;
    }
    sum += Number(count) * ms;
  }
  return sum <= durationMsMax ? Math.round(sum) : undefined;
};

/** Returns the user's offset from UTC at an instant, in minutes; negative west of Greenwich. */
export type OffsetMinutesAt = (at: Instant) => number;

export type WhenContext = {
  /** The current time: the service's clock for times in a log. */
  readonly nowAt: Instant;
  /** The zone of times that name none. Default UTC. */
  readonly offsetMinutesAt?: OffsetMinutesAt;
  /** A clock time is one of the day of this; left out, it is the latest one not after now. */
  readonly dayOf?: Instant | undefined;
};

const textCharsMax = 64;
const msPerMinute = 60_000;
const msPerDay = 86_400_000;

const clockPattern = /^(?:(today|yesterday)\s+)?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?$/i;
const dayPattern = /^(today|yesterday)$/i;
const agoPattern = /^(?:-\s*(?=\d)(.+)|(\d.*?)\s+ago|(\d.*[a-z]))$/i;
const epochPattern = /^@(\d{1,11})(?:\.(\d{1,9}))?$/;
const datePattern = /^(\d{4}-\d\d-\d\d)(?:[Tt ]\s*(\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)?)?\s*(Z|UTC|[+-]\d\d:\d\d)?$/i;

const utc: OffsetMinutesAt = () => 0;

/** Returns the instant at which the user's clock shows what a UTC clock shows at `local`. */
const fromLocal = (local: Instant, offsetMinutesAt: OffsetMinutesAt): Instant => {
  const shift = (at: Instant): Instant => local - instantFromMs(offsetMinutesAt(at) * msPerMinute);
  // The offset depends on the instant being computed: if the clocks changed in between, the second pass is right.
  return shift(shift(local));
};

/** Parses `-15m`, `15m ago`, `1h30m`. */
const parseAgo = (text: string, nowAt: Instant): Instant | undefined => {
  const [, negative, ago, bare] = agoPattern.exec(text) ?? [];
  const length = negative ?? ago ?? bare;
  const isBareNumber = length !== undefined && /^[\d.]+$/.test(length);
  const ms = length === undefined || isBareNumber ? undefined : parseDurationMs(length);
  return ms === undefined ? undefined : nowAt - instantFromMs(ms);
};

/** Parses `@1763733731.5`: seconds since 1970. */
const parseEpoch = (text: string): Instant | undefined => {
  const [, seconds, decimals = ''] = epochPattern.exec(text) ?? [];
  return seconds === undefined ? undefined : BigInt(seconds) * nanosPerSecond + BigInt(decimals.padEnd(9, '0'));
};

/** Parses `14:02`, `yesterday 14:02`, `today`; a bare clock time is the latest one not after now. */
const parseClock = (text: string, {nowAt, dayOf, offsetMinutesAt = utc}: WhenContext): Instant | undefined => {
  const [, clockDay, hour = '0', minute = '0', second = '0', fraction = ''] = clockPattern.exec(text) ?? [];
  const day = (clockDay ?? dayPattern.exec(text)?.[1])?.toLowerCase();
  if (day === undefined && !clockPattern.test(text)) {
    return undefined;
  }
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) {
    return undefined;
  }
  const midnightOf = (at: Instant): number =>
    Math.floor((instantToMs(at) + offsetMinutesAt(at) * msPerMinute) / msPerDay) * msPerDay;
  const midnightMs = midnightOf(day === undefined ? (dayOf ?? nowAt) : nowAt) - (day === 'yesterday' ? msPerDay : 0);
  const at = (dayMs: number): Instant =>
    fromLocal(instantFromMs(dayMs + (h * 3600 + m * 60 + s) * 1000) + BigInt(fraction.padEnd(9, '0')), offsetMinutesAt);
  const today = at(midnightMs);
  const isOfToday = midnightMs === midnightOf(nowAt);
  return day === undefined && isOfToday && today > nowAt ? at(midnightMs - msPerDay) : today;
};

/** Parses `2026-11-21T14:02:11Z`, `2026-11-21 14:02`, `2026-11-21`. */
const parseDate = (text: string, {offsetMinutesAt = utc}: WhenContext): Instant | undefined => {
  const [, date, minutes = '00:00', seconds = ':00', zone] = datePattern.exec(text) ?? [];
  if (date === undefined) {
    return undefined;
  }
  const known = zone === undefined || /^(?:z|utc)$/i.test(zone) ? 'Z' : zone;
  const at = parseInstant(`${date}T${minutes}${seconds.replace(',', '.')}${known}`);
  return at === undefined || zone !== undefined ? at : fromLocal(at, offsetMinutesAt);
};

/**
 * Parses a time as a person types it, in every prompt and every flag: `14:02`, `14:02:11.5` (of the day given, else the
 * latest one not after now), `yesterday 14:02`, `yesterday`, `15m`, `-1h30m`, `2 days ago`, `1w`, `now`, `2026-11-21`,
 * `2026-11-21 14:02`, RFC 3339, and `@1763733731`, seconds since 1970. A time without a zone uses `offsetMinutesAt`.
 * The error is a sentence for the user.
 */
export const parseWhen = (text: string, context: WhenContext): Instant | {readonly error: string} => {
  const words = text.trim();
  if (words.length > textCharsMax) {
    return {error: `A time has at most ${textCharsMax} characters`};
  }
  const at =
    words.toLowerCase() === 'now'
      ? context.nowAt
      : (parseMoment(words, context) ?? parseEpoch(words) ?? parseAgo(words, context.nowAt));
  return at ?? {error: `“${words}” is not a time: try 14:02, yesterday 14:02, 15m or 2026-11-21 14:02`};
};

/** Parses a clock time or a date, as `parseWhen` does; undefined for anything else, such as an age. */
export const parseMoment = (text: string, context: WhenContext): Instant | undefined =>
  parseClock(text.trim(), context) ?? parseDate(text.trim(), context);

/** Whether a time names its date and its zone, so that nobody can take it for another one. */
export const isUnambiguous = (text: string): boolean => {
  const [, , , , zone] = datePattern.exec(text.trim()) ?? [];
  return zone !== undefined || epochPattern.test(text.trim());
};

/** Times from `from` to `to`, both included; what is left out has no end there. */
export type TimeRange = {readonly from?: Instant | undefined; readonly to?: Instant | undefined};

const separator = /^(?:from\s+)?(.*?)(?:\s+to(?:\s+|$)|\s*(?:\.\.+|–)\s*|\s+-\s+)(.*)$/i;
const fromOnly = /^from\s+(.+)$/i;
const toOnly = /^(?:to|until)\s+(.+)$/i;
const clock = /^\d{1,2}:\d\d/;

const nanosPerDay = 86_400_000_000_000n;

/** Checks whether a text is meant as a range, not as one time. */
export const isRangeText = (text: string): boolean =>
  [separator, fromOnly, toOnly].some(pattern => pattern.test(text.trim()));

/**
 * Parses a range as a person types it: `14:02 to 14:05`, `from 14:02`, `to 14:05`, `14:02..14:05`, `-15m to -10m`,
 * `14:02 to +3m`. A clock time at its end is the first one after its beginning. A single time is a beginning.
 */
export const parseRange = (text: string, context: WhenContext): TimeRange | {readonly error: string} => {
  const words = text.trim();
  const [
    ,
    first = fromOnly.exec(words)?.[1] ?? (toOnly.test(words) ? '' : words),
    last = toOnly.exec(words)?.[1] ?? '',
  ] = separator.exec(words) ?? [];
  const from = first === '' ? undefined : parseWhen(first, context);
  if (typeof from === 'object') {
    return from;
  }
  const to = last === '' ? undefined : parseEnd(last, from, context);
  if (typeof to === 'object') {
    return to;
  }
  return from !== undefined && to !== undefined && to < from ? {error: 'The range ends before it begins'} : {from, to};
};

const parseEnd = (
  text: string,
  from: Instant | undefined,
  context: WhenContext,
): Instant | {readonly error: string} => {
  if (from === undefined) {
    return parseWhen(text, context);
  }
  if (text.startsWith('+')) {
    const ago = parseWhen(`-${text.slice(1)}`, context);
    return typeof ago === 'object' ? ago : from + (context.nowAt - ago);
  }
  return parseWhen(text, clock.test(text) ? {...context, nowAt: from + nanosPerDay} : context);
};
