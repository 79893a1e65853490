import type {Frame} from '#app/parts/frame.ts';
import type {LogState, State} from '#app/state/state.ts';
import {anchorOf} from '#log/view/log-view.ts';
import {type HeldRow, putInRow, type VisibleEntry, visibleEntries} from '#log/view/viewport.ts';
import {type Pane, paneOf} from './log-pane.ts';
import {isAt} from './mark-rows.ts';

/**
 * Keeps the line under the cursor, or else the middle one, in its row when filters or the look changed what is around
 * it. If a filter hides that line, the next one takes its row until it is shown again or the reader moves.
 */
export const holdRow = (
  before: State & {readonly log: LogState | undefined},
  state: State & {readonly log: LogState},
): LogState => {
  const {log} = state;
  const {log: was} = before;
  if (was === undefined || log.viewport.kind === 'following' || log.viewport !== was.viewport || !isRedrawn(was, log)) {
    return log;
  }
  const held = heldRow(log.viewport.held, paneOf(before, was), was);
  if (held === undefined) {
    return log;
  }
  const pane = paneOf(state, log);
  const index = Math.min(pane.view.indexOf(held.anchor), pane.view.entryCount - 1);
  const [entry] = pane.view.slice(index, 1);
  const viewport =
    entry === undefined
      ? log.viewport
      : putInRow(
          log.viewport,
          pane.view,
          pane,
          index,
          Math.max(0, held.row - pane.headRows) - pane.aboveOf(entry).length,
        );
  return {...log, viewport: {...viewport, ...(viewport.kind === 'paused' && {held})}};
};

/** Returns the line that would keep its row now; undefined while following. */
export const rowToHold = (frame: Frame, log: LogState): HeldRow | undefined =>
  log.viewport.kind === 'following' ? undefined : heldRow(log.viewport.held, paneOf(frame, log), log);

/** If lines arrived meanwhile, they move nothing: the top is held instead. */
const isRedrawn = (was: LogState, log: LogState): boolean =>
  (was.filtering !== log.filtering || was.look !== log.look) &&
  log.sources.every(({tail}, index) => tail.log.buffer === was.sources[index]?.tail.log.buffer);

const heldRow = (known: HeldRow | undefined, pane: Pane, {viewport, cursor}: LogState): HeldRow | undefined => {
  const visible = visibleEntries(viewport, pane.view, pane);
  const atCursor = visible.find(entry => isAt(cursor, entry));
  if (known !== undefined && (atCursor === undefined || isAt({kind: 'at', anchor: known.anchor}, atCursor))) {
    return known;
  }
  const startOf = (entry: VisibleEntry): number =>
    visible.slice(0, visible.indexOf(entry)).reduce((row, {fromRow, toRow}) => row + toRow - fromRow, -entry.fromRow);
  const middle = Math.floor(pane.rows / 2);
  const entry = atCursor ?? visible.findLast(each => startOf(each) <= middle);
  return entry && {anchor: anchorOf(entry), row: startOf(entry) + pane.headRows + pane.aboveOf(entry).length};
};
