import {createHash} from 'node:crypto';
import {TomlDate} from 'smol-toml';
import {branchRecord, type RecordFieldSpec, type RecordFields, type SimpleType} from '#base/branch-record.ts';
import {isTable} from '#base/table.ts';
import {findClosestWord} from '#config/settings/closest-word.ts';
import type {TableReader} from '#config/settings/table-reader.ts';

/**
 * Returns a value of the branch record as it is served, or throws a `ConfigError` that names the path and what was
 * expected.
 */
type Check = (branch: TableReader, path: string, given: unknown) => unknown;
/** Fields that are not listed pass unchanged. */
type Checks = Readonly<Record<string, Check | undefined>>;

const check =
  (expected: string, accepts: (given: unknown) => boolean): Check =>
  (branch, path, given) =>
    accepts(given) ? given : branch.mistyped(path, expected, given);

const text = check('a string', given => typeof given === 'string');
const flag = check('true or false', given => typeof given === 'boolean');
const count = check('a whole number, 0 or more', given => Number.isInteger(given) && Number(given) >= 0);

/** Requires a time zone: without one it is not a definite moment. */
const timePattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

const time: Check = (branch, path, given) => {
  const ms = typeof given === 'string' && timePattern.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(ms)
    ? branch.mistyped(path, 'a time like 2026-11-22T01:59:00.000Z', given)
    : new Date(ms).toISOString();
};

const list =
  (item: Check): Check =>
  (branch, path, given) =>
    Array.isArray(given)
      ? given.map((each: unknown, index) => item(branch, `${path}[${index}]`, each))
      : branch.mistyped(path, 'an array', given);

const table =
  (fields: Checks): Check =>
  (branch, path, given) => {
    if (!isTable(given)) {
      return branch.mistyped(path, 'a table', given);
    }
    const dotted = Object.keys(given).find(name => name.includes('.') && fields[name.split('.')[0] ?? '']);
    if (dotted !== undefined) {
      branch.fail(path, `write ${dotted} without quotes: it is a table in a table`);
    }
    return Object.fromEntries(
      Object.entries(given).map(([name, each]) => [name, fields[name]?.(branch, `${path}.${name}`, each) ?? each]),
    );
  };

const checks: Readonly<Record<SimpleType, Check | undefined>> = {
  text,
  textOrNull: text,
  secret: text,
  flag,
  flagOrNull: flag,
  count,
  time,
  object: check('a table', isTable),
  variables: list(table({name: text, value: text})),
  // The specification gives them no type.
  any: undefined,
  secretOrNull: undefined,
  own: undefined,
};

/** TOML has no null, so nullable fields need no special case. */
const checkOf = ({is}: RecordFieldSpec): Check | undefined => {
  if (typeof is === 'string') {
    return checks[is];
  }
  return 'table' in is ? table(checksOf(is.table)) : list(table(checksOf(is.list)));
};

const checksOf = (fields: RecordFields): Checks =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, checkOf(field)]));

const recordChecks = checksOf(branchRecord);

/**
 * Checks a field of a branch record against the interface and returns it as it is served: times are in UTC with
 * milliseconds. Fields without a type in the interface pass unchanged. Throws a `ConfigError`.
 */
export const checkRecordField = (branch: TableReader, key: string, value: unknown): unknown =>
  recordChecks[key]?.(branch, key, value) ?? value;

/** The fields of every branch, wherever its lines come from. */
export type BranchBase = {
  /** Given as `_id` or `id`; otherwise derived from the site and the name, so that it is the same at every start. */
  readonly id: string;
  readonly name: string;
  readonly status: string | undefined;
  /** All other fields of the branch record, as they are served. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Keys that the service interprets; every other key is a field of the branch record. */
const structuralKeys = ['_id', 'id', 'name', 'status', 'pods', 'kubernetes'];

/**
 * Reads what all branches of a site have, and leaves `pods` and `kubernetes` of their tables to the caller. Throws a
 * `ConfigError` for duplicate ids or names, and for keys that look mistyped.
 */
export const readBranchBases = (
  site: TableReader,
  siteId: string,
): readonly {readonly table: TableReader; readonly base: BranchBase}[] => {
  const ids = new Set<string>();
  const names = new Set<string>();
  return site.tables('branches').map(branch => {
    for (const key of branch.keys()) {
      const meant = findClosestWord(key, structuralKeys);
      if (meant !== undefined && !structuralKeys.includes(key)) {
        branch.fail(key, `no such setting: did you mean ${meant}?`);
      }
    }
    const name = branch.text('name') ?? branch.fail('name', 'missing: give the name of the branch');
    refuseRepeated(branch, 'name', name, names);
    const idKey = branch.raw('_id') === undefined ? 'id' : '_id';
    const id = readId(branch, idKey) ?? makeBranchId(siteId, name);
    refuseRepeated(branch, idKey, id, ids);
    const fields = branch.keys().filter(key => !structuralKeys.includes(key));
    return {
      table: branch,
      base: {
        id,
        name,
        status: branch.text('status'),
        fields: Object.fromEntries(fields.map(key => [key, checkRecordField(branch, key, toJsonValue(branch, key))])),
      },
    };
  });
};

/** Returns an id that can be part of an address; undefined if the key is missing. Throws a `ConfigError`. */
export const readId = (table: TableReader, key: string): string | undefined => {
  const id = table.text(key);
  return id === '.' || id === '..' ? table.fail(key, `"${id}" cannot be part of an address`) : id;
};

/** Throws a `ConfigError` for a value that was seen before. */
export const refuseRepeated = (table: TableReader, key: string, value: string, seen: Set<string>): void => {
  if (seen.has(value)) {
    table.fail(key, `"${value}" is given twice`);
  }
  seen.add(value);
};

/**
 * Derives an id that is the same at every start, so that a client that remembers the branch finds it again. It is as
 * long as the ids in the interface's examples.
 */
export const makeBranchId = (siteId: string, name: string): string =>
  createHash('sha256')
    .update(JSON.stringify([siteId, name]))
    .digest('hex')
    .slice(0, 24);

/**
 * Converts a TOML value to the JSON value that the service sends. Dates become ISO 8601 in UTC with milliseconds and Z,
 * as in the interface; local dates and times stay as written. `nan` and `inf` have no JSON form and throw a
 * `ConfigError`.
 */
const toJsonValue = (table: TableReader, key: string): unknown => {
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
