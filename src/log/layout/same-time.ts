import {type Instant, instantToMs} from '../line/instant.ts';

const clock = String.raw`(?<hour>\d{1,2})[:.](?<minute>\d\d)[:.](?<second>\d\d)(?:[.,:]\d{1,9})?`;
const zone = String.raw`(?: ?(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d))?`;
const name = '(?<name>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';

/** The forms that `findTimeEnd` finds and that can be told for certain: `03/04/2026` could be March or April. */
const forms: readonly RegExp[] = [
  // 2026-11-21T14:02:11.031Z, 2026/11/21 14:02:11
  new RegExp(String.raw`^(?<year>\d{4})[-/.](?<month>\d\d)[-/.](?<day>\d\d)[T_ -]{1,3}${clock}${zone}$`),
  // 21/Nov/2026:14:02:11 +0000, 21-Nov-2026 14:02:11 UTC
  new RegExp(String.raw`^(?<day>\d{1,2})[-/ ]${name}[-/ ](?<year>\d{4})[: ]${clock}${zone}$`),
  // Jun 14 15:16:01, Sun Dec 04 04:47:44.123456 2005
  new RegExp(String.raw`^(?:[A-Z][a-z]{2},? )?${name} {1,2}(?<day>\d{1,2}) ${clock}${zone}(?: (?<year>\d{4}))?$`),
  // 17/06/09 20:10:40, 081109 203615, 1121 14:02:11.031 (klog), 14:02:11
  new RegExp(String.raw`^(?<year>\d\d)/(?<month>\d\d)/(?<day>\d\d) ${clock}$`),
  /^(?<year>\d\d)(?<month>\d\d)(?<day>\d\d) (?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)$/,
  new RegExp(String.raw`^(?<month>\d\d)-?(?<day>\d\d) ${clock}$`),
  new RegExp(`^${clock}${zone}$`),
];

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, with decimals. */
const epoch = /^(?:\d{10}(?:\.\d{1,9})?|\d{13}(?:\.\d{1,6})?|\d{16}|\d{19})$/;

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const charsMax = 40;

const readOffsetMinutes = (text: string | undefined): number => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(text ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
};

/** Reads a time to the second, in milliseconds since 1970. What it does not say, such as the year, is from `atMs`. */
const readMs = (text: string, atMs: number): number | undefined => {
  if (epoch.test(text)) {
    const digits = text.split('.', 1)[0]?.length ?? 0;
    return Number(text) * 10 ** (13 - digits);
  }
  const here = new Date(atMs);
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) {
      const year = Number(parts.year ?? here.getUTCFullYear());
      const month =
        parts.name === undefined ? Number(parts.month ?? here.getUTCMonth() + 1) : months.indexOf(parts.name) / 3 + 1;
      const day = Number(parts.day ?? here.getUTCDate());
      const ms = Date.UTC(
        year < 100 ? 2000 + year : year,
        month - 1,
        day,
        Number(parts.hour),
        Number(parts.minute),
        Number(parts.second),
      );
      return ms - readOffsetMinutes(parts.zone) * 60_000;
    }
  }
  return undefined;
};

/** A line is stamped when it is written, and a second that it is about may have begun before. */
const laterMsMax = 2000;
const earlierMsMax = 1000;

/**
 * Checks whether a time in a line's text is the line's own timestamp, give or take a second or two, so that showing
 * both would say the same thing twice. A time without a zone counts as UTC; one that can't be read is never the same.
 */
export const isSameTime = (text: string, at: Instant): boolean => {
  const atMs = instantToMs(at);
  const ms = text.length > charsMax ? undefined : readMs(text, atMs);
  return ms !== undefined && atMs - ms < laterMsMax && ms - atMs < earlierMsMax;
};
