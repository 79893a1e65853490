import {type Instant, instantFromMs, instantToMs} from '#log/line/instant.ts';
import type {OffsetMinutesAt} from '#log/tokens/time-words.ts';

const msPerMinute = 60_000;
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
