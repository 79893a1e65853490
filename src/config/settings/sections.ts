import {filterNameCharsMax, filtersMax, promptCharsMax} from '#base/bounds.ts';
import {parseDurationMs} from '#log/tokens/time-words.ts';
import type {TableReader} from './table-reader.ts';

/** When and how to alert a user who is looking elsewhere. */
export type NotifySettings = {
  readonly bell: boolean;
  /** A desktop notification, sent by the terminal (OSC 9). */
  readonly osc9: boolean;
  /**
   * A matching line triggers an alert; an empty pattern matches nothing. As typed: a word, or `re:` and an expression.
   */
  readonly pattern: string;
  /** The first error after a quiet period triggers an alert. */
  readonly firstError: boolean;
  /** How long that quiet period, without errors, must be; milliseconds. */
  readonly quietMs: number;
  /** A program and its arguments, which get what calls as a JSON record. No shell interprets them. */
  readonly command?: readonly string[] | undefined;
};

export const defaultNotifySettings: NotifySettings = {
  bell: false,
  osc9: false,
  pattern: '',
  firstError: false,
  quietMs: 5 * 60_000,
};

const quietMsMin = 1_000;
const quietMsMax = 24 * 3_600_000;

/** Reads the table `[notify]`. Throws a `ConfigError`. */
export const readNotifySettings = (table: TableReader): NotifySettings => {
  table.refuseOthers(['bell', 'osc9', 'pattern', 'first_error', 'quiet', 'command']);
  const quiet = table.scalar('quiet');
  const quietMs = quiet === undefined ? defaultNotifySettings.quietMs : parseDurationMs(quiet);
  if (quietMs === undefined || quietMs < quietMsMin || quietMs > quietMsMax) {
    return table.fail('quiet', 'expected a time from 1s to 24h, like "30s", "5m" or "1h"');
  }
  const isNone = table.raw('pattern') === '';
  const pattern = isNone ? '' : (table.text('pattern') ?? defaultNotifySettings.pattern);
  if (pattern.length > promptCharsMax) {
    table.fail('pattern', `expected at most ${promptCharsMax} characters`);
  }
  const command = table.texts('command');
  if (command?.length === 0) {
    table.fail('command', 'expected a program and its arguments, got an empty array');
  }
  return {
    bell: table.flag('bell') ?? defaultNotifySettings.bell,
    osc9: table.flag('osc9') ?? defaultNotifySettings.osc9,
    pattern,
    firstError: table.flag('first_error') ?? defaultNotifySettings.firstError,
    quietMs,
    command,
  };
};

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

/** The `[keys]` table as written in a config file. Command names are checked later, where the commands are known. */
export type KeySettings = {
  /** Where they are, for messages: `/path/config.toml: keys`. */
  readonly place: string;
  /** Keys by the name of their command. */
  readonly bindings: ReadonlyMap<string, readonly string[]>;
};

export const defaultKeySettings: KeySettings = {place: '', bindings: new Map()};

/** No command needs more keys. */
const keysMax = 16;

/** Reads `command = "key"` and `command = ["key", "key"]`. Throws a `ConfigError`. */
export const readKeySettings = (table: TableReader): KeySettings => {
  const readKeys = (command: string): readonly string[] => {
    const keys = Array.isArray(table.raw(command)) ? table.texts(command) : [table.text(command) ?? ''];
    return keys === undefined || keys.length > keysMax
      ? table.fail(command, `expected a key, or an array of up to ${keysMax}`)
      : keys;
  };
  return {place: table.where(''), bindings: new Map(table.keys().map(command => [command, readKeys(command)]))};
};

const themeNames = ['auto', 'dark', 'light', 'high-contrast', 'plain', '16'] as const;

/** `auto` asks the terminal for its background; `plain` uses no colours, `16` only the terminal's own. */
type ThemeName = (typeof themeNames)[number];

export type UiSettings = {
  readonly theme: ThemeName;
  /** The wheel scrolls and a click selects; the terminal's own selection then needs Shift. */
  readonly mouse: boolean;
};

export const defaultUiSettings: UiSettings = {theme: 'auto', mouse: false};

/** Reads the table `[ui]`. Throws a `ConfigError`. */
export const readUiSettings = (table: TableReader): UiSettings => {
  table.refuseOthers(['theme', 'mouse']);
  return {
    theme: table.choice('theme', themeNames) ?? defaultUiSettings.theme,
    mouse: table.flag('mouse') ?? defaultUiSettings.mouse,
  };
};
