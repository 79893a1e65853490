import type {Instant} from '#log/line/instant.ts';
import {zone as anyZone, monthOf, monthWord, parseOffset, weekdayWord} from './time-pieces.ts';
import {parseMoment, type WhenContext} from './time-words.ts';

/** A date and a time of day as a log writes them. What is not said, such as the year or the zone, is undefined. */
export type WrittenTime = {
  readonly year: number | undefined;
  /** 1 to 12. */
  readonly month: number | undefined;
  readonly day: number | undefined;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: bigint;
  /** East of UTC. */
  readonly offsetMinutes: number | undefined;
  /** The name of a zone whose offset only the tz database knows, or the machine. */
  readonly zoneName?: string | undefined;
  /** The two numbers of the date may also be the other way round. */
  readonly isEitherWay?: boolean | undefined;
};

/** Returns milliseconds since 1970 of a time in some zone; arguments as for `new Date(…)`, months from 0. */
export type LocalMs = (
  year: number,
  monthIndex: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
) => number;

const hour = String.raw`(?<hour>\d{1,2}| \d)`;
const clock = String.raw`${hour}[:.](?<minute>\d{1,2})[:.](?<second>\d{1,2})(?:[.,:](?<decimals>\d{1,9}))?`;
const half = '(?: ?(?<half>[AaPp][Mm]))?';
const zone = `(?: ?(?<zone>${anyZone}))?`;
const month = `(?<month>${monthWord})`;
const weekday = `${weekdayWord}?`;

