import type {ListPane, ListRow} from '#app/choices/list-pane.ts';
import {type Hint, hintsOfLists} from '#app/help/select-hints.ts';
import {keyFor} from '#app/keys/keymap.ts';
import {selectedRow} from '#app/list-pane/list-place.ts';
import {joinParts} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {messageCharsMax} from '#app/rows/word-limits.ts';
import {findPattern} from '#app/search/patterns.ts';
import type {FiltersPane, LogState, State} from '#app/state/state.ts';
import {filterNameCharsMax} from '#base/bounds.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {type FilterItem, listFilterItems} from './filters/filter-items.ts';
import {isInUse} from './filters/keep-filters.ts';
import {countMatching, countShown} from './search/count-shown.ts';
import {pickWords, rangeWords} from './select-chips.ts';
import {tagsOf} from './sources/tag-lines.ts';

/** Returns the pane of the filters: those in use with what each does, and those kept by a name. */
export const listFiltersPane = (state: State, log: LogState): ListPane => {
  const {columns} = state;
  const items = listFilterItems(state, log);
  const {shown, held} = countShown(log);
  const nameColumns = Math.min(filterNameCharsMax, Math.max(12, Math.floor(columns / 3)));
  const rowOf = (item: FilterItem): ListRow => ({
    key: item.key,
    row: () => {
      const {isOn, name, says} = wordsOf(state, log, item);
      return [
        span(isOn ? '● ' : '○ ', isOn ? 'good' : 'dim'),
        span(padToCells(cutToCells(name, nameColumns), nameColumns), isOn ? 'strong' : 'plain'),
        span(`  ${says}`, 'dim'),
      ];
    },
  });
  const [inUse, named] = [items.filter(({kind}) => kind !== 'named'), items.filter(({kind}) => kind === 'named')];
  return {
    title: joinParts(
      [
        {row: [span(inUse.length === 0 ? 'no filters in use' : countOf(inUse.length, 'filter'), 'strong')], rank: 0},
        {row: log.areFiltersOff === true ? [span('all switched off', 'busy')] : [], rank: 1},
        {row: [span(`${formatCount(shown)} of ${countOf(held, 'line')}`)], rank: 2},
      ],
      columns,
    ),
    rows: [
      ...inUse.map(rowOf),
      ...(inUse.length > 0 && named.length > 0 ? [says('')] : []),
      ...(named.length > 0 ? [says('  kept by a name', 'dim')] : []),
      ...named.map(rowOf),
      ...(named.length === 0 ? [says(`  ${keyFor('saveFilters', 'log')} keeps those in use by a name`, 'dim')] : []),
    ],
    hints,
  };
};

const says = (words: string, tone: 'plain' | 'dim' = 'plain'): ListRow => ({row: (): ViewRow => [span(words, tone)]});

type ItemWords = {readonly isOn: boolean; readonly name: string; readonly says: string};

const wordsOf = (state: State, log: LogState, item: FilterItem): ItemWords => {
  const isAllOn = log.areFiltersOff !== true;
  switch (item.kind) {
    case 'pattern': {
      const filter = log.use.filters[item.index];
      const active = findPattern(log.use, filter?.patternId);
      const count = active === undefined ? '' : countOf(countMatching(log, active.matches), 'line');
      return {
        isOn: isAllOn && filter?.isOff !== true,
        name: `${filter?.kind === 'exclude' ? '−' : '+'} ${word(active?.pattern.query)}`,
        says: active?.failure ?? `${filter?.kind === 'exclude' ? 'hides' : 'shows'} ${count}`,
      };
    }
    case 'minimumLevel':
      return {isOn: isAllOn, name: `≥ ${log.minimumLevel}`, says: 'the minimum level'};
    case 'range':
      return {isOn: isAllOn, name: rangeWords(state, log.range ?? {}), says: 'the range of time'};
    case 'sourcePick':
      return {isOn: isAllOn, name: pickWords(log, tagsOf(state, log).wordsOf), says: 'the choice of sources'};
    case 'named': {
      const {named} = item;
      const kept = named.filters.map(word).join('  ');
      return {
        isOn: isAllOn && isInUse(log, named),
        name: word(named.name),
        says: `${kept}${named.isConfigured ? '  (config file)' : ''}`,
      };
    }
    default:
      return item satisfies never;
  }
};

const word = (text = ''): string => sanitiseWord(text, messageCharsMax);

/** Returns the selected filter in words. */
export const readFilterRow = (state: State, log: LogState, pane: FiltersPane): string => {
  const item = selectedRow(listFilterItems(state, log), pane);
  if (item === undefined) {
    return 'There are no filters.';
  }
  const {isOn, name, says: words} = wordsOf(state, log, item);
  return `${name}, ${words}, ${isOn ? 'on' : 'off'}`;
};

const hints: readonly Hint[] = [
  [['togglePause'], 'on or off'],
  [['removeFilter'], 'remove'],
  [['filterIn', 'filterOut'], 'another'],
  ...hintsOfLists,
];
