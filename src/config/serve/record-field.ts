import {branchRecord, type RecordFieldSpec, type RecordFields, type SimpleType} from '#base/branch-record.ts';
import {isTable, type TableReader} from '#config/settings/table-reader.ts';

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
