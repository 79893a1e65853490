import {zone as anyZone, monthWord, weekdayWord} from './time-pieces.ts';

/** Milliseconds in a unit. */
export const unitsMs = {ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000} as const;

const withUnit = /^([\d.]{1,20}(?:e-\d{1,2})?) ?([nuµμm]?s)?$/;
/** Go's `1m2.5s` and `1h0m3s`. */
const composite = /^(?:(\d{1,4})h)?(\d{1,4})m([\d.]{1,16})s$/;

/** Checks whether a value is a duration: a number that is not negative, with or without a unit. */
export const isDuration = (value: string): boolean => durationMsOf(value, 1) !== undefined;

/**
 * Returns the milliseconds that a value says: `12ms`, `1.2 s`, `340µs`, `1m2.5s`, or a bare number in units of `bareMs`
 * milliseconds. Undefined if it says none, and for a bare number whose unit is unknown.
 */
export const durationMsOf = (value: string, bareMs: number | undefined): number | undefined => {
  const [, number, unit] = withUnit.exec(value) ?? [];
  const unitMs = unit === undefined ? bareMs : unitsMs[unit as keyof typeof unitsMs];
  if (number !== undefined) {
    // Digits after the nanosecond are what floating point adds.
    const ms = unitMs === undefined ? Number.NaN : Math.round(Number(number) * unitMs * 1e6) / 1e6;
    return Number.isFinite(ms) ? ms : undefined;
  }
  const [, hours = 0, minutes, seconds] = composite.exec(value) ?? [];
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return Number.isFinite(ms) ? ms : undefined;
};

const ipv4 = /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\d)(?![\w.]\w)/y;
// At most eight groups, `::` for some of them; may end in an IPv4 address.
const ipv6 = /(?:[\da-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4})(?![\w:])/iy;
const hasDigit = /\d/;

/** Returns the index after the IP address that begins at `index`, without a port; -1 if there is none. */
export const findAddressEnd = (text: string, index: number): number => {
  ipv4.lastIndex = index;
  if (ipv4.test(text)) {
    return ipv4.lastIndex;
  }
  ipv6.lastIndex = index;
  if (!ipv6.test(text)) {
    return -1;
  }
  // `a:b:c` are words and `12:30:59` is a time; an address has a digit, and seven colons or two adjacent ones.
  const end = ipv6.lastIndex;
  const address = text.slice(index, end);
  const isFull = address.split(':').length === 8;
  return address.length > 2 && hasDigit.test(address) && (isFull || address.includes('::')) ? end : -1;
};

/**
 * The forms in which logs write a time, each tried at the start of a token. None has unbounded repetition, so none can
 * be slow. Bare numbers (HDFS, seconds or milliseconds since 1970) are times only at the start of a line.
 */
const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;
const half = '(?: ?[AaPp][Mm](?![A-Za-z]))?';
const zone = `(?: ?${anyZone})?`;

// 2026-11-21T14:02:11.031Z, 2026/11/21 14:02:11, 2005-06-03-15.42.50.675872, 2026.11.21-14.02.11:031, 2026-11-21
const yearFirst = new RegExp(
  String.raw`\d{4}[-/.]\d\d[-/.]\d\d(?:(?:[Tt_\t-]|,? {1,2}(?:- )?)(?:\d\d| ?\d)[:.]\d\d(?:[:.]\d\d(?:[.,:]\d{1,9})?)?${half}${zone})?(?!\w)`,
  'y',
);
// 21/Nov/2026:14:02:11 +0000, 21-Nov-2026 14:02:11 UTC, 20 nov. 2026 09:00:01, 11/21/2026 2:02:11 PM, 20.11.2026 09:00
const yearThird = new RegExp(
  String.raw`\d{1,2}[-/. ]{1,2}(?:\d{1,2}|${monthWord})[-/. ]\d{4}(?:[:-]|,? )\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?${half}${zone}(?!\w)`,
  'y',
);
// 17/06/09 20:10:40, 03-17 16:13:38.811, 14:02:11.031
const shortTime = new RegExp(String.raw`(?:\d\d[-/]\d\d(?:[-/]\d\d)? )?${clock}${half}${zone}(?!\w)`, 'y');
// 20171223-22:15:29:606, 20261121T140211Z, 20261121 14:02:11
const packed = new RegExp(
  String.raw`\d{8}(?:-\d\d:\d\d:\d\d:\d{1,3}|T\d{6}(?:[.,]\d{1,9})?${zone}| ${clock}${zone})(?!\w)`,
  'y',
);
// 1234:20261121:140211.031 (Zabbix)
const afterProcess = /\d{1,10}:\d{8}:\d{6}\.\d{1,9}(?!\w)/y;
// 081109 203615, 261121 14:02:11, 1770000000.123, 1770000000123
const leadingNumber = /(?:\d{6} (?:\d{6}|[ \d]\d:\d\d:\d\d)(?= )|\d{10}(?:\.\d{1,9})?(?![\w.])|\d{13}(?![\w.]))/y;
// Jun 14 15:16:01, Nov 20 2026 09:00:03, Sun Dec 04 04:47:44.123456 2005, Sat, 21 Nov 2026 14:02:11 GMT
const named = new RegExp(
  String.raw`${weekdayWord}?(?:${monthWord} [ \d]\d(?:,? \d{4})?|\d{1,2} ${monthWord} \d{4}) \d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?${half}${zone}(?: \d{4})?(?!\w)`,
  'y',
);

const endOf = (pattern: RegExp, text: string, index: number): number => {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Counts the digits at `index`, at most nine. */
const countDigits = (text: string, index: number): number => {
  let count = 0;
  while (count < 9 && isDigit(text.charCodeAt(index + count))) {
    count += 1;
  }
  return count;
};

const findNumericTime = (text: string, index: number, isLeading: boolean): number => {
  const digits = countDigits(text, index);
  const next = text.charCodeAt(index + digits);
  if (digits === 2 && next === 0x3a) {
    return endOf(shortTime, text, index);
  }
  if (isLeading && next === 0x3a && digits !== 2) {
    return endOf(afterProcess, text, index);
  }
  if (digits === 4) {
    return endOf(yearFirst, text, index);
  }
  if (digits <= 2 && (next === 0x2f || next === 0x2d || next === 0x20 || next === 0x2e)) {
    const end = endOf(yearThird, text, index);
    return end === -1 && digits === 2 ? endOf(shortTime, text, index) : end;
  }
  if (digits === 8) {
    return endOf(packed, text, index);
  }
  return isLeading && digits >= 6 ? endOf(leadingNumber, text, index) : -1;
};

/**
 * Returns the index after the time that begins at `index` of a text, or -1 if there is none. `isLeading` means that
 * nothing precedes it: there a bare number of ten or thirteen digits is a time too.
 */
export const findTimeEnd = (text: string, index: number, isLeading: boolean): number => {
  const first = text.charCodeAt(index);
  if (isDigit(first)) {
    return findNumericTime(text, index, isLeading);
  }
  // Months have three letters or four, perhaps a point; weekdays three.
  const isName =
    isLetter(first) &&
    [0x20, 0x2c, 0x2e].some(code => code === text.charCodeAt(index + 3) || code === text.charCodeAt(index + 4));
  return isName ? endOf(named, text, index) : -1;
};

const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x57) || (code >= 0x61 && code <= 0x73);
