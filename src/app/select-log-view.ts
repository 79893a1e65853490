import {entryAt, indexAtOrAfter} from '../log/buffer.ts';
import {countErrorsAfter} from '../log/error-lines.ts';
import {formatClock, type Instant} from '../log/instant.ts';
import {sanitiseWord} from '../log/sanitise.ts';
import {blockFor, plotStrip} from '../log/strip.ts';
import {topIndex, visibleEntries} from '../log/viewport.ts';
import {countLinesFrom} from './count-lines.ts';
import {fitRow, joinParts, type Part, rowWidth} from './fit-row.ts';
import {countOf, formatCount, formatMoment} from './format-time.ts';
import {formatEntry} from './log-rows.ts';
import {selectFailure} from './select-failure.ts';
import {selectHints} from './select-hints.ts';
import {siteLabel} from './site-choices.ts';
import {type LogState, paneRows, type State} from './state.ts';
import type {ScreenView} from './view.ts';
import {type Span, span, type ViewRow} from './view-row.ts';
import {wrapProse} from './wrap-prose.ts';

const nameCharsMax = 60;
const messageCharsMax = 500;
const minute: Instant = 60_000_000_000n;

/** The log screen. */
export const selectLogView = (state: State, log: LogState): ScreenView => {
  const {columns} = state;
  const rows = paneRows(state);
  const {buffer} = log.tail.log;
  return {
    header: selectHeader(state, log),
    second: fitRow(selectStrip(log, columns), columns),
    pane: {
      kind: 'rows',
      rows:
        buffer.entryCount === 0
          ? [[], ...selectEmpty(log).flatMap(row => wrapProse(row, columns))]
          : visibleEntries(log.viewport, buffer, rows).map(entry => formatEntry(entry, columns)),
    },
    paneRows: rows,
    state: selectState(state, log),
    hints: selectHints('log', columns),
  };
};

const selectHeader = (state: State, log: LogState): ViewRow => {
  const {tail} = log;
  const podCount = tail.log.pods.length;
  const connection = connectionPart(state, log);
  return joinParts(
    [
      {row: selectPlaceName(state, log, state.columns - rowWidth(connection.row) - 5), rank: 0},
      {row: tail.log.before === undefined ? [] : [span(countOf(podCount, 'pod'))], rank: 4},
      connection,
      lastGoodPart(state, log),
      wholePart(log),
    ],
    state.columns,
    ratePart(state, log),
  );
};

const placeColumnsMin = 8;

/** Site and branch. Where there is no room the name is cut: whether the log can be trusted must stay in sight beside it. */
const selectPlaceName = ({sites}: State, {siteId, branch}: LogState, columns: number): ViewRow => {
  const site = sanitiseWord(siteLabel(sites, siteId), nameCharsMax);
  const place = [span(`${site} › `, 'accent'), span(sanitiseWord(branch.name, nameCharsMax), 'strong')];
  return rowWidth(place) <= columns ? place : fitRow(place, Math.max(placeColumnsMin, columns));
};

const connectionPart = (state: State, {tail, branch}: LogState): Part => {
  if (branch.status === null) {
    return {row: [span('not built out', 'dim')], rank: 1};
  }
  const {connection} = tail;
  switch (connection.kind) {
    case 'connecting':
      return {row: [span('connecting…', 'dim')], rank: 1};
    case 'live':
      return {row: [span('live', 'good'), span(` ${formatMoment(state, connection.lastGoodAtMs)}`, 'dim')], rank: 1};
    case 'failing':
      return {row: [span(`failing since ${formatMoment(state, connection.sinceMs)}`, 'bad')], rank: 1};
    default:
      return connection satisfies never;
  }
};

const lastGoodPart = (state: State, {tail: {connection}}: LogState): Part => ({
  row:
    connection.kind === 'failing' && connection.lastGoodAtMs !== undefined
      ? [span(`last good ${formatMoment(state, connection.lastGoodAtMs)}`, 'dim')]
      : [],
  rank: 2,
});

const wholePart = ({tail}: LogState): Part => {
  const {wholeSince, gapCount} = tail.log;
  if (wholeSince === undefined) {
    return {row: [], rank: 2};
  }
  const since = `whole since ${formatClock(wholeSince)}`;
  return gapCount === 0
    ? {row: [span(since)], rank: 2}
    : {row: [span(countOf(gapCount, 'gap'), 'busy'), span(`, ${since}`)], rank: 2};
};

