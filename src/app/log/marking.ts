import {createHash} from 'node:crypto';
import {keyFor} from '#app/keys/keymap.ts';
import type {Mark} from '#app/parts/log-parts.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {askFor, type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {textOf} from '#log/line/entry.ts';
import type {RememberedMark} from '#log/overview/log-memory.ts';
import {anchorOf, type LogView, type SourcedEntry} from '#log/view/log-view.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {type Pane, paneOf} from './log-pane.ts';
import {isSameEntry, markOn, marksMax, placeOf} from './mark-rows.ts';
import {cursorIndex, goToIndex, readerIndex} from './picking.ts';

/**
 * Tells lines of the same timestamp apart without storing their text: the first 16 hexadecimal digits of the SHA-256 of
 * the text. Short or guessable lines can be found by trying, so the file that holds the hashes must be readable by its
 * owner only.
 */
export const hashLine = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Maximum entries searched for a marked line, from its timestamp on: nobody marks a line by hand beyond so many of the
 * same time.
 */
const tiesMax = 500;

/** Returns the marks to remember. Marks whose lines have not come this time are kept: they are still the user's. */
export const rememberMarks = (log: LogState): readonly RememberedMark[] => {
  const view = viewAll(log);
  const placed = log.marks.map(({anchor, at, note}): RememberedMark => {
    const index = placeOf(view, anchor);
    const [found] = index === undefined ? [] : view.slice(index, 1);
    return {at, lineHash: found?.entry.kind === 'line' ? hashLine(textOf(found.entry)) : undefined, note};
  });
  return [...unplacedIn(log), ...placed].slice(-marksMax);
};

/** Sets the remembered marks whose lines have come by now. */
export const placeMarks = (log: LogState): LogState => {
  const unplacedMarks = unplacedIn(log);
  if (unplacedMarks.length === 0) {
    return log;
  }
  const view = viewAll(log);
  const placed: Mark[] = [];
  const left: RememberedMark[] = [];
  for (const mark of unplacedMarks) {
    const found = findMarked(view, mark);
    if (found === undefined || log.marks.length + placed.length >= marksMax) {
      left.push(mark);
    } else if (markOn(log, found) === undefined) {
      placed.push({anchor: anchorOf(found), at: found.entry.at, note: mark.note});
    }
  }
  // Remembered marks are older than those set in this session.
  return left.length === unplacedMarks.length
    ? log
    : {...log, marks: [...placed, ...log.marks], recollection: {kind: 'recalled', unplacedMarks: left}};
};

const unplacedIn = ({recollection}: LogState): readonly RememberedMark[] =>
  recollection.kind === 'recalled' ? recollection.unplacedMarks : [];

const findMarked = (view: LogView, {at, lineHash}: RememberedMark): SourcedEntry | undefined => {
  const first = view.indexAtOrAfter(at);
  const entries = view.slice(first, tiesMax);
  if (lineHash !== undefined) {
    return entries.find(({entry}) => entry.at === at && entry.kind === 'line' && hashLine(textOf(entry)) === lineHash);
  }
  // A marker of an earlier session is only there again if its cause is. Otherwise its place is before the first line
  // from then on, if the log reaches back that far.
  const isReached = first > 0 || entries[0]?.entry.at === at;
  return (
    entries.find(({entry}) => entry.at === at && entry.kind !== 'line') ??
    (isReached ? entries.find(({entry}) => entry.kind === 'line') : undefined)
  );
};

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
  const nextState = {...withLog(state, goToIndex(log, pane, index)), notice: isFull ? tooManyMarks() : undefined};
  return mark === undefined ? askFor(nextState, 'note') : askFor(nextState, 'markedNote', mark.note);
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
    return next({...state, notice: `${nothingToMark}, so no mark was set`});
  }
  const note = text.trim();
  if (markOn(log, entry) !== undefined) {
    return changeMark(state, log, entry, note);
  }
  return log.marks.length >= marksMax ? next({...state, notice: tooManyMarks()}) : setMark(state, log, entry, note);
};

const setMark = (state: State, log: LogState, entry: SourcedEntry, note: string): Step => {
  const marks = [...log.marks, {anchor: anchorOf(entry), at: entry.entry.at, note}];
  return next({
    ...withLog(state, {...log, marks}),
    notice: `marked; ${keyFor('nextMark', 'log')} and ${keyFor('previousMark', 'log')} go to the next and the previous mark`,
  });
};

const changeMark = (state: State, log: LogState, entry: SourcedEntry, note: string): Step =>
  note === ''
    ? next({
        ...withLog(state, {...log, marks: log.marks.filter(({anchor}) => !isSameEntry(anchor, entry))}),
        notice: 'mark removed',
      })
    : next(
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
    return next({...state, notice: words});
  }
  return next(withLog(state, goToIndex(log, pane, direction === 'next' ? Math.min(...ahead) : Math.max(...ahead))));
};
