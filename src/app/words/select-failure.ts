import {sanitiseWord} from '../../log/text/sanitise.ts';
import {keyFor} from '../keys/keymap.ts';
import {joinParts} from '../rows/fit-row.ts';
import {span, type ViewRow} from '../rows/view-row.ts';
import {messageCharsMax} from '../rows/word-limits.ts';
import type {State} from '../state/state.ts';
import {formatMoment} from './format-time.ts';

/**
 * Renders the state row while requests fail: the error and, if there is room, when the next try is and how to retry
 * now.
 */
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