const ratePart = ({nowMs}: State, {tail}: LogState): Part => {
  const {buffer} = tail.log;
  const newest = buffer.newestLine?.at;
  if (newest === undefined || tail.lastNewLineAtMs === undefined) {
    return {row: [], rank: 3};
  }
  // Told by the log's own timestamps: the clocks of pods and service need not agree.
  return nowMs - tail.lastNewLineAtMs > 60_000
    ? {row: [span(`quiet since ${formatClock(newest)}`, 'dim')], rank: 3}
    : {
        row: [
          span(`${formatCount(countLinesFrom(buffer, indexAtOrAfter(buffer, newest - minute + 1n)))} lines/min`, 'dim'),
        ],
        rank: 3,
      };
};

const selectStrip = ({tail}: LogState, columns: number): ViewRow => {
  const strip = plotStrip(tail.log.buffer, columns - 20);
  if (strip === undefined || columns < 40) {
    return [];
  }
  const largest = Math.max(...strip.buckets.map(bucket => bucket.lines));
  const spans: Span[] = [span(' ')];
  for (const {lines, errors} of strip.buckets) {
    const block = blockFor(lines, largest);
    const tone = errors > 0 ? 'bad' : 'dim';
    const last = spans.at(-1);
    if (last?.tone === tone) {
      spans[spans.length - 1] = span(last.text + block, tone);
    } else {
      spans.push(span(block, tone));
    }
  }
  const clock = (at: Instant): string => formatClock(at).slice(0, 5);
  return [...spans, span(`   ${clock(strip.from)} to ${clock(strip.to)}`, 'dim')];
};

const selectEmpty = ({branch, tail}: LogState): readonly ViewRow[] => {
  if (branch.status === null) {
    return [
      [span('This branch is not built out: it has no log yet.')],
      [span('Press '), span('Esc', 'strong'), span(' to go back to the branches.')],
    ];
  }
  switch (tail.connection.kind) {
    case 'connecting':
      return [[span('Asking the service for the log…', 'dim')]];
    case 'live':
      return [[span('The log has no lines yet. They appear here as they come.')]];
    case 'failing':
      return [[span('No lines to show: the service has not answered with any yet. The reason stands below.')]];
    default:
      return tail.connection satisfies never;
  }
};

/** What is wrong now comes first, then where the reader is. */
const selectState = (state: State, log: LogState): ViewRow => {
  const {connection} = log.tail;
  if (state.notice !== undefined) {
    return fitRow([span(` ${sanitiseWord(state.notice, messageCharsMax)}`, 'busy')], state.columns);
  }
  if (connection.kind === 'failing') {
    return selectFailure(state, connection);
  }
  return log.tail.log.buffer.entryCount === 0 ? fitRow([], state.columns) : selectPlace(state, log);
};

const selectPlace = (state: State, {tail, viewport}: LogState): ViewRow => {
  const {buffer, horizon} = tail.log;
  const rows = paneRows(state);
  const lost: Part = {
    row:
      buffer.evictedLines === 0 ? [] : [span(`${countOf(buffer.evictedLines, 'older line')} left the buffer`, 'dim')],
    rank: 3,
  };
  const tooLate: Part = {
    row:
      buffer.tooLateLines === 0
        ? []
        : [span(`${countOf(buffer.tooLateLines, 'line')} too late for the buffer`, 'busy')],
    rank: 2,
  };
  const token: Part = {
    row: state.tokenNotice === undefined ? [] : [span(sanitiseWord(state.tokenNotice, messageCharsMax), 'busy')],
    rank: 4,
  };
  if (viewport.kind === 'following') {
    return joinParts([{row: [span('following', 'good')], rank: 0}, tooLate, lost, token], state.columns);
  }
  const top = topIndex(viewport, buffer, rows);
  const bottom = entryAt(buffer, Math.min(buffer.entryCount, top + rows) - 1);
  const newerCount = countLinesFrom(buffer, top + rows);
  const errorCount = newerCount === 0 || bottom === undefined ? 0 : countErrorsAfter(buffer, bottom.at);
  const topAt = entryAt(buffer, top)?.at;
  const oldest =
    top === 0 && horizon !== undefined && buffer.evictedLines === 0
      ? [span(`the service held nothing older than ${formatClock(horizon)}`, 'dim')]
      : [];
  return joinParts(
    [
      {row: [span(`paused at ${topAt === undefined ? '' : formatClock(topAt)}`, 'busy')], rank: 0},
      {row: newerCount === 0 ? [] : [span(`${formatCount(newerCount)} newer below`)], rank: 1},
      {row: errorCount === 0 ? [] : [span(countOf(errorCount, 'error'), 'bad'), span(' among them')], rank: 2},
      {row: oldest, rank: 3},
      tooLate,
      lost,
      token,
    ],
    state.columns,
    {row: [span('End', 'strong'), span(' follows', 'dim')], rank: 1},
  );
};
