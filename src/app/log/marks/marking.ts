import type {SourcedEntry} from '../../../log/view/log-view.ts';
import {anchorOf} from '../../../log/view/log-view.ts';
import {visibleEntries} from '../../../log/view/viewport.ts';
import {keyFor} from '../../keys/keymap.ts';
import {askFor} from '../../state/ask-for.ts';
import {type LogHandler, withLog} from '../../state/handler.ts';
import type {LogState, State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {cursorIndex, goToIndex, readerIndex} from '../pane/cursor.ts';
import {type Pane, paneOf} from '../pane/log-pane.ts';
import {isSameEntry, markOn, marksMax, placeOf} from '../pane/mark-rows.ts';

/** Handles the keys of marks: marks a line, edits its mark, and jumps between marks. */
export const updateMarks: LogHandler = (state, log, command) => {
  switch (command) {
    case 'markLine':
      return markLine(state, log);
    case 'nextMark':
      return jumpToMark(state, log, 'next');
    case 'previousMark':
      return jumpToMark(state, log, 'previous');
    default:
      return undefined;
  }
};

/** Puts the cursor on the line and asks for its note; the typed note is for the cursor's line. */
const markLine = (state: State, log: LogState): Step => {
  const pane = paneOf(state, log);
  const index = lineToMark(log, pane);
  const [entry] = index === undefined ? [] : pane.view.slice(index, 1);
  if (index === undefined || entry === undefined) {
    return stay({...state, notice: 'there is no line in view to mark'});
  }
  if (entry.entry.kind !== 'line') {
    return stay({
      ...state,
      notice: `only lines can be marked, not markers: ${keyFor('pickLines', 'log')} picks a line`,
    });
  }
  const mark = markOn(log, entry);
  if (mark === undefined && log.marks.length >= marksMax) {
    return stay({
      ...state,
      notice: `${marksMax} lines are marked, the maximum: ${keyFor('markLine', 'log')} on one of them removes its mark`,
    });
  }
  const next = withLog(state, goToIndex(log, pane, index));
  return mark === undefined ? askFor(next, 'note') : askFor(next, 'markedNote', mark.note);
};

/** Returns the cursor's entry, else the newest visible line while following, else the first visible line. */
const lineToMark = (log: LogState, pane: Pane): number | undefined => {
  const lines = visibleEntries(log.viewport, pane.view, pane).filter(({entry}) => entry.kind === 'line');
  return cursorIndex(log, pane) ?? (log.viewport.kind === 'following' ? lines.at(-1) : lines[0])?.index;
};

/** Takes a typed note: marks the cursor's line with it, or changes its mark. An empty note removes an existing mark. */
export const takeNote = (state: State, log: LogState, text: string): Step => {
  const pane = paneOf(state, log);
  const index = log.cursor && placeOf(pane.view, log.cursor.anchor);
  const [entry] = index === undefined ? [] : pane.view.slice(index, 1);
  if (entry === undefined) {
    return stay({...state, notice: 'the line is no longer in view: it was not marked'});
  }
  const note = text.trim();
  return markOn(log, entry) === undefined ? setMark(state, log, entry, note) : changeMark(state, log, entry, note);
};

const setMark = (state: State, log: LogState, entry: SourcedEntry, note: string): Step => {
  const marks = [...log.marks, {anchor: anchorOf(entry), at: entry.entry.at, note}];
  return stay({
    ...withLog(state, {...log, marks}),
    notice: `marked; ${keyFor('nextMark', 'log')} and ${keyFor('previousMark', 'log')} go to the next and the previous mark`,
  });
};

const changeMark = (state: State, log: LogState, entry: SourcedEntry, note: string): Step =>
  note === ''
    ? stay({
        ...withLog(state, {...log, marks: log.marks.filter(({anchor}) => !isSameEntry(anchor, entry))}),
        notice: 'mark removed',
      })
    : stay(
        withLog(state, {
          ...log,
          marks: log.marks.map(mark => (isSameEntry(mark.anchor, entry) ? {...mark, note} : mark)),
        }),
      );

/** Jumps to the next or previous mark; skips marks on lines hidden by a filter. */
const jumpToMark = (state: State, log: LogState, direction: 'next' | 'previous'): Step => {
  const pane = paneOf(state, log);
  const from = readerIndex(log, pane);
  const places = log.marks.flatMap(({anchor}) => placeOf(pane.view, anchor) ?? []);
  const ahead = places.filter(index => (direction === 'next' ? index > from : index < from));
  if (ahead.length === 0) {
    const words =
      log.marks.length === 0
        ? `no lines are marked: ${keyFor('markLine', 'log')} marks one`
        : `no more marks ${direction === 'next' ? 'below' : 'above'}`;
    return stay({...state, notice: words});
  }
  return stay(withLog(state, goToIndex(log, pane, direction === 'next' ? Math.min(...ahead) : Math.max(...ahead))));
};
