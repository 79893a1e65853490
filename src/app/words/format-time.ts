import {formatDistanceStrict} from 'date-fns/formatDistanceStrict';
import type {ServiceClock} from '#app/parts/frame.ts';
import type {State} from '#app/state/state.ts';
import {formatClock, type Instant, instantFromMs, instantToMs} from '#log/line/instant.ts';
import {utcDayOfMs} from '#log/words/format-when.ts';

/**
 * Returns the service's current clock, milliseconds since 1970. The user's own clock may be wrong and is never used.
 */
export const serviceNowMs = (state: ServiceClock): number => state.nowMs + state.clockOffsetMs;

/** Formats a time of the monotonic clock by the service's clock, in UTC: `14:12:09`. */
export const formatMoment = (state: Pick<State, 'clockOffsetMs'>, ms: number): string =>
  formatClock(instantFromMs(ms + state.clockOffsetMs));

/** Returns whether a time of the log is on another day than the service's clock, in UTC. */
export const isOfOtherDay = (state: ServiceClock, at: Instant): boolean =>
  utcDayOfMs(instantToMs(at)) !== utcDayOfMs(serviceNowMs(state));

/** Formats a time of the log for a title: `14:02:11`, or with its date, `2026-11-20 14:02`, if that is not today's. */
export const formatLogTime = (state: ServiceClock, at: Instant): string =>
  isOfOtherDay(state, at) ? new Date(instantToMs(at)).toISOString().slice(0, 16).replace('T', ' ') : formatClock(at);

/** The usual short forms of units. */
const shorten = (words: string): string =>
  words
    .replace(/ seconds?/, ' s')
    .replace(/ minutes?/, ' min')
    .replace(/ hours?/, ' h');

/** Formats a duration in one unit: `40 s`, `6 h`, `3 days`. */
export const formatLength = (ms: number): string => shorten(formatDistanceStrict(0, ms, {roundingMethod: 'floor'}));

/** Formats an age: `2 h ago`. Returns an empty text if the timestamp can't be read. */
export const formatAgo = (timestamp: string | undefined, nowMs: number): string => {
  const atMs = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  if (Number.isNaN(atMs)) {
    return '';
  }
  // Anything in the last seconds, or by a clock slightly ahead of ours, counts as now.
  return nowMs - atMs < 5000 && nowMs - atMs > -60_000
    ? 'just now'
    : shorten(formatDistanceStrict(atMs, nowMs, {addSuffix: true}));
};
