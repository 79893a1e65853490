import {helpsNewToken} from '#api/client/api-error.ts';
import {type Span, span} from '#app/rows/view-row.ts';
import type {State} from '#app/state/state.ts';
import type {Connection} from '#app/tail/tail.ts';
import {formatLength, formatMoment} from './format-time.ts';

/** An answer is missing when it is this late, milliseconds: longer than a poll takes, shorter than anybody waits. */
const answerLateMs = 3000;

/** Checks whether an answer is missing: its request was due, and nothing has come since. */
export const isStale = ({nextPollAtMs}: {readonly nextPollAtMs: number}, nowMs: number): boolean =>
  nowMs > nextPollAtMs + answerLateMs;

/** What the word is about: a tail's connection, or as much of one as a listing has. */
export type Polled =
  | Extract<Connection, {readonly kind: 'live'}>
  | Pick<Extract<Connection, {readonly kind: 'failing'}>, 'kind' | 'errorKind' | 'sinceMs'>;

/** Says in a word how what is polled stands: `live`, `stale 14 s`, `slowed to 16 s`, `failing since 14:12:09`. */
export const connectionWord = (state: Pick<State, 'nowMs' | 'clockOffsetMs'>, polled: Polled): Span => {
  if (polled.kind === 'failing') {
    const word = helpsNewToken(polled.errorKind) ? 'signed out' : 'failing';
    return span(`${word} since ${formatMoment(state, polled.sinceMs)}`, 'bad');
  }
  const {lastGoodAtMs, slowedToMs} = polled;
  // The time of the last poll is in the inspector: an age here would redraw the row for every poll of a quiet log.
  if (isStale(polled, state.nowMs)) {
    return span(`stale ${formatLength(state.nowMs - lastGoodAtMs)}`, 'busy');
  }
  return slowedToMs === undefined
    ? span('live', 'good')
    : span(`slowed to ${formatLength(Math.round(slowedToMs / 1000) * 1000)}`, 'busy');
};
