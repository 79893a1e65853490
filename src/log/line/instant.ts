/**
 * An instant with nanosecond precision: nanoseconds since 1970-01-01T00:00:00Z as a bigint, because a `Date` holds
 * milliseconds and a `number` loses digits above 2^53.
 */
export type Instant = bigint;

const nanosPerMilli = 1_000_000n;

// RFC 3339, section 5.6: the separator of date and time may be a space or lower case, the zone Z or an offset. ISO 8601
// prefers a comma ahead of the decimals.
const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Parses an RFC 3339 timestamp. Digits after the ninth decimal are cut; `.1Z`, `.100000000Z` and `+00:00` give the same
 * instant. Returns undefined if the text is not a timestamp or names a day or hour that does not exist. A leap second
 * counts as the second after it. Years below 100 are rejected: Go writes `0001-01-01T00:00:00Z` for no time.
 */
export const parseInstant = (text: string): Instant | undefined =>
  (text.length === canonicalStampLength ? parseCanonical(text) : undefined) ?? parseAny(text);

/** Length of a timestamp in the form that the interface describes. */
export const canonicalStampLength = '2026-11-21T14:02:11.031000000Z'.length;
const zero = 0x30;

/** The last second parsed: many lines share one, and the calendar is the costly part. */
let lastSecond: {readonly text: string; readonly instant: Instant} = {text: '1970-01-01T00:00:00.', instant: 0n};

/**
 * Parses the timestamp that a text begins with, if it has the form that the interface describes; undefined for any
 * other. Makes no string of it, since a window has many.
 */
export const parseCanonical = (text: string): Instant | undefined => {
  if (text.charCodeAt(canonicalStampLength - 1) !== 0x5a || text.charCodeAt(canonicalStampLength - 11) !== 0x2e) {
    return undefined;
  }
  let nanos = 0;
  for (let index = canonicalStampLength - 10; index < canonicalStampLength - 1; index++) {
    const digit = text.charCodeAt(index) - zero;
    if (digit < 0 || digit > 9) {
      return undefined;
    }
    nanos = nanos * 10 + digit;
  }
  if (!text.startsWith(lastSecond.text)) {
    const second = text.slice(0, canonicalStampLength - 10);
    const instant = parseAny(`${second}0Z`);
    if (instant === undefined) {
      return undefined;
    }
    lastSecond = {text: second, instant};
  }
  return lastSecond.instant + BigInt(nanos);
};

const parseAny = (text: string): Instant | undefined => {
  const match = pattern.exec(text);
  if (!match) {
    return undefined;
  }
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour, zoneMinute] = match;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 60 || Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) {
    return undefined;
  }
  const dayMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const date = new Date(dayMs);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999 and rolls 30 February over; both are caught here.
  if (
    date.getUTCFullYear() !== Number(year) ||
    date.getUTCMonth() !== Number(month) - 1 ||
    date.getUTCDate() !== Number(day)
  ) {
    return undefined;
  }
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0));
  const ms = dayMs + (h * 3600 + m * 60 + s - offsetMinutes * 60) * 1000;
  return BigInt(ms) * nanosPerMilli + BigInt(fraction.padEnd(9, '0'));
};

/** Converts milliseconds since 1970, as from `Date.now()`, to an instant. */
export const instantFromMs = (ms: number): Instant => BigInt(Math.round(ms)) * nanosPerMilli;

/** Converts an instant to milliseconds since 1970, rounded down. */
export const instantToMs = (instant: Instant): number => {
  const ms = instant / nanosPerMilli;
  return Number(instant < 0n && ms * nanosPerMilli !== instant ? ms - 1n : ms);
};

/** The last second formatted: the calendar is the costly part, and neighbouring lines share it. */
let lastWritten: {readonly from: Instant; readonly text: string} = {from: 0n, text: '1970-01-01T00:00:00.'};
export const nanosPerSecond: Instant = 1_000_000_000n;

/**
 * Formats as RFC 3339 in UTC with nine decimals and a trailing Z. A year past 9999, which an offset can produce, has a
 * sign and six digits.
 */
export const formatInstant = (instant: Instant): string => {
  let belowSecond = instant - lastWritten.from;
  if (belowSecond < 0n || belowSecond >= nanosPerSecond) {
    const ms = Math.floor(instantToMs(instant) / 1000) * 1000;
    lastWritten = {from: instantFromMs(ms), text: new Date(ms).toISOString().slice(0, -4)};
    belowSecond = instant - lastWritten.from;
  }
  return `${lastWritten.text}${belowSecond.toString().padStart(9, '0')}Z`;
};

/** Formats the UTC time of day, `14:02:11`, or with milliseconds `14:02:11.031`. */
export const formatClock = (instant: Instant, withMillis = false): string =>
  formatInstant(instant).slice(11, withMillis ? 23 : 19);

/** Returns the earliest known instant. */
export const earliestOf = (instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined);

/** Returns the latest known instant. */
export const latestOf = (instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);

/** Returns the later of two instants, or the longer of two times. */
export const laterOf = (a: Instant, b: Instant): Instant => (a > b ? a : b);
