import {keyFor} from '#app/keys/keymap.ts';
import {fitRow, joinParts, rowWidth} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {messageCharsMax} from '#app/rows/word-limits.ts';
import type {State} from '#app/state/state.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {formatMoment} from './format-time.ts';

/** A long failure leaves this much of the row to a notice, or half of the row if that is less. */
const noticeColumnsMin = 24;

/**
 * Renders the state row while requests fail: the error, a notice beside it, and, if there is room, when the next try is
 * and how to retry now.
 */
export const selectFailure = (
  state: Pick<State, 'columns' | 'clockOffsetMs' | 'nowMs'>,
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
