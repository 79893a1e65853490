import type {NamedFilters} from '#app/search/patterns.ts';
import {askFor} from '#app/state/ask-for.ts';
import {type LogHandler, withLog} from '#app/state/handler.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import {filterNameCharsMax, namedFiltersMax} from '#base/bounds.ts';
import {addFilter, removeFilter} from '../filters.ts';
import {readFilter, writeFilter} from '../search/written-filter.ts';

/** Returns the filters in use that are on, as they are kept. */
const writtenFilters = ({use}: LogState): readonly string[] =>
  use.filters.filter(({isOff}) => isOff !== true).map(filter => writeFilter(use, filter));

/** Checks whether all filters of a name are in use and on. */
export const isInUse = (log: LogState, {filters}: NamedFilters): boolean => {
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
    return stay(withLog(state, changed));
  }
  for (const written of named.filters) {
    const {kind, query} = readFilter(written);
    const added = addFilter(changed, kind, query);
    if ('error' in added) {
      return stay({...state, notice: added.error});
    }
    changed = added;
  }
  return stay({...withLog(state, changed), notice: `filters ${named.name} in use`});
};

/** Asks for the name to keep the filters in use by. */
export const askFilterName: LogHandler = (state, log, command) =>
  command !== 'saveFilters'
    ? undefined
    : writtenFilters(log).length === 0
      ? stay({...state, notice: 'there are no filters to save'})
      : askFor(state, 'filterName');

/** Keeps the filters in use by the typed name, instead of those that have it. */
export const takeFilterName = (state: State, log: LogState, typed: string): Step => {
  const name = typed.trim();
  const all = state.namedFilters ?? [];
  const before = all.find(each => each.name === name);
  const others = all.filter(each => each !== before);
  if (name === '') {
    return stay(state);
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
  return stay(
    {...state, namedFilters: [...others, {name, filters, isConfigured: false}]},
    {kind: 'keepFilters', name, filters},
  );
};

/** Forgets the filters of a name; those in use stay. */
export const forgetNamed = (state: State, {name, isConfigured}: NamedFilters): Step =>
  isConfigured
    ? stay({...state, notice: `${name} is in the config file: remove it there`})
    : stay(
        {...state, namedFilters: state.namedFilters?.filter(each => each.name !== name)},
        {kind: 'keepFilters', name, filters: []},
      );
