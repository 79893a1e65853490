import type {TableReader} from '../values/table-reader.ts';

/** The `[keys]` of a config file, as they are written there; what they name is checked where the commands are known. */
export type KeySettings = {
  /** Where they stand, for sentences: `/path/config.toml: keys`. */
  readonly place: string;
  /** Keys by the name of a command. */
  readonly bindings: ReadonlyMap<string, readonly string[]>;
};

export const defaultKeySettings: KeySettings = {place: '', bindings: new Map()};

/** Nobody reaches for more. */
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
