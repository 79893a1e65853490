import {TomlDate} from 'smol-toml';
import type {TableReader} from './table-reader.ts';

/**
 * A TOML value as the JSON value that the service sends. Dates become what the interface has: ISO 8601 in UTC with
 * milliseconds and Z; local dates and times stay as written. `nan` and `inf` have no JSON and throw a `ConfigError`.
 */
export const toJsonValue = (table: TableReader, key: string): unknown => {
  const walk = (value: unknown): unknown => {
    if (value instanceof TomlDate) {
      return value.isLocal() ? value.toISOString() : new Date(value.getTime()).toISOString();
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return table.fail(key, 'nan and inf cannot be sent as JSON');
    }
    if (Array.isArray(value)) {
      return value.map(walk);
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item)]));
    }
    return value;
  };
  return walk(table.raw(key));
};
