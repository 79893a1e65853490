import type {Instant} from '../line/instant.ts';
import {parseWhen, type WhenContext} from './time-words.ts';

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const month = `(${months.match(/.../g)?.join('|')})`;
const clock = String.raw`(\d\d)[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d{1,9}))?)?`;
const zone = String.raw`(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d))?`;

type Parts = Partial<
  Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone', string>>
>;
type Form = {readonly pattern: RegExp; readonly names: readonly (keyof Parts)[]};

const clockNames = ['hour', 'minute', 'second', 'fraction', 'zone'] as const;

/** The forms that `findTimeEnd` finds and `parseWhen` does not read. */
const forms: readonly Form[] = [
  // 2026/11/21 14:02:11, 2005-06-03-15.42.50.675872
  {
    pattern: new RegExp(String.raw`^(\d{4})[-/.](\d\d)[-/.](\d\d)[T_ -]+${clock}${zone}$`),
    names: ['year', 'month', 'day', ...clockNames],
  },
  // 21/Nov/2026:14:02:11 +0000, 21 Nov 2026 14:02:11
  {
    pattern: new RegExp(String.raw`^(\d{1,2})[-/ ]${month}[-/ ](\d{4})[: ]${clock}${zone}$`),
    names: ['day', 'month', 'year', ...clockNames],
  },
  // Nov 21 14:02:11, Sat Nov 21 14:02:11.123456 2026
  {
    pattern: new RegExp(String.raw`^(?:[A-Z][a-z]{2},? )?${month} +(\d{1,2}) ${clock}${zone}(?: (\d{4}))?$`),
    names: ['month', 'day', ...clockNames, 'year'],
  },
];

const readParts = (text: string): Parts | undefined => {
  for (const {pattern, names} of forms) {
    const found = pattern.exec(text);
    if (found !== null) {
      return Object.fromEntries(names.map((name, index) => [name, found[index + 1]]));
    }
  }
  return undefined;
};

const monthNumber = (text: string): string =>
  /^\d/.test(text) ? text : String(months.indexOf(text) / 3 + 1).padStart(2, '0');

/**
 * Parses a time as a log writes it: RFC 3339, `21/Nov/2026:14:02:11 +0000`, `Nov 21 14:02:11`, `2026/11/21 14:02:11`,
 * seconds or milliseconds since 1970, and what `parseWhen` reads. A time without a year or a day is the latest one not
 * after `nowAt`. Returns undefined for other texts.
 */
export const parseWrittenTime = (text: string, context: WhenContext): Instant | undefined => {
  if (/^\d{10}(?:\.\d{1,9})?$|^\d{13}$/.test(text)) {
    const ms = text.length === 13 ? Number(text) : Number(text) * 1000;
    return BigInt(Math.round(ms)) * 1_000_000n;
  }
  const parts = readParts(text);
  const at = parseWhen(parts === undefined ? text : formatParts(parts, context), context);
  return typeof at === 'bigint' ? at : undefined;
};

const formatParts = (
  {year, month: name = '', day = '', hour = '', minute = '', second = '00', fraction = '0', zone: offset = ''}: Parts,
  {nowAt}: WhenContext,
): string => {
  const time = `${hour}:${minute}:${second}.${fraction}`;
  const date = (of: number | string): string => `${of}-${monthNumber(name)}-${day.padStart(2, '0')}`;
  const known = offset === 'GMT' ? 'Z' : offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const now = new Date(Number(nowAt / 1_000_000n)).toISOString();
  // A log of last December is read in January: the date without its year would be in the future.
  const thisYear = Number(now.slice(0, 4));
  const yearOf = year ?? (date(thisYear) > now.slice(0, 10) ? thisYear - 1 : thisYear);
  return `${date(yearOf)} ${time}${known}`;
};
