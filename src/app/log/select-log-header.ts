import {siteLabel} from '#app/choices/site-choices.ts';
import type {Frame} from '#app/parts/frame.ts';
import {fitRow, headerNameCharsMax, joinParts, messageCharsMax, type Part, rowWidth} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {arrivalsFromOf} from '#app/state/log-sources.ts';
import type {LogSource, LogState, State} from '#app/state/state.ts';
import {partWord} from '#app/words/branch-labels.ts';
import {connectionWord, selectRemarks, selectTokenPart, worstSource} from '#app/words/connection-words.ts';
import {isTroubled, worstTroubleWords} from '#app/words/describe-status.ts';
import {formatLength, formatLogTime, formatMoment, serviceNowMs} from '#app/words/format-time.ts';
import {countLinesFrom} from '#app/words/marker-words.ts';
import {indexAtOrAfter} from '#log/buffer/buffer.ts';
import {type Instant, instantToMs, latestOf} from '#log/line/instant.ts';
import {weakestProof} from '#log/line/proof.ts';
import {cutToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {unreadableWords} from '#log/words/describe-marker.ts';
import {countOf} from '#log/words/format-count.ts';
import {sinceWord} from '#log/words/proof-words.ts';
import {findingWatchWords} from './incident/incident-items.ts';

const minute: Instant = 60_000_000_000n;
/** Names at most this many branches and counts the others: the connection state beside them must stay visible. */
const namedMax = 2;
const placeColumnsMin = 8;
/** Room for `2 of 4 pods unreadable`; the rest of the row tells why, as far as it fits. */
const unreadableColumnsMin = 24;

/**
 * Returns the first row of the log screen: site and branches, connection, and since when the log is whole or
 * joined. Of several branches, the worst connection is shown.
 */
export const selectLogHeader = (state: State, log: LogState): ViewRow => {
  const connection = connectionPart(state, log);
  const token = selectTokenPart(state);
  const remarks = selectRemarks(state);
  const remarkColumns = remarks.reduce((sum, {row}) => sum + rowWidth(row) + 3, 0);
  // Names give way to what is urgent.
  const urgentColumns =
    remarkColumns + rowWidth(connection.row) + (token.rank <= connection.rank ? rowWidth(token.row) + 3 : 0);
  const tails = log.sources.map(({tail}) => tail);
  const podCount = tails.reduce((sum, tail) => sum + tail.log.pods.length, 0);
  const hasPods = state.context.parts !== 'none' && tails.some(tail => tail.log.before !== undefined);
  return joinParts(
    [
      {row: selectPlaceName(state, log, state.columns - urgentColumns - 5), rank: 0},
      {row: hasPods ? [span(countOf(podCount, partWord(state.context)))] : [], rank: 5},
      connection,
      ...remarks,
      selectUnreadable(state, log),
      selectTroubles(state, log),
      selectWatched(state, log),
      token,
      lastGoodPart(state, log),
      silentPart(log),
      {row: arrivalsFromOf(log) === undefined ? [] : [span('times of arrival', 'dim')], rank: 2},
      log.sources.length === 1 ? sincePart(state, log.sources[0]) : sincePartOfAll(state, log.sources),
    ],
    state.columns,
    ratePart(state, log),
  );
};

const nameOf = ({branch}: LogSource): string => sanitiseWord(branch.name, headerNameCharsMax);

/** Returns the first names, and the number of the others as ` +3`. */
const listNames = (
  sources: readonly LogSource[],
  namedCount = namedMax,
): {readonly names: string; readonly others: string} => ({
  names: sources.slice(0, namedCount).map(nameOf).join(', '),
  others: sources.length > namedCount ? ` +${sources.length - namedCount}` : '',
});

/**
 * Returns site and branches. If the room is short it names fewer branches and cuts the last name: whether the log can
 * be trusted must stay visible beside it.
 */
const selectPlaceName = ({sites}: State, {siteId, sources}: LogState, columns: number): ViewRow => {
  const site = sanitiseWord(siteLabel(sites, siteId), headerNameCharsMax);
  const placeOf = (namedCount: number): ViewRow => {
    const {names, others} = listNames(sources, namedCount);
    return [span(`${site} › `, 'accent'), span(names, 'strong'), ...(others === '' ? [] : [span(others)])];
  };
  for (let namedCount = Math.min(namedMax, sources.length); namedCount > 0; namedCount--) {
    const place = placeOf(namedCount);
    if (rowWidth(place) <= columns) {
      return place;
    }
  }
  return fitRow(placeOf(1), Math.max(placeColumnsMin, columns));
};

/** Names the branch whose connection is shown; empty if there is only one branch. */
const whose = ({sources}: LogState, source: LogSource): string => (sources.length === 1 ? '' : `${nameOf(source)} `);

const connectionPart = (frame: Frame, log: LogState): Part => {
  const worst = worstSource(frame, log);
  const {connection} = worst.tail;
  if (worst.branch.status === null) {
    return {row: [span('not built out', 'dim')], rank: 1};
  }
  if (frame.context.saved && connection.kind !== 'failing') {
    return {row: [span('handed over', 'accent')], rank: 1};
  }
  if (log.newest !== undefined && connection.kind === 'live') {
    return {row: [span('part', 'accent')], rank: 1};
  }
  switch (connection.kind) {
    case 'connecting':
      return {row: [span(`${whose(log, worst)}connecting…`, 'dim')], rank: 1};
    case 'live':
    case 'failing': {
      const word = connectionWord(frame, connection);
      return {row: word.tone === 'good' ? [word] : [{...word, text: `${whose(log, worst)}${word.text}`}], rank: 1};
    }
    case 'ended':
      return {row: [span('end of the recording', 'accent')], rank: 1};
    default:
      return connection satisfies never;
  }
};

/** Says which pods cannot be read: a log of the others is not all there is. */
const selectUnreadable = (frame: Frame, log: LogState): Part => {
  const source = log.sources.find(({tail}) => tail.unreadable && tail.connection.kind === 'live');
  if (source?.tail.unreadable === undefined) {
    return {row: [], rank: 1};
  }
  const words = `${whose(log, source)}${sanitiseWord(unreadableWords(source.tail.unreadable, partWord(frame.context)), messageCharsMax)}`;
  const columns = Math.max(unreadableColumnsMin, Math.floor(frame.columns / 2));
  return {row: [span(cutToCells(words, columns), 'bad')], rank: 1};
};

/** Says what is worst about the branches: a log may be quiet because nothing can start. */
const selectTroubles = (frame: Frame, log: LogState): Part => {
  const source = log.sources.find(({branch}) => isTroubled(branch));
  if (source === undefined) {
    return {row: [], rank: 1};
  }
  const words = `${whose(log, source)}${sanitiseWord(worstTroubleWords(source.branch), messageCharsMax)}`;
  return {
    row: [span(cutToCells(words, Math.max(unreadableColumnsMin, Math.floor(frame.columns / 3))), 'bad')],
    rank: 1,
  };
};

/** Says whether a finding that is watched stopped. */
const selectWatched = (frame: Frame, log: LogState): Part => {
  const watched = findingWatchWords(frame, log);
  const name = cutToCells(log.findingWatch?.name ?? '', Math.max(placeColumnsMin, Math.floor(frame.columns / 5)));
  return {row: watched === undefined ? [] : [span(`${name}: `), span(watched.words, watched.tone)], rank: 1};
};

const lastGoodPart = (frame: Frame, log: LogState): Part => {
  const {connection} = worstSource(frame, log).tail;
  return {
    row:
      connection.kind === 'failing' && connection.lastGoodAtMs !== undefined
        ? [span(`last good ${formatMoment(frame, connection.lastGoodAtMs)}`, 'dim')]
        : [],
    rank: 2,
  };
};

/** Says whose log never had a line: that it is live does not mean that anything writes to it. */
const silentPart = ({sources}: LogState): Part => {
  const silent = sources.filter(
    ({tail: {connection, log}}) =>
      connection.kind === 'live' && log.before !== undefined && log.buffer.newestLine === undefined,
  );
  const {names, others} = listNames(silent);
  const words = sources.length === 1 ? 'no line has come yet' : `no line from ${names}${others} yet`;
  return {row: silent.length === 0 ? [] : [span(words, 'busy')], rank: 2};
};

const sincePart = (frame: Frame, {tail}: LogSource): Part => {
  const {wholeSince, gapCount, proof, heldTo} = tail.log;
  if (wholeSince === undefined) {
    return {row: [], rank: 2};
  }
  const begin = formatLogTime(frame, wholeSince);
  const since = heldTo
    ? `${sinceWord(proof)} ${begin} to ${formatLogTime(frame, heldTo.at)}`
    : `${sinceWord(proof)} since ${begin}`;
  return gapCount === 0
    ? {row: [span(since)], rank: 2}
    : {row: [span(countOf(gapCount, 'gap'), 'busy'), span(`, ${since}`)], rank: 2};
};

/**
 * Returns the time from which all branches are whole or joined: the latest of their starts. If any has gaps, names
 * those with gaps instead.
 */
const sincePartOfAll = (frame: Frame, sources: readonly LogSource[]): Part => {
  const broken = sources.filter(({tail}) => tail.log.gapCount > 0);
  if (broken.length > 0) {
    const gapCount = broken.reduce((sum, {tail}) => sum + tail.log.gapCount, 0);
    const {names, others} = listNames(broken);
    return {row: [span(`${countOf(gapCount, 'gap')} in ${names}${others}`, 'busy')], rank: 2};
  }
  const logs = sources.map(({tail}) => tail.log);
  const times = logs.map(({wholeSince}) => wholeSince);
  const since = latestOf(times);
  if (since === undefined || times.includes(undefined)) {
    return {row: [], rank: 2};
  }
  const word = sinceWord(weakestProof(logs.map(({proof}) => proof)));
  return {row: [span(`${word} since ${formatLogTime(frame, since)}`)], rank: 2};
};

const ratePart = (frame: Frame, log: LogState): Part => {
  const {sources} = log;
  const arrivalsFrom = arrivalsFromOf(log);
  const buffers = sources.map(({tail}) => tail.log.buffer);
  const newest = latestOf(buffers.map(buffer => buffer.newestLine?.at));
  // How fast lines came that were there already, nobody knows.
  if (newest === undefined || (arrivalsFrom !== undefined && newest <= arrivalsFrom)) {
    return {row: [], rank: 3};
  }
  const ageMs = serviceNowMs(frame) - instantToMs(newest);
  const newAtMs = sources.flatMap(({tail}) => tail.lastNewLineAtMs ?? []);
  // Arrivals are counted by our clock, as those of the pods and of the service need not agree. Before any, the newest
  // line's own time is all there is.
  const quietMs = newAtMs.length === 0 ? ageMs : frame.nowMs - Math.max(...newAtMs);
  if (quietMs > 60_000) {
    // In hours only: a shorter time would redraw the row every minute.
    const length = ageMs < 3_600_000 ? '' : `, ${formatLength(ageMs)}`;
    return {row: [span(`quiet since ${formatLogTime(frame, newest)}${length}`, 'dim')], rank: 3};
  }
  const from = latestOf([newest - minute, arrivalsFrom]) ?? newest;
  const lineCount = buffers.reduce((sum, buffer) => sum + countLinesFrom(buffer, indexAtOrAfter(buffer, from + 1n)), 0);
  return {row: [span(`${countOf(lineCount, 'line')}/min`, 'dim')], rank: 3};
};
