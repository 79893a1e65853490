import {type KeyBinding, keymap} from '#app/keys/keymap.ts';
import {rebindKeys} from '#app/keys/rebind-keys.ts';
import type {NotifyRules} from '#app/parts/call-user.ts';
import type {NamedFilters} from '#app/search/patterns.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {keepFilters, readKeptFilters} from '#config/memory/kept-filters.ts';
import {findClosestWord} from '#config/settings/closest-word.ts';
import type {FilterSettings, NotifySettings} from '#config/settings/sections.ts';
import type {Settings} from '#config/settings/settings.ts';
import {parsePattern, patternFlags} from '#log/pattern/parse-pattern.ts';

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

const rebind = ({keys}: Pick<Settings, 'keys'>) =>
  rebindKeys(keymap, keys.bindings, {place: keys.place, suggest: findClosestWord});

/** Returns everything that is wrong with the keys of the config file. */
export const keymapFaults = (settings: Pick<Settings, 'keys'>): readonly string[] => {
  const rebound = rebind(settings);
  return rebound.kind === 'faults' ? rebound.sentences : [];
};

/** Returns the key table as the config file rebinds it. Throws a `UsageError` that lists everything wrong with it. */
export const readKeymap = (settings: Pick<Settings, 'keys'>): readonly KeyBinding[] => {
  const rebound = rebind(settings);
  if (rebound.kind === 'faults') {
    throw new UsageError(rebound.sentences.join('; '));
  }
  return rebound.keymap;
};

/**
 * Returns when to notify the user, by `[notify]` of the config file; undefined if never. The pattern is tested on the
 * drawing thread, so a regular expression runs in the linear engine, which is loaded only then. Throws a `UsageError`
 * for an invalid pattern.
 */
export const readNotifyRules = async (settings: NotifySettings): Promise<NotifyRules | undefined> => {
  const {bell, osc9, command, pattern, firstError, quietMs} = settings;
  if ((!bell && !osc9 && command === undefined) || (pattern === '' && !firstError)) {
    return undefined;
  }
  return {firstError, quietMs, matches: pattern === '' ? undefined : await compile(pattern)};
};

const compile = async (query: string): Promise<(text: string) => boolean> => {
  const pattern = parsePattern(query);
  if ('error' in pattern) {
    throw new UsageError(`[notify] pattern: ${pattern.error}`);
  }
  if (pattern.kind === 'literal') {
    // Plain text, which can't backtrack.
    const literal = new RegExp(pattern.source, patternFlags(pattern));
    return text => literal.test(text);
  }
  const {createRe2Matcher} = await import('#app/search/re2-matcher.ts');
  try {
    const matcher = createRe2Matcher(pattern);
    return text => matcher.findSpans(text).length > 0;
  } catch {
    throw new UsageError(
      `[notify] pattern: "${query}" uses what the linear engine does not support: look-around, backreferences or counts over 1,000`,
    );
  }
};
