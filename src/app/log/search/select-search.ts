import {span, type ViewRow} from '#app/rows/view-row.ts';
import {searchedPattern} from '#app/search/patterns.ts';
import type {LogState} from '#app/state/state.ts';
import {isUnread} from '#app/tail/has-unread.ts';
import {cutToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {formatCount} from '#log/words/format-count.ts';
import {countPending, placeAmongHits} from '../search.ts';

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
