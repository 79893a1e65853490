import {keyFor} from '#app/keys/keymap.ts';
import type {LogState, State} from '#app/state/state.ts';
import {withLog} from '#app/state/step.ts';
import {type Anchor, anchorOf} from '#log/view/log-view.ts';
import {reveal, topIndex, visibleEntries} from '#log/view/viewport.ts';
import {type Pane, paneOf} from '../log-pane.ts';
import {isAt, placeOf} from '../mark-rows.ts';

/** Returns the index of the cursor's entry, or undefined if it is not visible. */
export const cursorIndex = (log: LogState, pane: Pane): number | undefined =>
  visibleEntries(log.viewport, pane.view, pane).find(visible => isAt(log.cursor, visible))?.index;

/** Returns the reader's index in the view: the cursor, else the top row, or one past the last entry while following. */
export const readerIndex = (log: LogState, pane: Pane): number =>
  cursorIndex(log, pane) ??
  (log.viewport.kind === 'following' ? pane.view.entryCount : topIndex(log.viewport, pane.view, pane));

/** Puts the cursor on an entry and scrolls it into view; following stops. */
export const goToIndex = (log: LogState, pane: Pane, index: number): LogState => {
  const [entry] = pane.view.slice(index, 1);
  return entry === undefined
    ? log
    : {
        ...log,
        viewport: reveal(log.viewport, pane.view, pane, index),
        cursor: {...(log.cursor ?? {kind: 'at'}), anchor: anchorOf(entry)},
      };
};

/** Puts the cursor on an entry of the log, or says why it can't be shown. */
export const goToEntry = (state: State, log: LogState, anchor: Anchor): State => {
  const pane = paneOf(state, log);
  const index = placeOf(pane.view, anchor);
  return index === undefined
    ? {
        ...state,
        notice:
          log.repeats === undefined
            ? 'the filters hide that line, or it has left the buffer'
            : `that line is folded or filtered away, or has left the buffer; ${keyFor('toggleRepeats', 'log')} unfolds`,
      }
    : withLog(state, goToIndex(log, pane, index));
};
