import type {Frame} from '#app/parts/frame.ts';
import {fitRow, rowWidth} from '#app/rows/fit-row.ts';
import {lightRow, type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {LogState} from '#app/state/state.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import type {Entry} from '#log/line/entry.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import type {OffsetMinutesAt} from '#log/tokens/time-words.ts';
import {type VisibleEntry, visibleEntries} from '#log/view/viewport.ts';
import {formatWhen, type TimeMode, whenWidth} from '#log/words/format-when.ts';
import type {Work} from '#log/work.ts';
import {headingRow, isNewShape, type Pane, paneOf} from './log-pane.ts';
import {originOf} from './log-sources-pane.ts';
import {isAt, markGlyph, markOn} from './mark-rows.ts';
import {pickedRange} from './picking.ts';
import {edgeLevel} from './row-edges.ts';

/**
 * Lays out the lines of the page above the screen and of the page below, the nearest first, so that the key that shows
 * them finds them done.
 */
export function* layOutPages(frame: Frame, log: LogState): Work<void> {
  const pane = paneOf(frame, log);
  const shown = visibleEntries(log.viewport, pane.view, pane);
  const first = shown[0]?.index ?? 0;
  const end = first + shown.length;
  const from = Math.max(0, first - pane.rows);
  for (const page of [pane.view.slice(from, first - from).toReversed(), pane.view.slice(end, pane.rows)]) {
    for (const line of page) {
      pane.bodyOf(line);
      if (line.entry.kind === 'line') {
        edgeLevel(line.entry, log.sources[line.source]?.tail.log.buffer);
      }
      yield;
    }
  }
}

/** Returns the rows of the pane: the headings of columns, and each line after its level, time, branch and source. */
export const selectPickedLines = (frame: Frame, log: LogState): readonly ViewRow[] => {
  const pane = paneOf(frame, log);
  const isPicked = pickedBy(log, pane);
  const entries = visibleEntries(log.viewport, pane.view, pane);
  const first = entries[0]?.index ?? 0;
  const [above] = first === 0 ? [] : pane.view.slice(first - 1, 1);
  const context: TimeContext = {
    nowAt: instantFromMs(serviceNowMs(frame)),
    offsetMinutesAt: frame.offsetMinutesAt,
    markAt: log.marks.at(-1)?.at,
    isWhole: pane.isWhole,
  };
  const lines = entries.flatMap((visible, index) => {
    const previousAt = (index === 0 ? above : entries[index - 1])?.entry.at;
    const prefix = linePrefix(log, pane, visible, {context, previousAt});
    const isLit = isAt(log.cursor, visible) || isPicked(visible);
    const gutter = gutterOf(log, visible, isPicked(visible));
    const rows = pane.bodyOf(visible).map((body, row) => {
      const whole = fitRow([gutter, ...(row === 0 ? prefix : indentOf(prefix)), ...body], frame.columns);
      return isLit ? lightRow(whole) : whole;
    });
    const below = pane.belowOf(visible).map(row => fitRow(row, frame.columns));
    return [...pane.aboveOf(visible).map(row => [span(' '), ...row]), ...rows, ...below].slice(
      visible.fromRow,
      visible.toRow,
    );
  });
  return pane.headRows === 0 ? lines : [headingRow(frame.columns, pane.style), ...lines];
};

/** Returns a function that checks whether an entry is in the picked range. */
const pickedBy = (log: LogState, pane: Pane): ((visible: VisibleEntry) => boolean) => {
  const picked = log.cursor?.kind === 'picking' ? pickedRange(log, pane) : undefined;
  return ({index}) => picked !== undefined && index >= picked.first && index <= picked.last;
};

const blank = span(' ');

/** As in the strip: the first line of its kind. */
const newGlyph = '◆';

/** Returns the gutter of a row: the cursor, picked, marked, or new. */
const gutterOf = (log: LogState, visible: VisibleEntry, isPicked: boolean): Span => {
  if (isAt(log.cursor, visible)) {
    return span('▸', 'accent');
  }
  if (isPicked) {
    return span('┃', 'accent');
  }
  if (markOn(log, visible) !== undefined) {
    return span(markGlyph, 'accent');
  }
  return isNewShape(log, visible) ? span(newGlyph, 'accent') : blank;
};

type PrefixTime = {readonly context: TimeContext; readonly previousAt: Instant | undefined};

/** Returns the prefix of a line's text. Markers have none: their rule takes the whole row. */
const linePrefix = (
  {look, sources}: LogState,
  pane: Pane,
  {entry, source}: VisibleEntry,
  {context, previousAt}: PrefixTime,
): readonly Span[] => {
  if (entry.kind !== 'line') {
    return [];
  }
  return [
    edgeLevel(entry, sources[source]?.tail.log.buffer),
    ...(whenWidth(look.time, context.isWhole) === 0
      ? []
      : [span(`${formatTime(entry, look.time, previousAt, context)} `, 'dim')]),
    ...originOf(pane.labels[source], pane.tags, entry.source),
  ];
};

/** Indents further rows of a line by the width of its prefix. */
const indentOf = (prefix: readonly Span[]): readonly Span[] => [span(' '.repeat(rowWidth(prefix)))];

/** The moments that times are shown relative to. */
type TimeContext = {
  /** Current time by the service's clock. */
  readonly nowAt: Instant;
  /** The user's UTC offset at a time, in minutes east of UTC. */
  readonly offsetMinutesAt: OffsetMinutesAt;
  /** The mark that times count from; undefined if there is none. */
  readonly markAt: Instant | undefined;
  /** All times are of whole seconds. */
  readonly isWhole: boolean;
};

/**
 * Returns the time column of an entry, as wide as its mode; blanks for a line without a readable time. `previousAt` is
 * the time of the previous line.
 */
const formatTime = (
  entry: Entry,
  mode: TimeMode,
  previousAt: Instant | undefined,
  {nowAt, offsetMinutesAt, markAt, isWhole}: TimeContext,
): string =>
  entry.kind === 'line' && entry.textIndex === 0
    ? ' '.repeat(whenWidth(mode, isWhole))
    : formatWhen(entry.at, mode, {
        nowAt,
        offsetMinutesAt,
        previousAt,
        markAt,
        isWhole,
      });
