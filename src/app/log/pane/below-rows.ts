import {span, type ViewRow} from '#app/rows/view-row.ts';
import type {Away, LogState, State} from '#app/state/state.ts';
import {formatMoment} from '#app/words/format-time.ts';
import {promptCharsMax} from '#base/bounds.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';
import {countOf} from '#log/words/format-count.ts';
import {isSameEntry, markOn} from '../mark-rows.ts';

/** Shown in the gutter of a marked line and before its note. */
export const markGlyph = '◆';

const none: readonly ViewRow[] = [];

/**
 * Returns the rows below an entry that belong to the reader, not to the log: the note of a mark, and where the user
 * looked away.
 */
export const belowRows = (state: State, log: LogState): ((entry: SourcedEntry) => readonly ViewRow[]) => {
  const {away, marks} = log;
  if (away === undefined && marks.every(({note}) => note === '')) {
    return () => none;
  }
  return entry => {
    const note = markOn(log, entry)?.note ?? '';
    return [
      ...(note === '' ? none : [noteRow(note)]),
      ...(away?.anchor !== undefined && isSameEntry(away.anchor, entry) ? [awayRow(state, away)] : none),
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

const awayRow = (state: State, away: Away): ViewRow => {
  const clock = formatMoment(state, away.sinceMs);
  const whole = ` ── you looked away at ${clock}; since then ${awayCounts(away)} `;
  // The counts matter most, so the short form keeps them.
  const rule = cellWidth(whole) <= state.columns ? whole : ` ── away ${clock}: ${awayCounts(away)} `;
  return [span(`${rule}${'─'.repeat(Math.max(0, state.columns - cellWidth(rule) - 1))}`, 'accent')];
};
