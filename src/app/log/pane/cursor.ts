import {anchorOf} from '../../../log/view/log-view.ts';
import {reveal, topIndex, visibleEntries} from '../../../log/view/viewport.ts';
import type {LogState} from '../../state/state.ts';
import {isAt} from './cursor-place.ts';
import type {Pane} from './log-pane.ts';

/** The index of the entry that the cursor stands on; undefined where that is not in view. */
export const cursorIndex = (log: LogState, pane: Pane): number | undefined =>
  visibleEntries(log.viewport, pane.view, pane).find(visible => isAt(log.cursor, visible))?.index;

/** Where the reader is, as an index of the view: at the cursor, else at the top row, or while following behind the end. */
export const readerIndex = (log: LogState, pane: Pane): number =>
  cursorIndex(log, pane) ??
  (log.viewport.kind === 'following' ? pane.view.entryCount : topIndex(log.viewport, pane.view, pane));

/** Puts the cursor on an entry and brings it into view; following stops. */
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
