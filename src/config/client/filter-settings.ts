import {filterNameCharsMax, filtersMax, promptCharsMax} from '#base/bounds.ts';
import type {TableReader} from '../settings/table-reader.ts';

/** Filters by name, as written: a pattern after `+` for lines to show, or `-` for lines to hide. */
export type FilterSettings = {
  /** Where they are, for messages: `/path/config.toml: filters`. */
  readonly place: string;
  readonly named: ReadonlyMap<string, readonly string[]>;
};

export const defaultFilterSettings: FilterSettings = {place: '', named: new Map()};

/** Reads `name = "-pattern"` and `name = ["+pattern", "-pattern"]`. Throws a `ConfigError`. */
export const readFilterSettings = (table: TableReader): FilterSettings => {
  const readFilters = (name: string): readonly string[] => {
    const filters = Array.isArray(table.raw(name)) ? table.texts(name) : [table.text(name) ?? ''];
    if (name.length > filterNameCharsMax) {
      table.fail(name, `expected a name of at most ${filterNameCharsMax} characters`);
    }
    return filters === undefined || filters.length === 0 || filters.length > filtersMax
      ? table.fail(name, `expected a filter, or an array of up to ${filtersMax}`)
      : filters.map(filter =>
          /^[+-]./s.test(filter) && filter.length <= promptCharsMax + 1
            ? filter
            : table.fail(name, 'expected + and what to show, or - and what to hide: "-GET /healthz"'),
        );
  };
  return {place: table.where(''), named: new Map(table.keys().map(name => [name, readFilters(name)]))};
};
