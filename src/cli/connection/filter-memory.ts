import type {NamedFilters} from '#app/search/patterns.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {keepFilters, readKeptFilters} from '#config/memory/kept-filters.ts';
import type {FilterSettings} from '#config/settings/sections.ts';
import {parsePattern} from '#log/pattern/parse-pattern.ts';

/** Returns the filters of the config file. Throws a `UsageError` for a pattern that is none. */
export const readNamedFilters = ({place, named}: FilterSettings): readonly NamedFilters[] =>
  [...named].map(([name, filters]) => {
    for (const filter of filters) {
      const pattern = parsePattern(filter.slice(1));
      if ('error' in pattern) {
        throw new UsageError(`${place}.${name}: ${pattern.error}`);
      }
    }
    return {name, filters, isConfigured: true};
  });

/** Reads the filters that have a name. One of the config file stands for one of the state folder with its name. */
export const openFilterMemory = async (settings: FilterSettings, stateFolder: string | undefined) => {
  const configured = readNamedFilters(settings);
  const {kept, notice} = await readKeptFilters(stateFolder);
  const others = kept.filter(({name}) => !settings.named.has(name));
  return {
    named: [...configured, ...others.map(each => ({...each, isConfigured: false}))],
    keep: (name: string, filters: readonly string[]) => keepFilters(stateFolder, {name, filters}),
    notice,
  };
};

export type FilterMemory = Awaited<ReturnType<typeof openFilterMemory>>;
