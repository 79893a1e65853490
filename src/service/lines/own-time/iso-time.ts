import type {Instant} from '../../../log/line/instant.ts';
import {
  instantAtOffset,
  instantInMachineZone,
  nanosOf,
  type OwnTimeContext,
  rememberLast,
  wallTimeOf,
} from './wall-time.ts';
import {zoneOffset} from './zone-offset.ts';

/** A level, a process or a logger may precede the time. Further on, a date is more likely what the line is about. */
const beforeCharsMax = 40;
/** The longest form, with nine decimals and an offset. */
const timeCharsMax = 40;
const nanosPerMinute = 60_000_000_000n;

const pattern =
  /(?:^|[\s[("'=|<>,;])(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:[.,](\d+))?(?: ?(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?)(?![\w:]))?/;

/** Parses a time without its decimals, in UTC. */
const parseUtc = rememberLast(second => instantAtOffset(wallTimeOf(second.split(/[-Tt :]/), undefined), 0));

/**
 * Reads ISO 8601 and RFC 3339 times at or near the start of a line, with a comma or a point before the decimals. A time
 * without a zone is in the machine's.
 */
export const readIsoTime = (text: string, {localMs}: OwnTimeContext): Instant | undefined => {
  const match = pattern.exec(text.slice(0, beforeCharsMax + timeCharsMax));
  if (!match || match.index > beforeCharsMax) {
    return undefined;
  }
  const [, second = '', decimals, zone] = match;
  if (zone === undefined) {
    return instantInMachineZone(wallTimeOf(second.split(/[-Tt :]/), decimals), localMs);
  }
  const utc = parseUtc(second);
  const offsetMinutes = zone === 'Z' ? 0 : (zoneOffset(zone, 0) ?? 0);
  return utc === undefined ? undefined : utc + nanosOf(decimals) - BigInt(offsetMinutes) * nanosPerMinute;
};
