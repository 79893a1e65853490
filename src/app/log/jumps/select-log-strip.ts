import type {Tone} from '#app/rows/tones.ts';
import {type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import {formatClock, type Instant, latestOf} from '#log/line/instant.ts';
import {blockFor, columnAt, excessOf, fullBlockFor, type Strip, type StripBucket} from '#log/overview/strip.ts';
import type {StripMark} from '#log/overview/strip-marks.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {formatCount} from '#log/words/format-count.ts';
import {paneOf} from '../log-pane.ts';
import {formatBucket} from './format-bucket.ts';
import {besideStrip, scaleCells, stripOf} from './log-strip.ts';

/**
 * What stands in a column with a mark. A gap hides how many lines there were, and any other marker matters more than
 * their number; in a burst the second glyph shows both.
 */
const glyphs: Readonly<Record<StripMark, readonly [quiet: string, burst: string]>> = {
  gap: ['╳', '▓'],
  onset: ['▲', '▲'],
  new: ['◆', '▞'],
  marker: ['│', '▌'],
};

/** Before the oldest line held nothing is known, which is not the same as no lines. */
const unknownGlyph = '·';

/** From these shares of errors on, a column has the tones of a warning and of an error, even if they are usual. */
const someErrors = 0.1;
const manyErrors = 1 / 3;

/** Returns the tone of a column: its share of errors, or how far it exceeds what is usual, whichever is worse. */
const toneOf = (bucket: StripBucket, usualErrors: number): Tone => {
  const {lines, errors} = bucket;
  if (errors === 0) {
    return 'dim';
  }
  const excess = excessOf(bucket, usualErrors);
  if (errors >= manyErrors * lines || excess === 'far') {
    return 'bad';
  }
  return errors >= someErrors * lines || excess === 'some' ? 'warn' : 'plain';
};

/** A column this high, as a part of the full height, is a burst, and so is any other with as many errors as lines. */
const burstHeight = 0.5;

const glyphOf = (bucket: StripBucket, mark: StripMark | undefined, full: number, tone: Tone): string => {
  if (mark === undefined) {
    return blockFor(bucket.lines, full);
  }
  const [quiet, burst] = glyphs[mark];
  return bucket.lines >= burstHeight * full || tone === 'bad' ? burst : quiet;
};

/**
 * Returns the row below the header: the lines that the filters show over all the time held, of all branches together.
 * The tone of a column tells its share of errors, and whether it has more of them than usual. Brackets enclose the
 * columns that the pane shows.
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
  for (const [column, bucket] of strip.buckets.entries()) {
    const isUnknown = column < strip.firstColumn;
    append(spans, column === place?.first ? '[' : '', 'dim');
    const tone = isUnknown ? 'dim' : toneOf(bucket, strip.usualErrors);
    append(spans, isUnknown ? unknownGlyph : glyphOf(bucket, marks[column], full, tone), tone);
    append(spans, column === place?.last ? ']' : '', 'dim');
  }
  const {scale, range} = besideStrip(state.columns, strip.isZoomed);
  return [
    ...spans,
    span(place === undefined ? '     ' : '   '),
    ...(scale ? scaleWords(strip, range) : []),
    ...(range ? [span(spanWords(strip, log), 'dim')] : []),
  ];
};

/** Returns `most 70 in 5 s, 31 failed`: what the highest column holds. Padded if something follows. */
const scaleWords = ({bucket, buckets, usualErrors}: Strip, isFollowed: boolean): readonly Span[] => {
  const highest = buckets.reduce((most, each) => (each.lines > most.lines ? each : most));
  const words = `most ${formatCount(highest.lines)} in ${formatBucket(bucket)}`;
  const failed = highest.errors === 0 ? '' : `${formatCount(highest.errors)} failed`;
  const used = words.length + (failed === '' ? 0 : failed.length + 2);
  const pad = isFollowed ? ' '.repeat(Math.max(0, scaleCells - used) + 3) : '';
  return failed === ''
    ? [span(words + pad, 'dim')]
    : [span(`${words}, `, 'dim'), span(failed, toneOf(highest, usualErrors)), span(pad)];
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
  const newest = latestOf(log.sources.map(({tail}) => tail.log.buffer.newestLine?.at)) ?? 0n;
  return `${clock(strip.from)} to ${clock(strip.to < newest ? strip.to : newest)}`;
};
