import type {Entry} from '../../../log/line/entry.ts';
import {anchorOf, type LogView, type SourcedEntry} from '../../../log/view/log-view.ts';
import {countOf} from '../../../log/words/format-count.ts';
import {gapWords} from '../../../log/words/gap-words.ts';
import {type Command, keyFor} from '../../keys/keymap.ts';
import {movement} from '../../keys/movement.ts';
import {type LogHandler, withLog} from '../../state/handler.ts';
import {type LogState, type OpenedLine, paneRows, type State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {cursorIndex, goToIndex} from '../pane/cursor.ts';
import {paneOf} from '../pane/log-pane.ts';
import {isSameEntry} from '../pane/mark-rows.ts';
import {startPicking} from './picking.ts';
import {openedRows} from './select-opened-line.ts';

/** Opens the line under the cursor; if no cursor is visible, starts picking a line. */
export const openLine: LogHandler = (state, log, command) => {
  if (command !== 'openLine') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const index = cursorIndex(log, pane);
  if (index === undefined) {
    const picking = startPicking(log, pane);
    const notice =
      picking === log ? 'the log has no lines yet' : `choose a line; ${keyFor('openLine', 'log')} opens it`;
    return stay({...withLog(state, picking), notice});
  }
  const [found] = pane.view.slice(index, 1);
  const opened = found && openedAt(found);
  return stay(
    opened === undefined ? {...state, notice: markerNotice(found?.entry)} : withLog(state, {...log, overlay: opened}),
  );
};

/**
 * Returns the notice for an entry that is not a line. A gap explains why it is one: at 80 columns its row has no room
 * for that.
 */
const markerNotice = (entry: Entry | undefined): string =>
  entry?.kind === 'gap' ? gapWords(entry) : 'this is a marker, not a line';

const openedAt = ({source, entry}: SourcedEntry): OpenedLine | undefined =>
  entry.kind === 'line' ? {kind: 'line', source, line: entry, top: 0} : undefined;

/**
 * Handles all commands while a line is open. The log underneath stays where it is, except when moving to another line.
 */
export const updateOpenedLine = (state: State, log: LogState, opened: OpenedLine, command: Command): Step => {
  switch (command) {
    case 'openLine':
    case 'back':
      return stay(withLog(state, {...log, overlay: undefined}));
    case 'copyLines':
      return stay(state, {kind: 'copy', text: opened.line.raw, what: countOf(1, 'line')});
    case 'moveLeft':
    case 'moveRight':
      return openBeside(state, log, opened, command === 'moveRight' ? 1 : -1);
    default: {
      const rows = paneRows(state);
      const distance = movement(command, Math.max(1, rows - 1));
      if (distance === undefined) {
        return stay(state);
      }
      const last = Math.max(0, openedRows(state, log, opened).length - rows);
      const top = Math.max(0, Math.min(last, Math.min(last, opened.top) + distance));
      return stay(withLog(state, {...log, overlay: {...opened, top}}));
    }
  }
};

/**
 * Opens the next or previous line of the view and puts the cursor on it, so that the log is there when the pane closes.
 */
const openBeside = (state: State, log: LogState, opened: OpenedLine, direction: 1 | -1): Step => {
  const pane = paneOf(state, log);
  const beside = findLineBeside(pane.view, opened, direction);
  return stay(
    beside === undefined
      ? {...state, notice: `no more lines ${direction === 1 ? 'below' : 'above'}`}
      : withLog(state, {...goToIndex(log, pane, beside.index), overlay: beside.opened}),
  );
};

const findLineBeside = (
  view: LogView,
  {source, line}: OpenedLine,
  direction: 1 | -1,
): {readonly index: number; readonly opened: OpenedLine} | undefined => {
  const anchor = anchorOf({source, entry: line});
  const place = view.indexOf(anchor);
  // If the line is no longer in the view, the entry after it has taken its place.
  const isHere = view.slice(place, 1).some(entry => isSameEntry(anchor, entry));
  let index = direction === 1 && !isHere ? place : place + direction;
  for (; index >= 0 && index < view.entryCount; index += direction) {
    const [entry] = view.slice(index, 1);
    const opened = entry && openedAt(entry);
    if (opened !== undefined) {
      return {index, opened};
    }
  }
  return undefined;
};
