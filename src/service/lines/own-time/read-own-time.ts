import {setNewest} from '../../../base/set-newest.ts';
import type {Instant} from '../../../log/line/instant.ts';
import {Reading} from '../../../log/reading/reading.ts';
import {findTimeEnd} from '../../../log/reading/tokens/find-time.ts';
import {partOfName, rankOf} from '../../../log/reading/vocabulary.ts';
import {
  instantOfWritten,
  type LocalMs,
  parseOffset,
  readWritten,
  type WrittenTime,
  writtenOf,
} from '../../../log/words/written-time.ts';
import {readJsonText, tableOf} from '../../link/object-fields.ts';

/** Interprets a time without a zone in the machine's. */
export const machineMs: LocalMs = (year, monthIndex, day, hour, minute, second) =>
  new Date(year, monthIndex, day, hour, minute, second).getTime();

/** The context for times without a year or a zone. */
export type OwnTimeContext = {readonly now: Instant; readonly localMs?: LocalMs};

/** A service's files name one zone, rarely two. Past this limit a new zone replaces the oldest. */
const zonesMax = 16;

const formatters = new Map<string, Intl.DateTimeFormat | undefined>();

const createFormatter = (zone: string): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat('en-US', {timeZone: zone, timeZoneName: 'longOffset'});
  } catch {
    // The zone is not known here.
    return undefined;
  }
};

const formatterOf = (zone: string): Intl.DateTimeFormat | undefined => {
  if (!formatters.has(zone)) {
    setNewest(formatters, zone, createFormatter(zone), zonesMax);
  }
  return formatters.get(zone);
};

const offsetAt = (formatter: Intl.DateTimeFormat, ms: number): number => {
  const name = formatter.formatToParts(ms).find(part => part.type === 'timeZoneName')?.value ?? '';
  // "GMT" alone is UTC.
  return parseOffset(name) ?? 0;
};

/**
 * Returns the minutes that a zone is east of UTC when its clocks show a time, given in milliseconds as if it were UTC.
 * The zone is an offset, `Z`, or a name such as `Europe/Berlin`. Returns undefined if the zone is unknown.
 */
const zoneOffset = (zone: string, wallMs: number): number | undefined => {
  const known = parseOffset(zone);
  const formatter = known === undefined && !/^[+-]/.test(zone) ? formatterOf(zone) : undefined;
  return formatter ? offsetAt(formatter, wallMs - offsetAt(formatter, wallMs) * 60_000) : known;
};

