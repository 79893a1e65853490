import {type ListPane, type ListRow, selectedRow} from '#app/choices/list-pane.ts';
import {type Hint, hintsOfLists} from '#app/help/select-hints.ts';
import {keyFor} from '#app/keys/keymap.ts';
import type {FiltersPane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import {joinParts, messageCharsMax} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {findPattern, type NamedFilters} from '#app/search/patterns.ts';
import type {LogState, State} from '#app/state/state.ts';
import {askFor, type ListHandler, type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {filterNameCharsMax, namedFiltersMax} from '#base/bounds.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {fitColumns} from '#log/text/fit-columns.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {countMatching, countShown} from './apply-filters.ts';
import {addFilter, filterKeys, removeFilter, toggleFilter} from './filters.ts';
import {readFilter, writeFilter} from './highlights.ts';
import {tagsOf} from './log-sources-pane.ts';
import {pickWords, rangeWords} from './select-chips.ts';

/** Returns the filters in use that are on, as they are kept. */
const writtenFilters = ({use}: LogState): readonly string[] =>
  use.filters.filter(({isOff}) => isOff !== true).map(filter => writeFilter(use, filter));

/** Checks whether all filters of a name are in use and on. */
const isInUse = (log: LogState, {filters}: NamedFilters): boolean => {
  const used = new Set(writtenFilters(log));
  return filters.every(filter => used.has(filter));
};

/** Takes the filters of a name into use, beside the others; takes them out if all are in use already. */
export const toggleNamed = (state: State, log: LogState, named: NamedFilters): Step => {
  const names = new Set(named.filters);
  let changed = log.use.filters.reduceRight(
    (rest, filter, index) => (names.has(writeFilter(log.use, filter)) ? removeFilter(rest, index) : rest),
    log,
  );
  if (isInUse(log, named)) {
    return next(withLog(state, changed));
  }
  for (const written of named.filters) {
    const {kind, query} = readFilter(written);
    const added = addFilter(changed, kind, query);
    if ('error' in added) {
      return next({...state, notice: added.error});
    }
    changed = added;
  }
  return next({...withLog(state, changed), notice: `filters ${named.name} in use`});
};

/** Asks for the name to keep the filters in use by. */
export const askFilterName: LogHandler = (state, log, command) =>
  command !== 'saveFilters'
    ? undefined
    : writtenFilters(log).length === 0
      ? next({...state, notice: 'there are no filters to save'})
      : askFor(state, 'filterName');

/** Keeps the filters in use by the typed name, instead of those that have it. */
export const takeFilterName = (state: State, log: LogState, typed: string): Step => {
  const name = typed.trim();
  const all = state.namedFilters ?? [];
  const before = all.find(each => each.name === name);
  const others = all.filter(each => each !== before);
  if (name === '') {
    return next(state);
  }
  const fault =
    name.length > filterNameCharsMax
      ? `A name has at most ${filterNameCharsMax} characters`
      : before?.isConfigured
        ? 'The config file has filters by that name: choose another one'
        : others.length >= namedFiltersMax
          ? `${namedFiltersMax} names are kept already: forget one first`
          : undefined;
  if (fault !== undefined) {
    return askFor({...state, notice: fault}, 'filterName', typed);
  }
  const filters = writtenFilters(log);
  return next(
    {...state, namedFilters: [...others, {name, filters, isConfigured: false}]},
    {kind: 'keepFilters', name, filters},
  );
};

/** Forgets the filters of a name; those in use stay. */
export const forgetNamed = (state: State, {name, isConfigured}: NamedFilters): Step =>
  isConfigured
    ? next({...state, notice: `${name} is in the config file: remove it there`})
    : next(
        {...state, namedFilters: state.namedFilters?.filter(each => each.name !== name)},
        {kind: 'keepFilters', name, filters: []},
      );

/** A row of the list of filters: a pattern by its place, what else hides lines, or filters kept by a name. */
type FilterItem = {readonly key: string} & (
  | {readonly kind: 'pattern'; readonly index: number}
  | {readonly kind: 'minimumLevel' | 'range' | 'sourcePick'}
  | {readonly kind: 'named'; readonly named: NamedFilters}
);

/** Returns the rows of the list: first what hides lines now. */
const listFilterItems = ({namedFilters = []}: Pick<State, 'namedFilters'>, log: LogState): readonly FilterItem[] => [
  ...log.use.filters.map(({kind, patternId}, index): FilterItem => {
    // The place of a filter changes when one before it goes; its pattern stays.
    const query = findPattern(log.use, patternId)?.pattern.query ?? '';
    return {key: `${kind} ${query}`, kind: 'pattern', index};
  }),
  ...(log.minimumLevel === 'none' ? [] : [{key: 'level', kind: 'minimumLevel'} as const]),
  ...(log.range === undefined ? [] : [{key: 'range', kind: 'range'} as const]),
  ...(log.sourcePick === undefined ? [] : [{key: 'sources', kind: 'sourcePick'} as const]),
  ...namedFilters.map((named): FilterItem => ({key: `named ${named.name}`, kind: 'named', named})),
];

const indicatorColumns = ' ▸ ● '.length;
const nameCellsMin = 12;

/** Returns the pane of the filters: those in use with what each does, and those kept by a name. */
export const listFiltersPane = (frame: Frame & Pick<State, 'namedFilters'>, log: LogState): ListPane => {
  const {columns} = frame;
  const items = listFilterItems(frame, log);
  const {shown, held} = countShown(log);
  const words = new Map(items.map(item => [item, wordsOf(frame, log, item)]));
  const widthOf = fitColumns<'name' | 'says'>({
    natural: column =>
      Math.min(
        column === 'name' ? filterNameCharsMax : columns,
        Math.max(0, ...[...words.values()].map(each => cellWidth(each[column]))),
      ),
    claims: [{column: 'name', cells: nameCellsMin}, {column: 'says'}, {column: 'name'}],
    room: columns - indicatorColumns,
    gap: 2,
  });
  const nameCells = widthOf('name');
  const rowOf = (item: FilterItem): ListRow => ({
    key: item.key,
    row: () => {
      const {isOn, name, says} = words.get(item) ?? wordsOf(frame, log, item);
      return [
        span(isOn ? '● ' : '○ ', isOn ? 'good' : 'dim'),
        span(padToCells(cutToCells(name, nameCells), nameCells), isOn ? 'strong' : 'plain'),
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

const wordsOf = (frame: Frame, log: LogState, item: FilterItem): ItemWords => {
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
      return {isOn: isAllOn, name: rangeWords(frame, log.range ?? {}), says: 'the range of time'};
    case 'sourcePick':
      return {isOn: isAllOn, name: pickWords(log, tagsOf(frame, log).wordsOf), says: 'the choice of sources'};
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
export const readFilterRow = (frame: Frame & Pick<State, 'namedFilters'>, log: LogState, pane: FiltersPane): string => {
  const item = selectedRow(listFilterItems(frame, log), pane);
  if (item === undefined) {
    return 'There are no filters.';
  }
  const {isOn, name, says: words} = wordsOf(frame, log, item);
  return `${name}, ${words}, ${isOn ? 'on' : 'off'}`;
};

const hints: readonly Hint[] = [
  [['togglePause'], 'on or off'],
  [['removeFilter'], 'remove'],
  [['filterIn', 'filterOut'], 'another'],
  ...hintsOfLists,
];

/** Handles the commands of the list of filters: its own, and those of filters as in the log. */
export const updateFilters: ListHandler<FiltersPane> = (state, log, pane, command) => {
  const item = selectedRow(listFilterItems(state, log), pane);
  const isToggle = command === 'togglePause' || command === 'openLine';
  if (item === undefined || (!isToggle && command !== 'removeFilter')) {
    return filterKeys(state, log, command) ?? askFilterName(state, log, command);
  }
  switch (item.kind) {
    case 'pattern':
      return next(withLog(state, (isToggle ? toggleFilter : removeFilter)(log, item.index)));
    case 'named':
      return isToggle ? toggleNamed(state, log, item.named) : forgetNamed(state, item.named);
    default:
      return next(withLog(state, {...log, [item.kind]: item.kind === 'minimumLevel' ? 'none' : undefined}));
  }
};
