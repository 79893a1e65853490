import {type Instant, instantFromMs} from '../../../log/line/instant.ts';
import {type VisibleEntry, visibleEntries} from '../../../log/view/viewport.ts';
import {whenWidth} from '../../../log/words/format-when.ts';
import {fitRow, rowWidth} from '../../rows/fit-row.ts';
import {type Span, span, type ViewRow} from '../../rows/view-row.ts';
import type {LogState, State} from '../../state/state.ts';
import {serviceNowMs} from '../../words/format-time.ts';
import {markGlyph} from '../pane/below-rows.ts';
import {isAt} from '../pane/cursor-place.ts';
import {type Pane, paneOf} from '../pane/log-pane.ts';
import {markOn} from '../pane/mark-rows.ts';
import {formatTime, type TimeGround} from '../pane/time-column.ts';
import {pickedRange} from './picking.ts';

/** Returns the rows of the pane: each line after its time and branch. */
export const selectPickedLines = (state: State, log: LogState): readonly ViewRow[] => {
  const pane = paneOf(state, log);
  const gutter = gutterOf(log, pane);
  const entries = visibleEntries(log.viewport, pane.view, pane);
  const first = entries[0]?.index ?? 0;
  const [above] = first === 0 ? [] : pane.view.slice(first - 1, 1);
  const ground: TimeGround = {
    nowAt: instantFromMs(serviceNowMs(state)),
    offsetMinutesAt: state.offsetMinutesAt,
    markAt: log.marks.at(-1)?.at,
  };
  return entries.flatMap((visible, index) => {
    const previousAt = (index === 0 ? above : entries[index - 1])?.entry.at;
    const prefix = linePrefix(log, pane, visible, {ground, previousAt});
    const rows = pane
      .bodyOf(visible)
      .map((body, row) => [gutter(visible), ...(row === 0 ? prefix : indentOf(prefix)), ...body]);
    return [...rows, ...pane.belowOf(visible)]
      .slice(visible.fromRow, visible.toRow)
      .map(row => fitRow(row, state.columns));
  });
};

/** Returns the gutter of a row: the cursor, picked, or marked. */
const gutterOf = (log: LogState, pane: Pane): ((visible: VisibleEntry) => Span) => {
  const picked = log.cursor?.kind === 'picking' ? pickedRange(log, pane) : undefined;
  return visible => {
    if (isAt(log.cursor, visible)) {
      return span('▸', 'accent');
    }
    if (picked !== undefined && visible.index >= picked.first && visible.index <= picked.last) {
      return span('┃', 'accent');
    }
    return markOn(log, visible) === undefined ? span(' ') : span(markGlyph, 'accent');
  };
};

type PrefixTime = {readonly ground: TimeGround; readonly previousAt: Instant | undefined};

/** Returns the prefix of a line's text. Markers have none: their rule takes the whole row. */
const linePrefix = (
  {look}: LogState,
  pane: Pane,
  {entry, source}: VisibleEntry,
  {ground, previousAt}: PrefixTime,
): readonly Span[] => {
  if (entry.kind !== 'line') {
    return [];
  }
  const label = pane.labels[source];
  return [
    ...(whenWidth(look.time) === 0 ? [] : [span(`${formatTime(entry, look.time, previousAt, ground)} `, 'dim')]),
    ...(label === undefined ? [] : [span(`${label.short} `, label.tone)]),
  ];
};

/** Indents further rows of a line by the width of its prefix. */
const indentOf = (prefix: readonly Span[]): readonly Span[] => [span(' '.repeat(rowWidth(prefix)))];
