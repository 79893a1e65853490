import {formatDistanceStrict} from 'date-fns/formatDistanceStrict';
import {formatClock, instantFromMs} from '../../log/line/instant.ts';
import type {State} from '../state/state.ts';

/** The service's clock now, milliseconds since 1970: the user's own may be wrong and never matters. */
export const serviceNowMs = (state: Pick<State, 'nowMs' | 'clockOffsetMs'>): number =>
  state.nowMs + state.clockOffsetMs;

/** A time of the monotonic clock as the service's clock showed it, in UTC: `14:12:09`. */
export const formatMoment = (state: Pick<State, 'clockOffsetMs'>, ms: number): string =>
  formatClock(instantFromMs(ms + state.clockOffsetMs));

/** Units as they are usually written where room is short. */
const shorten = (words: string): string =>
  words
    .replace(/ seconds?/, ' s')
    .replace(/ minutes?/, ' min')
    .replace(/ hours?/, ' h');

/** A length of time in one unit: `40 s`, `6 h`, `3 days`. */
export const formatLength = (ms: number): string => shorten(formatDistanceStrict(0, ms, {roundingMethod: 'floor'}));

/** How long ago that was: `2 h ago`. Empty where the text is no time. */
export const formatAgo = (timestamp: string | undefined, nowMs: number): string => {
  const atMs = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  if (Number.isNaN(atMs)) {
    return '';
  }
  // What happened within the last seconds, or by a clock a little ahead of ours, is now.
  return nowMs - atMs < 5000 && nowMs - atMs > -60_000
    ? 'just now'
    : shorten(formatDistanceStrict(atMs, nowMs, {addSuffix: true}));
};
