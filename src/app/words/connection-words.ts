import {helpsNewToken} from '#api/client/api-error.ts';
import {keyFor} from '#app/keys/keymap.ts';
import type {Frame, ServiceClock} from '#app/parts/frame.ts';
import {fitRow, headerNameCharsMax, joinParts, messageCharsMax, type Part, rowWidth} from '#app/rows/fit-row.ts';
import {type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {LogSource, LogState, State} from '#app/state/state.ts';
import type {Connection} from '#app/tail/tail.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {formatLength, formatMoment, serviceNowMs} from './format-time.ts';

/** Renders what is said about how the service is reached. A warning stays, however narrow the screen is. */
export const selectRemarks = ({
  context: {remarks = []},
  isLineSlow,
}: Pick<State, 'context' | 'isLineSlow'>): readonly Part[] => [
  ...(isLineSlow ? [{row: [span('slow line', 'busy')], rank: 1}] : []),
  ...remarks.map(({words, isWarning}) => ({
    row: [span(sanitiseWord(words, headerNameCharsMax), isWarning ? 'bad' : 'busy')],
    rank: isWarning ? 0 : 1,
  })),
];

const minuteMs = 60_000;

/**
 * Renders how long the token is valid, by the service's clock: on narrow screens only once it matters. Empty if its
 * claims can't be read.
 */
export const selectTokenPart = (state: State): Part => {
  const {tokenExpiresAtMs} = state;
  if (tokenExpiresAtMs === undefined) {
    return {row: [], rank: 4};
  }
  const leftMs = tokenExpiresAtMs - serviceNowMs(state);
  if (leftMs <= 0) {
    return {row: [span('token expired', 'bad')], rank: 1};
  }
  const words = `token ${formatLength(leftMs)}`;
  if (leftMs < 10 * minuteMs) {
    return {row: [span(words, leftMs < 2 * minuteMs ? 'bad' : 'busy')], rank: 1};
  }
  return {row: [span(words, 'dim')], rank: 4};
};

/** A long failure leaves this much of the row to a notice, or half of the row if that is less. */
const noticeColumnsMin = 24;

/**
 * Renders the state row while requests fail: the error, a notice beside it, and, if there is room, when the next try is
 * and how to retry now.
 */
export const selectFailure = (
  state: ServiceClock & Pick<Frame, 'columns'>,
  {message, retryAtMs}: {readonly message: string; readonly retryAtMs: number},
  notice: ViewRow = [],
): ViewRow => {
  const {columns} = state;
  const failure = [span(`! ${sanitiseWord(message, messageCharsMax)}`, 'bad')];
  // The margins, and what stands between the two.
  const room = columns - 5;
  const noticeColumns = Math.max(
    room - rowWidth(failure),
    Math.min(rowWidth(notice), noticeColumnsMin, Math.floor(room / 2)),
  );
  const told =
    notice.length === 0
      ? [{row: failure, rank: 0}]
      : [
          {row: cutRow(failure, room - Math.min(rowWidth(notice), noticeColumns)), rank: 0},
          {row: cutRow(notice, noticeColumns), rank: 0},
        ];
  return joinParts(
    retryAtMs <= state.nowMs
      ? [...told, {row: [span('trying now', 'dim')], rank: 1}]
      : [
          ...told,
          {row: [span(`next try at ${formatMoment(state, retryAtMs)}`, 'dim')], rank: 1},
          {row: [span(keyFor('tryNow', 'log'), 'strong'), span(' tries now', 'dim')], rank: 2},
        ],
    columns,
  );
};

const cutRow = (row: ViewRow, columns: number): ViewRow => (rowWidth(row) <= columns ? row : fitRow(row, columns));

/** An answer is missing when it is this late, milliseconds: longer than a poll takes, shorter than anybody waits. */
const answerLateMs = 3000;

/** Checks whether an answer is missing: its request was due, and nothing has come since. */
export const isStale = ({nextPollAtMs}: {readonly nextPollAtMs: number}, nowMs: number): boolean =>
  nowMs > nextPollAtMs + answerLateMs;

/** A tail's connection, or as much of one as a listing has. */
type Polled =
  | Extract<Connection, {readonly kind: 'live'}>
  | Pick<Extract<Connection, {readonly kind: 'failing'}>, 'kind' | 'errorKind' | 'sinceMs'>;

/** Says in a word how what is polled stands: `live`, `stale 14 s`, `slowed to 16 s`, `failing since 14:12:09`. */
export const connectionWord = (state: ServiceClock, polled: Polled): Span => {
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

/** The longer a failure lasts, the worse. Among others of one rank, the one with the oldest answer is the worst. */
const badness = (connection: Connection, nowMs: number): readonly [rank: number, sinceMs: number] => {
  switch (connection.kind) {
    case 'failing':
      return [0, connection.sinceMs];
    case 'connecting':
      return [2, 0];
    case 'live': {
      const {lastGoodAtMs, slowedToMs} = connection;
      return [isStale(connection, nowMs) ? 1 : slowedToMs === undefined ? 4 : 3, lastGoodAtMs];
    }
    case 'ended':
      return [5, 0];
    default:
      return connection satisfies never;
  }
};

/** Returns the branch with the worst connection, which the header and the state row show. */
export const worstSource = ({nowMs}: Pick<State, 'nowMs'>, {sources}: LogState): LogSource =>
  sources.reduce((worst, source) => {
    const [rank, sinceMs] = badness(source.tail.connection, nowMs);
    const [worstRank, worstSinceMs] = badness(worst.tail.connection, nowMs);
    return rank < worstRank || (rank === worstRank && sinceMs < worstSinceMs) ? source : worst;
  });
