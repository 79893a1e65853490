import type {Frame} from '#app/parts/frame.ts';
import type {Mark} from '#app/parts/log-parts.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {Away, Cursor, LogState, State} from '#app/state/state.ts';
import {formatMoment} from '#app/words/format-time.ts';
import {promptCharsMax} from '#base/bounds.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import type {Anchor, LogView, SourcedEntry} from '#log/view/log-view.ts';
import {countOf} from '#log/words/format-count.ts';

/** As many as a reader can keep track of; also bounds what every frame scans. */
export const marksMax = 100;

/** Returns whether the anchor refers to this entry. */
export const isSameEntry = (anchor: Anchor, {source, entry}: SourcedEntry): boolean =>
  anchor.source === source && anchor.id === entry.id;

/** Returns whether the cursor is on this entry. */
export const isAt = (cursor: Cursor | undefined, entry: SourcedEntry): boolean =>
  cursor !== undefined && isSameEntry(cursor.anchor, entry);

/** Returns the mark on an entry, or undefined. */
export const markOn = ({marks}: LogState, entry: SourcedEntry): Mark | undefined =>
  marks.find(({anchor}) => isSameEntry(anchor, entry));

/** Returns the index of an entry in a view, or undefined if the view does not contain it. */
export const placeOf = (view: LogView, anchor: Anchor): number | undefined => {
  const index = view.indexOf(anchor);
  const [entry] = view.slice(index, 1);
  return entry !== undefined && isSameEntry(anchor, entry) ? index : undefined;
};

/** Runs after a window: removes marks whose lines were evicted from the buffer, and shows a notice. */
export const dropLostMarks = (state: State): State => {
  const {log} = state;
  const marks = log?.marks.filter(({anchor}) => isHeld(log, anchor)) ?? [];
  const lostCount = (log?.marks.length ?? 0) - marks.length;
  return log === undefined || lostCount === 0
    ? state
    : {
        ...state,
        log: {...log, marks},
        notice: `${countOf(lostCount, 'mark')} left the buffer with ${lostCount === 1 ? 'its line' : 'their lines'}`,
      };
};

/** Returns whether an entry is still in its buffer. */
const isHeld = (log: LogState, anchor: Anchor): boolean => {
  const leftThrough = log.sources[anchor.source]?.tail.log.buffer.evictedThrough;
  // Only some of several lines with the same time may have been evicted.
  return leftThrough === undefined || anchor.at > leftThrough || placeOf(viewAll(log), anchor) !== undefined;
};

/** Shown in the gutter of a marked line and before its note. */
export const markGlyph = '●';

const none: readonly ViewRow[] = [];

/**
 * Returns the rows below an entry that belong to the reader, not to the log: the note of a mark, and where the user
 * looked away.
 */
export const belowRows = (frame: Frame, log: LogState): ((entry: SourcedEntry) => readonly ViewRow[]) => {
  const {away, marks} = log;
  if (away === undefined && marks.every(({note}) => note === '')) {
    return () => none;
  }
  return entry => {
    const note = markOn(log, entry)?.note ?? '';
    return [
      ...(note === '' ? none : [noteRow(note)]),
      ...(away?.anchor !== undefined && isSameEntry(away.anchor, entry) ? [awayRow(frame, away)] : none),
    ];
  };
};

const noteRow = (note: string): ViewRow => [
  span(`  ${markGlyph} `, 'accent'),
  span(sanitiseWord(note, promptCharsMax)),
];

/** `1,204 lines, 37 errors` */
export const awayCounts = ({lineCount, errorCount}: Away): string =>
  `${countOf(lineCount, 'line')}${errorCount === 0 ? '' : `, ${countOf(errorCount, 'error')}`}`;

const awayRow = (frame: Frame, away: Away): ViewRow => {
  const clock = formatMoment(frame, away.sinceMs);
  const whole = ` ── you looked away at ${clock}; since then ${awayCounts(away)} `;
  // The counts matter most, so the short form keeps them.
  const rule = cellWidth(whole) <= frame.columns ? whole : ` ── away ${clock}: ${awayCounts(away)} `;
  return [span(`${rule}${'─'.repeat(Math.max(0, frame.columns - cellWidth(rule) - 1))}`, 'accent')];
};
