import {type Hint, selectHints, selectPickHints, selectSearchHints} from '#app/help/select-hints.ts';
import {type Command, keyFor} from '#app/keys/keymap.ts';
import type {Frame} from '#app/parts/frame.ts';
import {fitRow, nameCharsMax, wrapProse} from '#app/rows/fit-row.ts';
import {type ScreenView, type Span, span, type Tone, type ViewRow} from '#app/rows/view-row.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {partWord} from '#app/words/branch-labels.ts';
import {worstSource} from '#app/words/connection-words.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import {formatClock, type Instant, latestOf} from '#log/line/instant.ts';
import {countErrorsFrom, findError} from '#log/overview/find-in-log.ts';
import {blockFor, columnAt, excessOf, fullBlockFor, type Strip, type StripBucket} from '#log/overview/strip.ts';
import type {StripMark} from '#log/overview/strip-marks.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {countShown, isAllHidden} from './apply-filters.ts';
import {besideStrip, findPeakBeside, formatBucket, scaleCells, stripOf} from './jumps/strip-keys.ts';
import {troubleRows} from './list-pods.ts';
import {isFiltered, paneOf} from './log-pane.ts';
import {tagsOf} from './log-sources-pane.ts';
import {selectOverlay} from './overlay.ts';
import {readerIndex} from './picking.ts';
import {selectChips} from './select-chips.ts';
import {selectPickedLines} from './select-lines.ts';
import {selectLogHeader} from './select-log-header.ts';
import {selectLogState} from './select-log-state.ts';

/**
 * The glyphs of a column with a mark. A gap hides how many lines there were, and any other marker matters more than
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
export const selectLogStrip = (frame: Frame, log: LogState): ViewRow => {
  const shown = stripOf(frame, log);
  if (shown === undefined) {
    return [];
  }
  const {strip, marks} = shown;
  const place = placeOf(frame, log, strip);
  const full = fullBlockFor(Math.max(...strip.buckets.map(({lines}) => lines)));
  const spans: Span[] = [span(' ')];
  for (const [column, bucket] of strip.buckets.entries()) {
    const isUnknown = column < strip.firstColumn;
    append(spans, column === place?.first ? '[' : '', 'dim');
    const tone = isUnknown ? 'dim' : toneOf(bucket, strip.usualErrors);
    append(spans, isUnknown ? unknownGlyph : glyphOf(bucket, marks[column], full, tone), tone);
    append(spans, column === place?.last ? ']' : '', 'dim');
  }
  const {scale, range} = besideStrip(frame.columns, strip.isZoomed);
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
  frame: Frame,
  log: LogState,
  strip: Strip,
): {readonly first: number; readonly last: number} | undefined => {
  const pane = paneOf(frame, log);
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

/** Returns the view of the log screen. */
export const selectLogView = (state: State, log: LogState): ScreenView => {
  const {columns} = state;
  const over = log.overlay === undefined ? undefined : selectOverlay(state, log, log.overlay);
  return {
    header: selectLogHeader(state, log),
    second: fitRow(selectLogStrip(state, log), columns),
    pane: over?.pane ?? {kind: 'rows', rows: selectPane(state, log)},
    paneRows: paneRows(state),
    state: selectLogState(state, log),
    hints: over?.hints ?? selectLogHints(state, log),
  };
};

const selectPane = (frame: Frame, log: LogState): readonly ViewRow[] =>
  viewAll(log).entryCount === 0
    ? [[], ...selectEmpty(frame, log).flatMap(row => wrapProse(row, frame.columns))]
    : withChips(frame, log, selectPickedLines(frame, log));

/** Adds the row of filters as the last row of the pane while filters are active. */
const withChips = (frame: Frame, log: LogState, lines: readonly ViewRow[]): readonly ViewRow[] => {
  if (!isFiltered(log)) {
    return lines;
  }
  const rows = Math.max(1, paneRows(frame) - 1);
  const blank = Array.from({length: Math.max(0, rows - lines.length)}, (): ViewRow => []);
  const hidden = isAllHidden(log) ? selectAllHidden(log, frame.columns).slice(0, rows) : [];
  const above = hidden.length === 0 ? lines : lines.slice(0, rows - hidden.length);
  return [...above, ...hidden, ...blank].slice(0, rows).concat([selectChips(frame, log)]);
};

/** Says that the filters hide every line, below the markers: remembered filters are easily forgotten. */
const selectAllHidden = (log: LogState, columns: number): readonly ViewRow[] => {
  const {held} = countShown(log);
  const what = hidingWords(log);
  return [
    [],
    ...wrapProse([span(held === 1 ? `${what} the only line.` : `${what} all ${countOf(held, 'line')}.`)], columns),
    ...wrapProse(
      [span('Press '), span(keyFor('removeFilters', 'log'), 'strong'), span(' to show all lines.')],
      columns,
    ),
  ];
};

