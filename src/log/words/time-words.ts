import {type Instant, instantFromMs, instantToMs, parseInstant} from '../line/instant.ts';

/** Returns the user's offset from UTC at an instant, in minutes; negative west of Greenwich. */
export type OffsetMinutesAt = (at: Instant) => number;

export type WhenContext = {
  /** The current time: the service's clock for times in a log. */
  readonly nowAt: Instant;
  /** The zone of times that name none. Default UTC. */
  readonly offsetMinutesAt?: OffsetMinutesAt;
};

const textCharsMax = 64;
const nanosPerSecond = 1_000_000_000n;
const msPerMinute = 60_000;
const msPerDay = 86_400_000;

const clockPattern = /^(?:(today|yesterday)\s+)?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?$/i;
const dayPattern = /^(today|yesterday)$/i;
const agoPattern = /^(?:-\s*(?=\d)|(?=\d.*\sago$))((?:\d{1,6}\s*[dhms]\s*){1,4})(?:\s*ago)?$/i;
const agoPart = /(\d{1,6})\s*([dhms])/gi;
const datePattern = /^(\d{4}-\d\d-\d\d)(?:[Tt ]\s*(\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)?)?\s*(Z|UTC|[+-]\d\d:\d\d)?$/i;

const secondsOfUnits: Readonly<Record<string, bigint>> = {d: 86_400n, h: 3600n, m: 60n, s: 1n};

const utc: OffsetMinutesAt = () => 0;

/** Returns the instant at which the user's clock shows what a UTC clock shows at `local`. */
const fromLocal = (local: Instant, offsetMinutesAt: OffsetMinutesAt): Instant => {
  const shift = (at: Instant): Instant => local - instantFromMs(offsetMinutesAt(at) * msPerMinute);
  // The offset depends on the instant being computed: if the clocks changed in between, the second pass is right.
  return shift(shift(local));
};

const parseAgo = (text: string, nowAt: Instant): Instant | undefined => {
  const parts = agoPattern.exec(text)?.[1];
  if (parts === undefined) {
    return undefined;
  }
  let seconds = 0n;
  for (const [, count = '0', unit = 's'] of parts.matchAll(agoPart)) {
    seconds += BigInt(count) * (secondsOfUnits[unit.toLowerCase()] ?? 0n);
  }
  return nowAt - seconds * nanosPerSecond;
};

/** Parses `14:02`, `yesterday 14:02`, `today`; a bare clock time is the latest one not after now. */
const parseClock = (text: string, {nowAt, offsetMinutesAt = utc}: WhenContext): Instant | undefined => {
  const [, clockDay, hour = '0', minute = '0', second = '0', fraction = ''] = clockPattern.exec(text) ?? [];
  const day = (clockDay ?? dayPattern.exec(text)?.[1])?.toLowerCase();
  if (day === undefined && !clockPattern.test(text)) {
    return undefined;
  }
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) {
    return undefined;
  }
  const localNowMs = instantToMs(nowAt) + offsetMinutesAt(nowAt) * msPerMinute;
  const midnightMs = Math.floor(localNowMs / msPerDay) * msPerDay - (day === 'yesterday' ? msPerDay : 0);
  const at = (dayMs: number): Instant =>
    fromLocal(instantFromMs(dayMs + (h * 3600 + m * 60 + s) * 1000) + BigInt(fraction.padEnd(9, '0')), offsetMinutesAt);
  const today = at(midnightMs);
  return day === undefined && today > nowAt ? at(midnightMs - msPerDay) : today;
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
 * Parses a time as a person types it: `14:02`, `14:02:11.5` (the latest one not after now), `yesterday 14:02`, `-15m`,
 * `-2h30m`, `15m ago`, `now`, `2026-11-21`, `2026-11-21 14:02` and RFC 3339. A time without a zone uses
 * `offsetMinutesAt`. The error is a sentence for the user.
 */
export const parseWhen = (text: string, context: WhenContext): Instant | {readonly error: string} => {
  const words = text.trim();
  if (words.length > textCharsMax) {
    return {error: `A time has at most ${textCharsMax} characters`};
  }
  const at =
    words.toLowerCase() === 'now'
      ? context.nowAt
      : (parseAgo(words, context.nowAt) ?? parseClock(words, context) ?? parseDate(words, context));
  return at ?? {error: `“${words}” is no time: try 14:02, yesterday 14:02, -15m or 2026-11-21 14:02`};
};