/** The forms that `findTimeEnd` and the formats find. */
const forms: readonly RegExp[] = [
  // 2026-11-21T14:02:11.031Z, 2026/11/21 14:02:11, 2005-06-03-15.42.50.675872, 2026-11-21, 14:02:11 UTC
  new RegExp(String.raw`^(?<year>\d{4})[-/.](?<month>\d\d)[-/.](?<day>\d\d),?[Tt_ \t-]{1,3}${clock}${half}${zone}$`),
  // 21/Nov/2026:14:02:11 +0000, 21-Nov-2026 14:02:11 UTC, Sat, 21 Nov 2026 14:02:11 GMT, 20 nov. 2026 09:00:01
  new RegExp(String.raw`^${weekday}(?<day>\d{1,2})[-/ .]{1,2}${month}[-/ ](?<year>\d{4})[: ]{1,2}${clock}${zone}$`),
  // Jun 14 15:16:01, Nov 20 2026 09:00:03, Sun Dec 04 04:47:44.123456 2005, Thu Nov 26 23:14:02 UTC 2026
  new RegExp(
    String.raw`^${weekday}${month} {1,2}(?<day>\d{1,2})(?: (?<year>\d{4}))? ${clock}${half}${zone}(?: (?<lastYear>\d{4}))?$`,
  ),
  // Nov 21, 2026 2:02:11 PM, Nov 21, 2026 14:02:11.031
  new RegExp(String.raw`^${month} (?<day>\d{1,2}), (?<year>\d{4}) ${clock}${half}${zone}$`),
  // 20.11.2026 09:00:01, 20/11/2026 09:00:01, 11/20/2026 09:00:01 AM, 11/20/2026-09:00:01.123456
  new RegExp(
    String.raw`^(?<first>\d{1,2})(?<joint>[-/.])(?<then>\d{1,2})[-/.](?<year>\d{4}),?[: -]{1,2}${clock}${half}${zone}$`,
  ),
  // 17/06/09 20:10:40, 081109 203615, 20171223-22:15:29:606, 20261121 14:02:11.031 (glog with a year)
  new RegExp(String.raw`^(?<year>\d\d)/(?<month>\d\d)/(?<day>\d\d) ${clock}$`),
  /^(?<year>\d\d)(?<month>\d\d)(?<day>\d\d) (?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)$/,
  new RegExp(String.raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)[- ]${clock}$`),
  // 20261121T140211Z, 1234:20261121:140211.031 (Zabbix)
  new RegExp(
    String.raw`^(?:\d{1,10}:)?(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)[T:](?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?:[.,](?<decimals>\d{1,9}))?${zone}$`,
  ),
  // 261121 14:02:11.031456 (CockroachDB), 261120  9:00:03
  new RegExp(String.raw`^(?<year>\d\d)(?<month>\d\d)(?<day>\d\d) ${clock}$`),
  // 1121 14:02:11.031 (klog), 11-21 14:02:11.031, 11.21 14:02:11, 14:02:11
  new RegExp(String.raw`^(?<month>\d\d)[-.]?(?<day>\d\d) ${clock}$`),
  new RegExp(`^${clock}${half}${zone}$`),
  // 1121/141201.204512 (Chromium)
  /^(?<month>\d\d)(?<day>\d\d)\/(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)\.(?<decimals>\d{1,9})$/,
];

/** Seconds, milliseconds, microseconds or nanoseconds since 1970; decimals only of the first two. */
const epoch = /^(\d{10})(?:\.(\d{1,9}))?$|^(\d{13})(?:\.\d{1,6})?$|^(\d{16}|\d{19})$/;

/** No written time is longer. */
const charsMax = 48;

/** Converts decimals of a second to nanoseconds; cuts digits past the ninth. */
export const nanosOf = (decimals = ''): bigint => BigInt(Number(decimals.slice(0, 9).padEnd(9, '0')));

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/**
 * Returns the time that the groups of a pattern name. Of two numbers before a year (`first`, `then`) the first is the
 * day where there are points between them or where it is no month; of 03/04/2026 nobody can tell by itself.
 */
export const writtenOf = (parts: Readonly<Record<string, string | undefined>>): WrittenTime => {
  const hour = Number(parts.hour);
  const year = numberOf(parts.year ?? parts.lastYear);
  const {zone: zoneText, first, then, joint} = parts;
  if (first !== undefined && then !== undefined) {
    const isDayFirst = joint === '.' || Number(first) > 12;
    const isEitherWay = joint !== '.' && Number(first) <= 12 && Number(then) <= 12 && first !== then;
    const [day, monthText] = isDayFirst ? [first, then] : [then, first];
    return {...writtenOf({...parts, first: undefined, day, month: monthText}), ...(isEitherWay && {isEitherWay})};
  }
  const offsetMinutes = zoneText === undefined ? undefined : parseOffset(zoneText);
  return {
    year: year !== undefined && year < 100 ? 2000 + year : year,
    month: monthOf(parts.month ?? ''),
    day: numberOf(parts.day),
    hour: parts.half === undefined ? hour : (hour % 12) + (/p/i.test(parts.half) ? 12 : 0),
    minute: Number(parts.minute),
    second: Number(parts.second),
    nanos: nanosOf(parts.decimals),
    offsetMinutes,
    ...(zoneText !== undefined && offsetMinutes === undefined && {zoneName: zoneText}),
  };
};

/** Reads a time in one of the forms in which logs write it, or a number since 1970; undefined for other texts. */
export const readWritten = (text: string): WrittenTime | Instant | undefined => {
  if (text.length > charsMax) {
    return undefined;
  }
  const [number, seconds, decimals, millis, finer = ''] = epoch.exec(text) ?? [];
  if (number !== undefined) {
    return BigInt((seconds ?? millis ?? finer).padEnd(19, '0')) + nanosOf(decimals);
  }
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) {
      return writtenOf(parts);
    }
  }
  return undefined;
};

/** Devices without a clock start at 1970, and a field of 0 means 1970. */
const yearMin = 1990;
const yearMax = 2200;
/** 29 February may be eight years ago. */
const yearsBackMax = 8;
const msPerDay = 86_400_000;

type Day = readonly [year: number, month: number, day: number];

const isReal = ([year, month, day]: Day, {hour, minute, second}: WrittenTime): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    year >= yearMin &&
    year <= yearMax &&
    // A nonexistent date rolls over into the next month.
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 60
  );
};

/**
 * Returns a day that is meant, the latest one first; undefined if there are no more. A zone east of UTC may already be
 * in the next day or year.
 */
const dayOf = ({year, month: monthNumber, day}: WrittenTime, latest: Instant, tried: number): Day | undefined => {
  const latestMs = Number(latest / 1_000_000n);
  if (monthNumber === undefined || day === undefined) {
    const date = new Date(latestMs + (1 - tried) * msPerDay);
    return tried > 2 ? undefined : [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  }
  if (year !== undefined) {
    return tried > 0 ? undefined : [year, monthNumber, day];
  }
  return tried > yearsBackMax + 1 ? undefined : [new Date(latestMs).getUTCFullYear() + 1 - tried, monthNumber, day];
};

/**
 * Returns the instant of a written time. Without a year or a day it is the latest one not after `latest`; without a
 * zone it is of `localMs`, by default UTC. Returns undefined if the day or hour does not exist.
 */
export const instantOfWritten = (
  written: WrittenTime,
  latest: Instant,
  localMs: LocalMs = Date.UTC,
): Instant | undefined => {
  if (written.isEitherWay) {
    // Nobody writes of the future, and most are read soon after they were written.
    const {isEitherWay, month, day, ...rest} = written;
    const [a, b] = [
      {month, day},
      {month: day, day: month},
    ].map(date => instantOfWritten({...rest, ...date}, latest, localMs));
    const isPossible = (at: Instant | undefined): boolean => at !== undefined && at <= latest;
    return isPossible(a) && (!isPossible(b) || (a ?? 0n) >= (b ?? 0n)) ? a : isPossible(b) ? b : a;
  }
  const {hour, minute, second, nanos, offsetMinutes} = written;
  for (let tried = 0; ; tried += 1) {
    const date = dayOf(written, latest, tried);
    if (date === undefined) {
      return undefined;
    }
    if (isReal(date, written)) {
      const [year, monthNumber, day] = date;
      const ms =
        offsetMinutes === undefined
          ? localMs(year, monthNumber - 1, day, hour, minute, second)
          : Date.UTC(year, monthNumber - 1, day, hour, minute - offsetMinutes, second);
      const at = BigInt(ms) * 1_000_000n + nanos;
      if (written.year !== undefined || at <= latest) {
        return at;
      }
    }
  }
};

/**
 * Parses a time as a log writes it: RFC 3339, `21/Nov/2026:14:02:11 +0000`, `Nov 21 14:02:11`, `2026/11/21 14:02:11`,
 * seconds or milliseconds since 1970, and what `parseMoment` reads. A time without a year or a day is the latest one
 * not after `nowAt`; one without a zone is UTC. Returns undefined for other texts.
 */
export const parseWrittenTime = (text: string, context: WhenContext): Instant | undefined => {
  const written = readWritten(text);
  const at =
    written === undefined
      ? parseMoment(text, context)
      : typeof written === 'bigint'
        ? written
        : instantOfWritten(written, context.nowAt);
  return at;
};
