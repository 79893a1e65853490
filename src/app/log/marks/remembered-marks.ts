import type {RememberedMark} from '#app/parts/log-memory.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, Mark} from '#app/state/state.ts';
import {textOf} from '#log/line/entry.ts';
import {anchorOf, type LogView, type SourcedEntry} from '#log/view/log-view.ts';
import {markOn, marksMax, placeOf} from '../mark-rows.ts';
import {hashLine} from './hash-line.ts';

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
