import {formatClock, formatInstant, type Instant, instantFromMs, instantToMs} from '#log/line/instant.ts';
import type {OffsetMinutesAt} from '#log/tokens/time-words.ts';

const msPerDay = 86_400_000;

/** Returns the milliseconds since 1970 that a UTC clock has when the clock of the zone shows this time. */
const zoneMs = (at: Instant, offsetMinutesAt: OffsetMinutesAt): number =>
  instantToMs(at) + Math.round(offsetMinutesAt(at)) * msPerMinute;

/** Returns the day of an instant in a zone, as the number of days since 1970. */
export const dayOf = (at: Instant, offsetMinutesAt: OffsetMinutesAt): number =>
  Math.floor(zoneMs(at, offsetMinutesAt) / msPerDay);

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = 'January February March April May June July August September October November December'.split(' ');

/** Names the day of an instant in a zone: `Sat 11 July`, with the year if it is not that of `nowAt`. */
export const formatDay = (at: Instant, nowAt: Instant, offsetMinutesAt: OffsetMinutesAt): string => {
  const date = new Date(zoneMs(at, offsetMinutesAt));
  const year = date.getUTCFullYear();
  const isThisYear = year === new Date(zoneMs(nowAt, offsetMinutesAt)).getUTCFullYear();
  const day = `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
  return isThisYear ? day : `${day} ${year}`;
};

/** Returns the day of a time of the service's clock in UTC, as {@link dayOf}. */
export const utcDayOfMs = (ms: number): number => dayOf(instantFromMs(ms), () => 0);

/** The forms of the time column of the log. */
export type TimeMode = 'clock' | 'utc' | 'local' | 'relative' | 'sinceLine' | 'sinceMark' | 'off';

type FormatWhenContext = {
  /** All times are of whole seconds, so that none shows a fraction. */
  readonly isWhole?: boolean;
  readonly nowAt?: Instant;
  readonly offsetMinutesAt?: OffsetMinutesAt;
  /** The time of the line above; undefined for the first. */
  readonly previousAt?: Instant | undefined;
  readonly markAt?: Instant | undefined;
};

const widths: Readonly<Record<TimeMode, number>> = {
  clock: '14:02:11.031'.length,
  utc: '2026-11-21T14:02:11.031Z'.length,
  local: '15:02:11.031+01:00'.length,
  relative: '9999d ago'.length,
  sinceLine: '+999.999'.length,
  sinceMark: '+999.999'.length,
  off: 0,
};

const wholeWidths: Readonly<Record<TimeMode, number>> = {
  ...widths,
  clock: '14:02:11'.length,
  utc: '2026-11-21T14:02:11Z'.length,
  local: '15:02:11+01:00'.length,
};

/**
 * Returns the width of the time column in a mode, in cells; `formatWhen` returns exactly as many characters, all ASCII.
 */
export const whenWidth = (mode: TimeMode, isWhole = false): number => (isWhole ? wholeWidths : widths)[mode];

const msPerMinute = 60_000;
const nanosPerMilli = 1_000_000n;
const daysMax = 9999n;

const formatOffset = (minutes: number): string => {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
};

const formatLocal = (at: Instant, offsetMinutesAt: OffsetMinutesAt, isWhole: boolean): string => {
  const minutes = Math.round(offsetMinutesAt(at));
  return `${formatClock(at + instantFromMs(minutes * msPerMinute), !isWhole)}${formatOffset(minutes)}`;
};

/** Formats a time with its date and its zone: `2026-11-21 15:02:11+01:00`. */
export const formatLocalDate = (at: Instant, offsetMinutesAt: OffsetMinutesAt): string => {
  const minutes = Math.round(offsetMinutesAt(at));
  const local = formatInstant(at + instantFromMs(minutes * msPerMinute));
  return `${local.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace('T', ' ')}${formatOffset(minutes)}`;
};

/** Formats an age: `now`, `12s ago`, `3m ago`, `5h ago`, `12d ago`, `in 5s`; whole units, rounded down. */
const formatAgo = (at: Instant, nowAt: Instant): string => {
  const isAhead = at > nowAt;
  const seconds = (isAhead ? at - nowAt : nowAt - at) / (1000n * nanosPerMilli);
  if (seconds === 0n) {
    return 'now';
  }
  const days = seconds / 86_400n;
  const length =
    seconds < 60n
      ? `${seconds}s`
      : seconds < 3600n
        ? `${seconds / 60n}m`
        : days < 2n
          ? `${seconds / 3600n}h`
          : `${days > daysMax ? daysMax : days}d`;
  return isAhead ? `in ${length}` : `${length} ago`;
};

/**
 * Formats a difference: `+0.012`, `-3.500`, `+16m40s`, `+5h03m`, `+12d04h`; milliseconds up to 1,000 s, then two units,
 * rounded down.
 */
const formatDifference = (at: Instant, from: Instant): string => {
  const sign = at < from ? '-' : '+';
  const ms = (at < from ? from - at : at - from) / nanosPerMilli;
  const seconds = ms / 1000n;
  const pad = (value: bigint, length: number): string => String(value).padStart(length, '0');
  if (seconds < 1000n) {
    return `${sign}${seconds}.${pad(ms % 1000n, 3)}`;
  }
  if (seconds < 3600n) {
    return `${sign}${seconds / 60n}m${pad(seconds % 60n, 2)}s`;
  }
  if (seconds < 172_800n) {
    return `${sign}${seconds / 3600n}h${pad((seconds / 60n) % 60n, 2)}m`;
  }
  const days = seconds / 86_400n;
  return `${sign}${days > daysMax ? daysMax : days}d${days > 999n ? '' : `${pad((seconds / 3600n) % 24n, 2)}h`}`;
};

const formatUnpadded = (at: Instant, mode: TimeMode, context: FormatWhenContext): string => {
  const {nowAt, offsetMinutesAt, previousAt, markAt, isWhole = false} = context;
  switch (mode) {
    case 'clock':
      return formatClock(at, !isWhole);
    case 'utc':
      return `${formatInstant(at).slice(0, -(isWhole ? '.000000000Z' : '000000Z').length)}Z`;
    case 'local':
      return formatLocal(at, offsetMinutesAt ?? (() => 0), isWhole);
    case 'relative':
      return nowAt === undefined ? '' : formatAgo(at, nowAt);
    case 'sinceLine':
      return previousAt === undefined ? '' : formatDifference(at, previousAt);
    case 'sinceMark':
      return markAt === undefined ? '' : formatDifference(at, markAt);
    case 'off':
      return '';
  }
};

/**
 * Formats a line's time for the time column, right-aligned in `whenWidth(mode)` characters: the clock in UTC or in the
 * user's zone, RFC 3339 with milliseconds, the age, or the time since the line above or the mark. Blank if the context
 * lacks the reference of the mode.
 */
export const formatWhen = (at: Instant, mode: TimeMode, context: FormatWhenContext = {}): string =>
  formatUnpadded(at, mode, context)
    .padStart(whenWidth(mode, context.isWhole))
    .slice(-whenWidth(mode, context.isWhole) || undefined);
