import type {Instant} from '../line/instant.ts';
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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const clock = String.raw`(?<hour>\d{1,2})[:.](?<minute>\d{1,2})[:.](?<second>\d{1,2})(?:[.,:](?<decimals>\d{1,9}))?`;
const zone = String.raw`(?: ?(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?`;
const month = `(?<month>${months.join('|')})`;
const weekday = '(?:[A-Z][a-z]{2},? )?';

/** The forms that `findTimeEnd` and the formats find and that can be told for certain: `03/04/2026` can't. */
const forms: readonly RegExp[] = [
  // 2026-11-21T14:02:11.031Z, 2026/11/21 14:02:11, 2005-06-03-15.42.50.675872
  new RegExp(String.raw`^(?<year>\d{4})[-/.](?<month>\d\d)[-/.](?<day>\d\d)[Tt_ -]{1,3}${clock}${zone}$`),
  // 21/Nov/2026:14:02:11 +0000, 21-Nov-2026 14:02:11 UTC, Sat, 21 Nov 2026 14:02:11 GMT
  new RegExp(String.raw`^${weekday}(?<day>\d{1,2})[-/ ]${month}[-/ ](?<year>\d{4})[: ]{1,2}${clock}${zone}$`),
  // Jun 14 15:16:01, Sun Dec 04 04:47:44.123456 2005
  new RegExp(String.raw`^${weekday}${month} {1,2}(?<day>\d{1,2}) ${clock}${zone}(?: (?<year>\d{4}))?$`),
  // Nov 21, 2026 2:02:11 PM, Nov 21, 2026 14:02:11.031
  new RegExp(String.raw`^${month} (?<day>\d{1,2}), (?<year>\d{4}) ${clock}(?: (?<half>[AP]M))?${zone}$`),
  // 17/06/09 20:10:40, 081109 203615, 20171223-22:15:29:606, 20261121 14:02:11.031 (glog with a year)
  new RegExp(String.raw`^(?<year>\d\d)/(?<month>\d\d)/(?<day>\d\d) ${clock}$`),
  /^(?<year>\d\d)(?<month>\d\d)(?<day>\d\d) (?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)$/,
  new RegExp(String.raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)[- ]${clock}$`),
  // 261121 14:02:11.031456 (CockroachDB)
  new RegExp(String.raw`^(?<year>\d\d)(?<month>\d\d)(?<day>\d\d) ${clock}$`),
  // 1121 14:02:11.031 (klog), 11-21 14:02:11.031, 11.21 14:02:11, 14:02:11
  new RegExp(String.raw`^(?<month>\d\d)[-.]?(?<day>\d\d) ${clock}$`),
  new RegExp(`^${clock}${zone}$`),
  // 1121/141201.204512 (Chromium)
  /^(?<month>\d\d)(?<day>\d\d)\/(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)\.(?<decimals>\d{1,9})$/,
];

/** Seconds, milliseconds, microseconds or nanoseconds since 1970; decimals only of the first two. */
const epoch = /^(\d{10})(?:\.(\d{1,9}))?$|^(\d{13})(?:\.\d{1,6})?$|^(\d{16}|\d{19})$/;

/** No written time is longer. */
const charsMax = 40;

const offsetPattern = /^(?:GMT)?([+-])(\d\d):?(\d\d)?$/;

/** Parses the minutes of `+02:00`, `-0530`, `+02`, `Z`, `UTC` or `GMT`; undefined if the text is no offset. */
export const parseOffset = (text: string): number | undefined => {
  if (/^(?:z|utc|gmt)$/i.test(text)) {
    return 0;
  }
  const match = offsetPattern.exec(text);
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)) : undefined;
};

/** Converts decimals of a second to nanoseconds; cuts digits past the ninth. */
export const nanosOf = (decimals = ''): bigint => BigInt(Number(decimals.slice(0, 9).padEnd(9, '0')));

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/** Returns the time that the groups of a pattern name. A month is an English one or a number. */
export const writtenOf = (parts: Readonly<Record<string, string | undefined>>): WrittenTime => {
  const hour = Number(parts.hour);
  const year = numberOf(parts.year);
  return {
    year: year !== undefined && year < 100 ? 2000 + year : year,
    month: months.indexOf(parts.month ?? '') + 1 || numberOf(parts.month),
    day: numberOf(parts.day),
    hour: parts.half === undefined ? hour : (hour % 12) + (parts.half === 'PM' ? 12 : 0),
    minute: Number(parts.minute),
    second: Number(parts.second),
    nanos: nanosOf(parts.decimals),
    offsetMinutes: parts.zone === undefined ? undefined : parseOffset(parts.zone),
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