const hidingWords = ({use, minimumLevel, sourcePick, range}: LogState): string => {
  const hiding = [
    ...use.filters.map(() => 'The filter hides'),
    ...(minimumLevel === 'none' ? [] : [`The minimum level ${minimumLevel} hides`]),
    ...(sourcePick === undefined ? [] : ['The choice of sources hides']),
    ...(range === undefined ? [] : ['The range of time hides']),
  ];
  return (hiding.length === 1 ? hiding[0] : undefined) ?? 'The filters hide';
};

const selectEmpty = (frame: Frame, log: LogState): readonly ViewRow[] => {
  const {branch, tail} = worstSource(frame, log);
  const look = describeStatus(branch.status);
  if (branch.status === null) {
    return [
      [span('This branch is not built out: it has no log yet.')],
      [span('Press '), span(keyFor('back', 'log'), 'strong'), span(' to go back to the branches.')],
    ];
  }
  switch (tail.connection.kind) {
    case 'connecting':
      return [[span(frame.context.parts === 'none' ? 'Reading the log…' : 'Asking the service for the log…', 'dim')]];
    case 'live':
      if (frame.context.parts === 'none') {
        return [[span('The log has no lines yet. New lines appear here.')]];
      }
      return branch.troubles.length === 0
        ? [
            [span('The log has no lines yet. New lines appear here.')],
            [
              span('The branch is: '),
              span(sanitiseWord(look.words, nameCharsMax), look.tone),
              span(tail.log.pods.length === 0 ? `. No ${partWord(frame.context)}s are live.` : '.'),
            ],
          ]
        : [[span('The log has no lines yet. What keeps its pods from working:')], ...troubleRows(branch)];
    case 'failing':
      return [[span('No lines yet. The reason is shown below.')]];
    case 'ended':
      return [[span('The recording has no lines for this log.')]];
    default:
      return tail.connection satisfies never;
  }
};

/** Returns the key hints for the current activity: picking, searching or reading. */
const selectLogHints = (frame: Frame, log: LogState): ViewRow => {
  const {columns} = frame;
  if (log.cursor?.kind === 'picking') {
    return selectPickHints(columns);
  }
  return log.use.search.kind === 'none'
    ? selectHints(
        'log',
        columns,
        hintsNow(frame, log),
        hintFor(tagsOf(frame, log).columns > 0 ? ['toggleSources'] : [], 'sources'),
        log.cameFrom !== undefined || (frame.context.parts === 'none' && log.newest === undefined) ? 'none' : 'back',
      )
    : selectSearchHints(columns);
};

/** With this many errors, counting them by kind is quicker than reading them. */
const errorsToSumUp = 11;

/** Returns hints for what the log holds: errors and peaks before and after the reader, and many errors. */
const hintsNow = (frame: Frame, log: LogState): readonly Hint[] => {
  const pane = paneOf(frame, log);
  const {buffers} = pane.view;
  const errorCount = log.kept.errorCount.answer(buffers, () =>
    buffers.reduce((sum, buffer) => sum + countErrorsFrom(buffer, 0), 0),
  );
  const fromIndex = readerIndex(log, pane);
  const has = (direction: 'next' | 'previous'): boolean =>
    errorCount > 0 && findError(pane.view, {fromIndex, direction}) !== undefined;
  const errors = commandsFor(['previousError', 'nextError'], has('previous'), has('next'));
  const peaks = commandsFor(
    ['previousPeak', 'nextPeak'],
    findPeakBeside(frame, log, -1) !== undefined,
    findPeakBeside(frame, log, 1) !== undefined,
  );
  return [
    ...hintFor(log.cameFrom === undefined ? [] : ['back'], `to the ${log.cameFrom?.kind}`),
    ...hintFor(pane.view.entryCount === 0 ? [] : ['toggleIncident'], 'what happened'),
    ...hintFor(
      errors,
      log.viewport.kind === 'following' ? 'last error' : 'error',
      errors.length === 2 ? ['↑', '↓'] : [],
    ),
    ...hintFor(peaks, 'peak'),
    ...hintFor(errorCount < errorsToSumUp ? [] : ['toggleSummary'], 'sum up'),
  ];
};

const commandsFor = (
  [previous, next]: readonly [Command, Command],
  hasPrevious: boolean,
  hasNext: boolean,
): readonly Command[] => [...(hasPrevious ? [previous] : []), ...(hasNext ? [next] : [])];

const hintFor = (commands: readonly Command[], words: string, signs: readonly string[] = []): readonly Hint[] =>
  commands.length === 0 ? [] : [[commands, words, signs]];
