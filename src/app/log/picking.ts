import {type Command, keyFor, movement} from '#app/keys/keymap.ts';
import type {Frame} from '#app/parts/frame.ts';
import type {LogState, State} from '#app/state/state.ts';
import {withLog} from '#app/state/step.ts';
import {type Anchor, anchorOf} from '#log/view/log-view.ts';
import {keepInView, reveal, topIndex, visibleEntries} from '#log/view/viewport.ts';
import {type Pane, paneOf} from './log-pane.ts';
import {isAt, placeOf} from './mark-rows.ts';

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

/**
 * Returns the index where picking starts: the cursor if visible, else the newest line while following, else the top
 * row.
 */
const firstPick = (log: LogState, pane: Pane): number | undefined => {
  const visible = visibleEntries(log.viewport, pane.view, pane);
  return cursorIndex(log, pane) ?? (log.viewport.kind === 'following' ? visible.at(-1) : visible[0])?.index;
};

/** Starts picking lines; following stops, so that the lines do not move. An empty log has nothing to pick. */
export const startPicking = (log: LogState, pane: Pane): LogState => {
  const index = firstPick(log, pane);
  return index === undefined ? log : {...moveTo(log, pane, index), cursor: cursorAt(log, pane, index, undefined)};
};

/** Picks the entry at an index that is visible; a range that was started extends to it. */
export const pickAt = (log: LogState, pane: Pane, index: number): LogState => ({
  ...moveTo(log, pane, index),
  cursor: cursorAt(log, pane, index, log.cursor?.kind === 'picking' ? log.cursor.rangeFrom : undefined),
});

/** Picks the entry on a row of the pane; undefined if there is none, `again` if it is the one with the cursor. */
export const pickRow = (frame: Frame, log: LogState, rowIndex: number): LogState | 'again' | undefined => {
  const pane = paneOf(frame, log);
  let left = rowIndex - pane.headRows;
  for (const visible of visibleEntries(log.viewport, pane.view, pane)) {
    const rows = visible.toRow - visible.fromRow;
    if (left >= 0 && left < rows) {
      return log.cursor?.kind === 'picking' && isAt(log.cursor, visible) ? 'again' : pickAt(log, pane, visible.index);
    }
    left -= rows;
  }
  return undefined;
};

/** Handles a command while picking; returns undefined if it is not a picking command. */
export const updatePicking = (log: LogState, pane: Pane, command: Command): LogState | undefined => {
  const {cursor} = log;
  if (cursor?.kind !== 'picking') {
    return undefined;
  }
  switch (command) {
    case 'back':
      return {...log, cursor: cursor.rangeFrom === undefined ? undefined : {...cursor, rangeFrom: undefined}};
    case 'pickLines':
      return {
        ...log,
        cursor: {...cursor, rangeFrom: cursor.rangeFrom === undefined ? cursor.anchor : undefined, isCopied: false},
      };
    default: {
      const distance = movement(command, Math.max(1, pane.rows - 1));
      if (distance === undefined) {
        return undefined;
      }
      const last = pane.view.entryCount - 1;
      const index = Math.max(0, Math.min(last, pane.view.indexOf(cursor.anchor) + distance));
      return {...moveTo(log, pane, index), cursor: cursorAt(log, pane, index, cursor.rangeFrom)};
    }
  }
};

const moveTo = (log: LogState, pane: Pane, index: number): LogState => ({
  ...log,
  viewport: keepInView(log.viewport, pane.view, pane, index),
});

const cursorAt = (log: LogState, {view}: Pane, index: number, rangeFrom: Anchor | undefined): LogState['cursor'] => {
  const [entry] = view.slice(index, 1);
  return entry === undefined ? log.cursor : {kind: 'picking', anchor: anchorOf(entry), rangeFrom};
};

/** Returns the first and last index picked: the range, or the line under the cursor. Undefined if nothing is picked. */
export const pickedRange = (
  {cursor}: LogState,
  {view}: Pane,
): {readonly first: number; readonly last: number} | undefined => {
  if (cursor === undefined || view.entryCount === 0) {
    return undefined;
  }
  const here = view.indexOf(cursor.anchor);
  const from = cursor.kind === 'picking' ? cursor.rangeFrom : undefined;
  const there = from === undefined ? here : view.indexOf(from);
  return {first: Math.min(here, there), last: Math.min(view.entryCount - 1, Math.max(here, there))};
};
