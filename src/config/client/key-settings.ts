import type {TableReader} from '../settings/table-reader.ts';

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