const clock = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<decimals>\d+))?`;
const monthName = '(?<month>[A-Z][a-z]{2})';

/** PHP's error log, which may name a zone by a city: `[22-Nov-2026 01:59:00 Europe/Berlin]`. */
const phpForm = new RegExp(
  String.raw`^\[(?<day>\d\d)-${monthName}-(?<year>\d{4}) ${clock}(?: (?<zone>[A-Za-z+-][\w/+:-]*))?\]`,
);
/** Access lines of nginx, Apache and PHP-FPM: `[22/Nov/2026:01:59:00 +0000]`, after the client and the user. */
const accessForm = new RegExp(String.raw`\b(?<day>\d\d)/${monthName}/(?<year>\d{4}):${clock} (?<zone>[+-]\d{4})`);

/** A writer's clock may be ahead by this much. Further ahead, the line is more likely a year old. */
const aheadNsMax = 24n * 3600n * 1_000_000_000n;

/** Returns the instant of a time. Without a zone it is in the machine's. */
const placeTime = (written: WrittenTime, {now, localMs = machineMs}: OwnTimeContext): Instant | undefined =>
  instantOfWritten(written, now + aheadNsMax, localMs);

/** Reads a text that is nothing but a time. A time of day alone says no day: that of today would be a guess. */
const readWholeText = (text: string, context: OwnTimeContext): Instant | undefined => {
  const written = readWritten(text);
  return typeof written !== 'object' ? written : written.day === undefined ? undefined : placeTime(written, context);
};

/** Reads a time of one of these forms. */
const readForm = (form: RegExp, text: string, context: OwnTimeContext): Instant | undefined => {
  const parts = form.exec(text)?.groups;
  if (parts === undefined) {
    return undefined;
  }
  const written = writtenOf(parts);
  const {zone} = parts;
  if (zone === undefined || written.offsetMinutes !== undefined) {
    return placeTime(written, context);
  }
  const wall = instantOfWritten(written, context.now);
  const offsetMinutes = wall === undefined ? undefined : zoneOffset(zone, Number(wall / 1_000_000n));
  return offsetMinutes === undefined ? undefined : placeTime({...written, offsetMinutes}, context);
};

/** A level, a process or a logger may precede the time. Further on, a date is more likely what the line is about. */
const beforeCharsMax = 40;
/** The longest form, with nine decimals and an offset. */
const timeCharsMax = 40;

const isoPattern =
  /(?:^|[\s[("'=|<>,;])(\d{4})-(\d\d)-(\d\d)(?:[Tt]| {1,2})(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?: ?(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?)(?![\w:]))?/;

/**
 * Reads ISO 8601 and RFC 3339 times at or near the start of a line, with a comma or a point before the decimals. A time
 * without a zone is in the machine's. apt writes two blanks after the date.
 */
const readIsoTime = (text: string, context: OwnTimeContext): Instant | undefined => {
  const match = isoPattern.exec(text.slice(0, beforeCharsMax + timeCharsMax));
  if (!match || match.index > beforeCharsMax) {
    return undefined;
  }
  const [, year, month, day, hour, minute, second, decimals, zone] = match;
  return placeTime(writtenOf({year, month, day, hour, minute, second, decimals, zone}), context);
};

/** Remembers the last result: neighbouring lines often share a second. */
const rememberLast = <Result>(read: (text: string) => Result): ((text: string) => Result) => {
  let last: {readonly text: string; readonly result: Result} | undefined;
  return text => {
    if (last?.text !== text) {
      last = {text, result: read(text)};
    }
    return last.result;
  };
};

/** What it says depends on nothing but its text. */
const parseAccess = rememberLast(text => readForm(accessForm, text, {now: 0n}));

const readAccessTime = (text: string): Instant | undefined => {
  const found = accessForm.exec(text)?.[0];
  return found === undefined ? undefined : parseAccess(found);
};

const isNanos = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e9;

/** Reads the value of a field: a number since 1970, or a time as a line has it. */
const readValue = (value: unknown, context: OwnTimeContext): Instant | undefined => {
  switch (typeof value) {
    case 'number':
      return readWholeText(String(value), context);
    case 'string':
      return readIsoTime(value, context) ?? readAccessTime(value) ?? readWholeText(value, context);
    default: {
      // MongoDB and Log4j.
      const {$date, epochSecond, nanoOfSecond} = tableOf(value) ?? {};
      const second = typeof epochSecond === 'number' ? readValue(epochSecond, context) : undefined;
      return typeof $date === 'string'
        ? readValue($date, context)
        : second && second + (isNanos(nanoOfSecond) ? BigInt(nanoOfSecond) : 0n);
    }
  }
};

/**
 * Reads the time field of a JSON record: a time as lines have it, or a number of seconds, milliseconds, microseconds or
 * nanoseconds since 1970.
 */
const readJsonTime = (line: string, context: OwnTimeContext): Instant | undefined => {
  // A truncated record, or text that only starts like one, has no fields.
  const times = Object.entries(tableOf(readJsonText(line)) ?? {})
    .filter(([name]) => partOfName(name) === 'time')
    .toSorted(([a], [b]) => rankOf('time', a) - rankOf('time', b));
  for (const [, value] of times) {
    const instant = readValue(value, context);
    if (instant !== undefined) {
      return instant;
    }
  }
  return undefined;
};

/** The client and the user precede the time of an access line; both may be long. */
const headCharsMax = 512;

/** Colours with which a program wrote its line. */
const colour = /\x1b\[[\d;]*m/g;

/** What may stand before a time at the start of a line: the priority of syslog, a bracket. */
const beforeTime = /^(?:<\d{1,3}>|\[)?/;

/** Reads a time with which the line begins, but for bare numbers. */
const readTimeAtStart = (head: string, context: OwnTimeContext): Instant | undefined => {
  const start = beforeTime.exec(head)?.[0].length ?? 0;
  const end = findTimeEnd(head, start, false);
  if (end === -1) {
    return undefined;
  }
  return start === 1 && phpForm.test(head)
    ? readForm(phpForm, head, context)
    : readWholeText(head.slice(start, end), context);
};

/** Part of every time that only a known form of line tells from other numbers. */
const clockOrEpoch = /\d\d?[:.]\d\d[:.]\d\d|\b\d{10}\b|\b\d{4}\/\d{6}\./;

/** Ten years: a bare number at the start of a line that is a time further back is more likely a count. */
const numberNsMax = 3653n * 24n * 3600n * 1_000_000_000n;

/** Reads the time that the reading finds in its formats, such as klog's or that of Redis, and in a field of logfmt. */
const readTimeOfForm = (head: string, context: OwnTimeContext): Instant | undefined => {
  if (!clockOrEpoch.test(head)) {
    return undefined;
  }
  const {parts, form, mentions} = new Reading(head);
  const time = parts.time ?? mentions.parts.find(({part, source}) => part === 'time' && source.endsWith('='));
  if (time === undefined) {
    return undefined;
  }
  const text = head.slice(time.start, time.end);
  const at = readWholeText(text, context);
  const isNumber = time.start < 2 && /^[\d.]+$/.test(text);
  return isNumber && (form === undefined || (at ?? 0n) < context.now - numberNsMax) ? undefined : at;
};

/**
 * Reads the time at which a plain line says it was written, in any known format. Returns undefined if it has none. The
 * caller decides whether to trust it.
 */
export const readOwnTime = (line: string, context: OwnTimeContext): Instant | undefined => {
  if (line.startsWith('{')) {
    return readJsonTime(line, context);
  }
  const start = line.slice(0, headCharsMax);
  const head = start.includes('\x1b') ? start.replaceAll(colour, '') : start;
  return (
    // What begins like an ISO time is read fastest as one.
    (head[4] === '-' ? undefined : readTimeAtStart(head, context)) ??
    readIsoTime(head, context) ??
    readAccessTime(head) ??
    readTimeOfForm(head, context)
  );
};
