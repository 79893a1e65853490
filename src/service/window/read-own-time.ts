import {setNewest} from '#base/bounds.ts';
import type {Instant} from '#log/line/instant.ts';
import {Reading} from '#log/reading/reading.ts';
import {readRecordParts} from '#log/reading/record-parts.ts';
import {partOfName, rankOf} from '#log/reading/vocabulary.ts';
import {findDatedTime, settledEnd} from '#log/tokens/dated-time.ts';
import {parseOffset} from '#log/tokens/time-pieces.ts';
import {instantOfWritten, type LocalMs, readWritten, type WrittenTime} from '#log/tokens/written-time.ts';
import {readJsonText, tableOf} from '#service/link/object-fields.ts';

/** Interprets a time without a zone in the machine's. */
const machineMs: LocalMs = (year, monthIndex, day, hour, minute, second) =>
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

/** Access lines of nginx, Apache and PHP-FPM: `[22/Nov/2026:01:59:00 +0000]`, after the client and the user. */
const accessForm = /\b\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d{1,9})? [+-]\d{4}/;

/** A writer's clock may be ahead by this much. Further ahead, the line is more likely a year old. */
const aheadNsMax = 24n * 3600n * 1_000_000_000n;

/** Locales that write the zones of their countries in short. */
const shortLocales = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-CA', 'en-NZ'];

/** Returns the offset of a zone by the short name that it has on this machine, where its clocks show a time. */
const machineOffset = (name: string, wallMs: number): number | undefined => {
  const date = new Date(wallMs);
  const isOwn = shortLocales.some(locale =>
    new Intl.DateTimeFormat(locale, {timeZoneName: 'short'})
      .formatToParts(date)
      .some(({type, value}) => type === 'timeZoneName' && value === name),
  );
  return isOwn ? -date.getTimezoneOffset() : undefined;
};

/**
 * Returns the instant of a time. Without a zone it is in the machine's; with the name of a zone that nobody knows here,
 * it is none that could be relied on.
 */
const placeTime = (written: WrittenTime, {now, localMs = machineMs}: OwnTimeContext): Instant | undefined => {
  const {zoneName, ...rest} = written;
  const latest = now + aheadNsMax;
  if (zoneName === undefined) {
    return instantOfWritten(rest, latest, localMs);
  }
  const wall = instantOfWritten({...rest, offsetMinutes: 0}, latest + aheadNsMax);
  const wallMs = Number((wall ?? 0n) / 1_000_000n);
  const offsetMinutes = zoneName.includes('/') ? zoneOffset(zoneName, wallMs) : machineOffset(zoneName, wallMs);
  return offsetMinutes === undefined ? undefined : instantOfWritten({...rest, offsetMinutes}, latest, localMs);
};

/** Reads a text that is nothing but a time. A time of day alone says no day: that of today would be a guess. */
const readWholeText = (text: string, context: OwnTimeContext): Instant | undefined => {
  const written = readWritten(text);
  return typeof written !== 'object' ? written : written.day === undefined ? undefined : placeTime(written, context);
};

const readDatedTime = (text: string, context: OwnTimeContext): Instant | undefined => {
  const {written} = findDatedTime(text) ?? {};
  return written && placeTime(written, context);
};

/** The beginning of the last line with a date, as far as it decides on the time: lines of one moment share it. */
let lastDated: {readonly head: string; readonly context: OwnTimeContext; readonly at: Instant | undefined} | undefined;

/** Reads the time with a date at the beginning of a line. */
const readDatedHead = (head: string, context: OwnTimeContext): Instant | undefined => {
  if (lastDated?.context === context && head.startsWith(lastDated.head)) {
    return lastDated.at;
  }
  const dated = findDatedTime(head);
  const end = dated && settledEnd(head, dated);
  const at = dated && placeTime(dated.written, context);
  lastDated = end === undefined ? undefined : {head: head.slice(0, end), context, at};
  return at;
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

/** Its result depends only on the text. */
const parseAccess = rememberLast(text => readWholeText(text, {now: 0n}));

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
      return readDatedTime(value, context) ?? readAccessTime(value) ?? readWholeText(value, context);
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

/** In a broken record, the time stands at its beginning. */
const brokenCharsMax = 16_384;

/**
 * Reads the time field of a JSON record: a time as lines have it, or a number of seconds, milliseconds, microseconds or
 * nanoseconds since 1970.
 */
const readJsonTime = (line: string, context: OwnTimeContext): Instant | undefined => {
  const record = tableOf(readJsonText(line));
  if (record === undefined) {
    // A record that is cut off, or has a comma too much, has the fields that are whole.
    const {time} = readRecordParts(line.slice(0, brokenCharsMax), 0);
    return time === undefined ? undefined : readValue(line.slice(time.start, time.end), context);
  }
  const times = Object.entries(record)
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

/** The time that bash writes above a command in its history. */
const shellTime = /^#\d{10}$/;

/** Part of every time that only a known form of line tells from other numbers. */
const clockOrEpoch = /\d\d?[:.]\d\d[:.]\d\d|\b\d{10}\b|^\d{13}\b|\b\d{4}\/\d{6}\./;

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
 * caller decides whether to trust it. Lines that are read with the same context are read faster.
 */
export const readOwnTime = (line: string, context: OwnTimeContext): Instant | undefined => {
  if (line.startsWith('{')) {
    return readJsonTime(line, context);
  }
  const start = line.slice(0, headCharsMax);
  const head = start.includes('\x1b') ? start.replaceAll(colour, '') : start;
  if (head.startsWith('#') && shellTime.test(head)) {
    return readWholeText(head.slice(1), context);
  }
  return readDatedHead(head, context) ?? readAccessTime(head) ?? readTimeOfForm(head, context);
};
