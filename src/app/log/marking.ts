import {keyFor} from '#app/keys/keymap.ts';
import {askFor} from '#app/state/ask-for.ts';
import {type LogHandler, withLog} from '#app/state/handler.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import {anchorOf, type SourcedEntry} from '#log/view/log-view.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {type Pane, paneOf} from './log-pane.ts';
import {isSameEntry, markOn, marksMax, placeOf} from './mark-rows.ts';
import {cursorIndex, goToIndex, readerIndex} from './pane/cursor.ts';

/** Handles the keys of marks: marks a line or a marker, edits its mark, and jumps between marks. */
export const updateMarks: LogHandler = (state, log, command) => {
  switch (command) {
    case 'markLine':
      return askForNote(state, log);
    case 'nextMark':
      return jumpToMark(state, log, 'next');
    case 'previousMark':
      return jumpToMark(state, log, 'previous');
    default:
      return undefined;
  }
};

/**
 * Puts the cursor on the entry and asks for its note; the typed note is for the cursor's entry. Asks even if nothing
 * can be marked, with a notice: people type the note at once, and its letters must not run as commands.
 */
const askForNote = (state: State, log: LogState): Step => {
  const pane = paneOf(state, log);
  const index = indexToMark(log, pane);
  const [entry] = index === undefined ? [] : pane.view.slice(index, 1);
  if (index === undefined || entry === undefined) {
    return askFor({...state, notice: nothingToMark}, 'note');
  }
  const mark = markOn(log, entry);
  const isFull = mark === undefined && log.marks.length >= marksMax;
  const next = {...withLog(state, goToIndex(log, pane, index)), notice: isFull ? tooManyMarks() : undefined};
  return mark === undefined ? askFor(next, 'note') : askFor(next, 'markedNote', mark.note);
};

const nothingToMark = 'there is nothing in view to mark';

const tooManyMarks = (): string =>
  `there are ${marksMax} marks, the maximum: ${keyFor('markLine', 'log')} on one of them removes it`;

/** Returns the cursor's entry, else the newest visible line while following, else the first visible line. */
const indexToMark = (log: LogState, pane: Pane): number | undefined => {
  const visible = visibleEntries(log.viewport, pane.view, pane);
  const lines = visible.filter(({entry}) => entry.kind === 'line');
  const choices = lines.length === 0 ? visible : lines;
  return cursorIndex(log, pane) ?? (log.viewport.kind === 'following' ? choices.at(-1) : choices[0])?.index;
};

/**
 * Takes a typed note: marks the cursor's entry with it, or changes its mark. An empty note removes an existing mark.
 */
export const takeNote = (state: State, log: LogState, text: string): Step => {
  const pane = paneOf(state, log);
  const index = log.cursor && placeOf(pane.view, log.cursor.anchor);
  const [entry] = index === undefined ? [] : pane.view.slice(index, 1);
  if (entry === undefined) {
    return stay({...state, notice: `${nothingToMark}, so no mark was set`});
  }
  const note = text.trim();
  if (markOn(log, entry) !== undefined) {
    return changeMark(state, log, entry, note);
  }
  return log.marks.length >= marksMax ? stay({...state, notice: tooManyMarks()}) : setMark(state, log, entry, note);
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
        ? `there are no marks: ${keyFor('markLine', 'log')} sets one`
        : `no more marks ${direction === 'next' ? 'below' : 'above'}`;
    return stay({...state, notice: words});
  }
  return stay(withLog(state, goToIndex(log, pane, direction === 'next' ? Math.min(...ahead) : Math.max(...ahead))));
};
