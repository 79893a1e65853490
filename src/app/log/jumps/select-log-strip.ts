import {formatClock, type Instant} from '../../../log/line/instant.ts';
import {blockFor, columnAt, fullBlockFor, type Strip} from '../../../log/strip/strip.ts';
import type {StripMark} from '../../../log/strip/strip-marks.ts';
import {visibleEntries} from '../../../log/view/viewport.ts';
import type {Tone} from '../../rows/tones.ts';
import {type Span, span, type ViewRow} from '../../rows/view-row.ts';
import type {LogState, State} from '../../state/state.ts';
import {paneOf} from '../pane/log-pane.ts';
import {stripOf} from './log-strip.ts';

/** A gap hides how many lines there were; any other marker matters more than their number. */
const glyphs: Readonly<Record<StripMark, string>> = {gap: '╳', marker: '│'};

/**
 * Returns the row below the header: all lines held over time, of all branches together. Columns with errors are
 * coloured; brackets enclose the columns that the pane shows.
 */
export const selectLogStrip = (state: State, log: LogState): ViewRow => {
  const shown = stripOf(state, log);
  if (shown === undefined) {
    return [];
  }
  const {strip, marks} = shown;
  const place = placeOf(state, log, strip);
  const full = fullBlockFor(Math.max(...strip.buckets.map(({lines}) => lines)));
  const spans: Span[] = [span(' ')];
  for (const [column, {lines, errors}] of strip.buckets.entries()) {
    const mark = marks[column];
    const glyph = mark === undefined ? blockFor(lines, full) : glyphs[mark];
    append(spans, column === place?.first ? '[' : '', 'dim');
    append(spans, glyph, errors > 0 ? 'bad' : 'dim');
    append(spans, column === place?.last ? ']' : '', 'dim');
  }
  return [...spans, span(`${place === undefined ? '  ' : ''}   ${spanWords(strip, log)}`, 'dim')];
};

/** Appends text; extends the last span if it has the same tone. */
const append = (spans: Span[], text: string, tone: Tone): void => {
  const last = spans.at(-1);
  if (last?.tone === tone) {
    spans[spans.length - 1] = span(last.text + text, tone);
  } else if (text !== '') {
    spans.push(span(text, tone));
  }
};

/** Returns the first and last column visible in the pane; undefined if it shows none. */
const placeOf = (
  state: State,
  log: LogState,
  strip: Strip,
): {readonly first: number; readonly last: number} | undefined => {
  const pane = paneOf(state, log);
  const columns = visibleEntries(log.viewport, pane.view, pane).map(({entry}) => columnAt(strip, entry.at));
  const first = columns[0] ?? strip.buckets.length;
  const last = columns.at(-1) ?? -1;
  const end = strip.buckets.length - 1;
  return first > end || last < 0 ? undefined : {first: Math.max(0, first), last: Math.min(end, last)};
};

/** Returns the time range; the strip may extend a little beyond the newest line. */
const spanWords = (strip: Strip, log: LogState): string => {
  const clock = (at: Instant): string => formatClock(at).slice(0, strip.isZoomed ? 8 : 5);
  const newest = log.sources.reduce<Instant>((latest, {tail}) => {
    const at = tail.log.buffer.newestLine?.at ?? 0n;
    return at > latest ? at : latest;
  }, 0n);
  return `${clock(strip.from)} to ${clock(strip.to < newest ? strip.to : newest)}`;
};
