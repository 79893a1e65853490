import {keyFor} from '#app/keys/keymap.ts';
import type {Frame} from '#app/parts/frame.ts';
import {isFolding, type RowForm, type Saving} from '#app/parts/log-parts.ts';
import {fitRow, headerNameCharsMax, joinParts, messageCharsMax, type Part} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {searchedPattern, type UnreadScan} from '#app/search/patterns.ts';
import {openedRepeats, viewAll} from '#app/state/log-sources.ts';
import type {LogSource, LogState, State} from '#app/state/state.ts';
import {isUnread} from '#app/tail/tail.ts';
import {isStale, selectFailure, worstSource} from '#app/words/connection-words.ts';
import {formatLogTime, formatMoment, isOfOtherDay} from '#app/words/format-time.ts';
import {countLinesFrom} from '#app/words/marker-words.ts';
import {countErrorsFrom} from '#log/overview/find-in-log.ts';
import {cutToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {notLinesWords} from '#log/words/describe-marker.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {isFiltered, paneOf} from './log-pane.ts';
import {countPending, placeAmongHits} from './search.ts';

const queryCharsMax = 100;
const queryCellsMax = 30;

/**
 * Returns the search row: the query, the number of matching lines and which of them the cursor is on. Empty without a
 * search.
 */
export const selectSearch = (log: LogState): ViewRow => {
  const active = searchedPattern(log.use);
  const place = placeAmongHits(log);
  if (active === undefined || place === undefined) {
    return [];
  }
  const query = span(`/${cutToCells(sanitiseWord(active.pattern.query, queryCharsMax), queryCellsMax)}`, 'accent');
  if (active.failure !== undefined) {
    return [query, span('  cancelled', 'bad')];
  }
  const {pending, all} = countPending(log, active.matches);
  const hits =
    place.number === undefined
      ? `  ${formatCount(place.count)} ${place.count === 1 ? 'hit' : 'hits'}`
      : `  ${formatCount(place.number)} of ${formatCount(place.count)}`;
  const hidden =
    place.hiddenCount === 0
      ? ''
      : place.count === 0
        ? `, ${formatCount(place.hiddenCount)} in lines that a filter hides`
        : `, ${formatCount(place.hiddenCount)} hidden`;
  // A poll adds a chunk or two that are searched at once: too little progress to show.
  const isSearching = pending > searchingChunksMin;
  const percent = Math.floor((100 * (all - pending)) / Math.max(1, all));
  return [
    query,
    span(`${hits}${isPartlyRead(log) ? ' in the lines read' : ''}${hidden}`),
    ...(isSearching ? [span(`, searching${active.isSlow ? ' slowly' : ''}, ${percent} %`, 'dim')] : []),
  ];
};

const isPartlyRead = ({sources}: LogState): boolean =>
  sources.some(({tail}) => isUnread(tail, 'earlier') || isUnread(tail, 'later'));

const searchingChunksMin = 20;

/** Returns the state row of the log screen: current problems first, otherwise where the reader is. */
export const selectLogState = (state: State, log: LogState): ViewRow => {
  const {columns} = state;
  const {saving} = log;
  const notice = state.notice === undefined ? undefined : [span(sanitiseWord(state.notice, messageCharsMax), 'busy')];
  const worst = worstSource(state, log);
  const {connection} = worst.tail;
  if (connection.kind === 'failing') {
    return selectFailure(
      state,
      {...connection, message: `${whose(log, worst)}${connection.message}`},
      notice ?? (saving.kind === 'writing' ? savingWords(saving) : undefined),
    );
  }
  if (notice !== undefined) {
    return fitRow([span(' '), ...notice], columns);
  }
  if (saving.kind === 'writing') {
    return selectSaving(saving, columns);
  }
  if (log.scan !== undefined) {
    return selectScan(log.scan, columns);
  }
  return viewAll(log).entryCount === 0
    ? joinParts([{row: selectWaiting(state, log), rank: 0}, selectNotLines(log)], columns)
    : selectPlace(state, log);
};

/** Counts the items of the last answers that are no lines. */
const selectNotLines = ({sources}: LogState): Part => {
  const count = sources.reduce((sum, {tail}) => sum + tail.notLineCount, 0);
  return {row: count === 0 ? [] : [span(notLinesWords(count), 'bad')], rank: 1};
};

/** Says what is waited for while no answer comes; empty if answers come as they should. */
const selectWaiting = (frame: Frame, log: LogState): ViewRow => {
  const worst = worstSource(frame, log);
  const {branch, tail} = worst;
  const {connection} = tail;
  if (connection.kind === 'connecting' && branch.status !== null) {
    return [span(`${whose(log, worst)}waiting for an answer`, 'dim')];
  }
  return connection.kind === 'live' && isStale(connection, frame.nowMs)
    ? [span(`${whose(log, worst)}waiting for an answer since ${formatMoment(frame, connection.nextPollAtMs)}`, 'busy')]
    : [];
};

/** Says that new lines are followed, or why none come. */
const selectFollowing = (frame: Frame, log: LogState): ViewRow => {
  const waiting = selectWaiting(frame, log);
  const {connection} = worstSource(frame, log).tail;
  if (waiting.length > 0) {
    return waiting;
  }
  if (connection.kind === 'ended') {
    return [span('at the last line', 'good')];
  }
  return connection.kind === 'live' && connection.slowedToMs !== undefined
    ? [span('following', 'good'), span(`, next poll at ${formatMoment(frame, connection.nextPollAtMs)}`, 'busy')]
    : [span('following', 'good')];
};

/** Names a branch and counts the other failing ones; empty if there is only one branch. */
const whose = ({sources}: LogState, {branch, tail}: LogSource): string => {
  if (sources.length === 1) {
    return '';
  }
  const failingCount = sources.filter(each => each.tail.connection.kind === 'failing').length;
  const isFailing = tail.connection.kind === 'failing';
  const others = isFailing && failingCount > 1 ? ` (and ${failingCount - 1} more)` : '';
  return `${sanitiseWord(branch.name, headerNameCharsMax)}${others}: `;
};

const selectPlace = (state: State, log: LogState): ViewRow => {
  const pane = paneOf(state, log);
  const {view} = pane;
  const {buffers} = view;
  const evictedCount = buffers.reduce((sum, {evictedLines}) => sum + evictedLines, 0);
  const tooLateCount = buffers.reduce((sum, {tooLateLines}) => sum + tooLateLines, 0);
  const lost: Part = {
    row: evictedCount === 0 ? [] : [span(`${countOf(evictedCount, 'older line')} left the buffer`, 'dim')],
    rank: 3,
  };
  const tooLate: Part = {
    row: tooLateCount === 0 ? [] : [span(`${countOf(tooLateCount, 'line')} too late for the buffer`, 'busy')],
    rank: 2,
  };
  const token: Part = {
    row: state.tokenNotice === undefined ? [] : [span(sanitiseWord(state.tokenNotice, messageCharsMax), 'busy')],
    rank: 4,
  };
  const look: Part = {row: selectLook(state, log), rank: 3};
  const notLines = selectNotLines(log);
  if (log.overlay?.kind === 'incident') {
    // Where the reader is in the log says nothing of what is on the screen.
    return joinParts([notLines, tooLate, lost, token], state.columns);
  }
  const search: Part = {row: selectSearch(log), rank: 1};
  if (log.viewport.kind === 'following') {
    const newest = view.timeAt(view.entryCount - 1);
    const isOld = newest !== undefined && isOfOtherDay(state, newest);
    const day: Part = {row: isOld ? [span(`newest ${formatLogTime(state, newest)}`, 'busy')] : [], rank: 1};
    return joinParts(
      [search, {row: selectFollowing(state, log), rank: 0}, day, notLines, look, tooLate, lost, token],
      state.columns,
    );
  }
  const visible = visibleEntries(log.viewport, view, pane);
  const first = visible[0];
  const bottom = visible.at(-1);
  const below = view.offsetsAt(bottom === undefined ? view.entryCount : bottom.index + 1);
  // With filters, only the lines they keep can be scrolled to.
  const newerCount = isFiltered(log)
    ? view.entryCount - (bottom === undefined ? 0 : bottom.index + 1)
    : buffers.reduce((sum, buffer, source) => sum + countLinesFrom(buffer, below[source] ?? 0), 0);
  const errorCount =
    newerCount === 0 || isFiltered(log)
      ? 0
      : buffers.reduce((sum, buffer, source) => sum + countErrorsFrom(buffer, below[source] ?? 0), 0);
  return joinParts(
    [
      search,
      {row: [span(`paused at ${first === undefined ? '' : formatLogTime(state, first.entry.at)}`, 'busy')], rank: 0},
      notLines,
      {row: selectNewer(newerCount, log), rank: 1},
      {row: errorCount === 0 ? [] : [span(countOf(errorCount, 'error'), 'bad'), span(' among them')], rank: 2},
      look,
      tooLate,
      lost,
      token,
    ],
    state.columns,
    {row: [span(keyFor('goLast', 'log'), 'strong'), span(' follows', 'dim')], rank: 1},
  );
};

/** Counts the lines below, of those that were read. */
const selectNewer = (count: number, log: LogState): ViewRow =>
  log.newest === undefined
    ? count === 0
      ? []
      : [span(`${formatCount(count)} newer below`)]
    : [span(`${formatCount(count)} below, then more`)];

const rowWords: Readonly<Record<RowForm, string>> = {
  'laid-out': 'laid out',
  received: 'as received',
  escaped: 'escaped',
};

/** Lists the display settings that differ from the default. */
const selectLook = ({logSettings}: State, log: LogState): ViewRow => {
  const {look} = log;
  const words = [
    look.rows === logSettings.rows ? '' : rowWords[look.rows],
    look.columns.length > 0 && look.rows === 'laid-out' ? countOf(look.columns.length, 'column') : '',
    look.wraps ? 'wrapped' : '',
    isFolding(look) ? 'folded' : '',
    openedRepeats(log) ? 'repeats folded' : '',
    look.cellsLeft > 0 ? `from column ${formatCount(look.cellsLeft + 1)}` : '',
  ].filter(word => word !== '');
  return words.length === 0 ? [] : [span(words.join(', '), 'accent')];
};

const gb = 1e9;
const mb = 1e6;

/** `4.2 of 10 GB` */
const formatDone = (doneBytes: number, allBytes: number): string => {
  const [unit, word] = allBytes >= gb ? [gb, 'GB'] : [mb, 'MB'];
  const format = (bytes: number): string => (bytes / unit).toFixed(1).replace(/\.0$/, '');
  return `${format(doneBytes)} of ${format(allBytes)} ${word}`;
};

/** Returns the state row while what was not read is searched. */
const selectScan = ({progress}: UnreadScan, columns: number): ViewRow =>
  joinParts(
    [
      {
        row: [span(progress ? `searching ${sanitiseWord(progress.name, pathCharsMax)}` : 'searching', 'accent')],
        rank: 1,
      },
      {row: progress ? [span(formatDone(progress.doneBytes, progress.allBytes))] : [], rank: 0},
    ],
    columns,
    {row: [span(keyFor('back', 'log'), 'strong'), span(' cancels', 'dim')], rank: 1},
  );

const pathCharsMax = 300;

type Writing = Extract<Saving, {readonly kind: 'writing'}>;

/** Says how much of a file is saved. */
const savingWords = ({share}: Writing): ViewRow => [span('saving', 'accent'), span(` ${Math.floor(share * 100)} %`)];

/** Returns the state row while a file is being saved. */
const selectSaving = (saving: Writing, columns: number): ViewRow =>
  joinParts(
    [
      {row: savingWords(saving), rank: 0},
      {row: [span(sanitiseWord(saving.path, pathCharsMax))], rank: 2},
    ],
    columns,
    {row: [span(keyFor('back', 'log'), 'strong'), span(' cancels', 'dim')], rank: 1},
  );
