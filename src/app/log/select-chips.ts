import {keyFor} from '#app/keys/keymap.ts';
import type {Frame, ServiceClock} from '#app/parts/frame.ts';
import {fitsParts, joinParts, type Part} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {type Filter, findPattern} from '#app/search/patterns.ts';
import type {LogState} from '#app/state/state.ts';
import {formatLogTime} from '#app/words/format-time.ts';
import type {SourceName} from '#log/line/entry.ts';
import {cutToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import type {TimeRange} from '#log/tokens/time-words.ts';
import {hiddenBy} from '#log/view/sources.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {countMatching, countShown} from './apply-filters.ts';
import {listSources, tagsOf} from './log-sources-pane.ts';

const queryCharsMax = 100;
const chipCellsMax = 30;

/** Returns the row of active filters, with the number of lines they keep. */
export const selectChips = (state: Frame, log: LogState): ViewRow => {
  const {columns} = state;
  const {wordsOf} = tagsOf(state, log);
  const hasNumbers = log.use.filters.length > 1;
  const chipsWith = (hasCounts: boolean): readonly Part[] =>
    log.use.filters.map((filter, index) => ({
      // Numbers matter only if there is a choice.
      row: [...(hasNumbers ? [span(`${index + 1} `, 'dim')] : []), ...selectFilter(log, filter, hasCounts)],
      rank: 3 + index,
    }));
  const level: Part = {
    row: log.minimumLevel === 'none' ? [] : [span('≥ ', 'accent'), span(log.minimumLevel, 'strong')],
    rank: 2,
  };
  const context: Part = {
    row: log.contextLines === 0 ? [] : [span('± ', 'accent'), span(countOf(log.contextLines, 'line'))],
    rank: 40,
  };
  const pick = pickWords(log, wordsOf);
  const picked: Part = {row: pick === '' ? [] : [span(pick, 'strong')], rank: 2};
  const range: Part = {row: log.range === undefined ? [] : [span(rangeWords(state, log.range), 'strong')], rank: 2};
  const {shown, held, pending} = countShown(log);
  const counts = `${formatCount(shown)} of ${formatCount(held)}${pending > 0 ? ', more to come' : ''}`;
  const isOff = log.areFiltersOff === true;
  const rowWith = (chips: readonly Part[]): readonly Part[] => [
    isOff ? {row: [span('filters off', 'busy')], rank: 0} : {row: [span('filter', 'dim')], rank: 41},
    level,
    picked,
    range,
    ...chips,
    context,
    {row: [span(counts, 'dim')], rank: 1},
  ];
  const [key, words] = isOff
    ? ([keyFor('toggleFilters', 'log'), 'switches on'] as const)
    : ([keyFor('removeFilter', 'log'), 'removes'] as const);
  const right: Part = {row: [span(key, 'strong'), span(` ${words}`, 'dim')], rank: isOff ? 1 : 39};
  const whole = rowWith(chipsWith(hasNumbers));
  return joinParts(fitsParts([...whole, right], columns) ? whole : rowWith(chipsWith(false)), columns, right);
};

/** Returns a filter: its sign, its pattern, and how many lines it matches, or that it is off. */
export const selectFilter = (log: LogState, filter: Filter, hasCount: boolean): ViewRow => {
  const active = findPattern(log.use, filter.patternId);
  const query = cutToCells(sanitiseWord(active?.pattern.query ?? '', queryCharsMax), chipCellsMax);
  const isOff = filter.isOff === true;
  const count = hasCount && active !== undefined ? ` (${formatCount(countMatching(log, active.matches))})` : '';
  return [
    span(`${filter.kind === 'include' ? '+' : '−'} `, isOff ? 'dim' : 'accent'),
    span(query, isOff ? 'dim' : active?.failure === undefined ? 'strong' : 'bad'),
    span(isOff ? ' off' : count, 'dim'),
  ];
};

/** `14:02:00 to 14:05:00`, `from 14:02:00`, `to 14:05:00` */
export const rangeWords = (state: ServiceClock, {from, to}: TimeRange): string => {
  const end = to === undefined ? '' : `to ${formatLogTime(state, to)}`;
  return from === undefined
    ? end
    : to === undefined
      ? `from ${formatLogTime(state, from)}`
      : `${formatLogTime(state, from)} ${end}`;
};

/** `only web-1 php`, `without web-2`, `only 2 of 6 sources`; empty if all sources are shown. */
export const pickWords = (log: LogState, wordsOf: (name: SourceName) => string): string => {
  const {sourcePick} = log;
  if (sourcePick === undefined) {
    return '';
  }
  const {kind, names} = sourcePick;
  const [only] = names;
  const lead = kind === 'only' ? 'only' : 'without';
  if (only !== undefined && names.length === 1) {
    return `${lead} ${wordsOf(only) || 'unnamed sources'}`;
  }
  const listed = listSources(log);
  const isHidden = hiddenBy(sourcePick);
  const count = listed.filter(({name}) => isHidden(name) === (kind === 'hide')).length;
  return `${lead} ${formatCount(count)} of ${formatCount(listed.length)} sources`;
};
