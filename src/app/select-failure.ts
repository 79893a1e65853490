import {sanitiseWord} from '../log/sanitise.ts';
import {joinParts} from './fit-row.ts';
import {formatMoment} from './format-time.ts';
import {keyFor} from './keymap.ts';
import type {State} from './state.ts';
import {span, type ViewRow} from './view-row.ts';
import {messageCharsMax} from './word-limits.ts';

/** The state row while requests fail: what is wrong, and, where there is room, when the next try is and how to try now. */
export const selectFailure = (
  state: Pick<State, 'columns' | 'clockOffsetMs'>,
  {message, retryAtMs}: {readonly message: string; readonly retryAtMs: number},
): ViewRow =>
  joinParts(
    [
      {row: [span(`! ${sanitiseWord(message, messageCharsMax)}`, 'bad')], rank: 0},
      {row: [span(`next try at ${formatMoment(state, retryAtMs)}`, 'dim')], rank: 1},
      {row: [span(keyFor('tryNow', 'log'), 'strong'), span(' tries now', 'dim')], rank: 2},
    ],
    state.columns,
  );
