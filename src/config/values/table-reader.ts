import {findClosestWord} from './closest-word.ts';
import {ConfigError} from './config-error.ts';

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Names the TOML type of a value, never the value: it may be a token that was put into the wrong place. */
const describeTomlType = (value: unknown): string => {
  if (value === undefined) {
    return 'nothing';
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  if (value instanceof Date) {
    return 'a date';
  }
  if (typeof value === 'object') {
    return 'a table';
  }
  return value === '' ? 'an empty string' : `a ${typeof value}`;
};

/** The word that was probably meant; never the value itself, for the same reason. */
const suggest = (value: string, words: readonly string[]): string => {
  const meant = findClosestWord(value, words);
  return meant === undefined ? '' : `: did you mean "${meant}"?`;
};

/** Typed access to one table of a config file. Whatever is wrong throws a `ConfigError` with the file, the path, what was expected and got. */
export type TableReader = {
  /** A string that is not empty, trimmed of nothing; undefined where the key is missing. */
  text(key: string): string | undefined;
  texts(key: string): readonly string[] | undefined;
  flag(key: string): boolean | undefined;
  integer(key: string, min: number, max: number): number | undefined;
  /** One of the given words. */
  choice<W extends string>(key: string, words: readonly W[]): W | undefined;
  /** A string or a number, as text: for times. */
  scalar(key: string): string | undefined;
  table(key: string): TableReader | undefined;
  tables(key: string): readonly TableReader[];
  /** The keys the table has. */
  keys(): readonly string[];
  /** The value as it stands; undefined where the key is missing. */
  raw(key: string): unknown;
  /** Refuses keys that are not `known` and says which was probably meant. */
  refuseOthers(known: readonly string[]): void;
  fail(key: string, sentence: string): never;
  /** Refuses a value of another type than expected, and says which it has. */
  mistyped(key: string, expected: string, got: unknown): never;
  /** Where a key stands, for messages: `/path/config.toml: contexts.prod.tenant`. */
  where(key: string): string;
};

/** The line on which a path like `sites[0].name` stands in the file, if it can be found. */
export type LineOf = (path: string) => number | undefined;

export const createTableReader = (
  source: Readonly<Record<string, unknown>>,
  file: string,
  path = '',
  lineOf: LineOf = () => undefined,
): TableReader => {
  const pathOf = (key: string): string => (path === '' ? key : key === '' ? path : `${path}.${key}`);
  const where = (key: string): string => `${file}: ${pathOf(key)}`;
  const raw = (key: string): unknown => (Object.hasOwn(source, key) ? source[key] : undefined);
  const fail = (key: string, sentence: string): never => {
    const line = lineOf(pathOf(key));
    throw new ConfigError(`${file}${line === undefined ? '' : `, line ${line}`}: ${pathOf(key)}: ${sentence}`);
  };
  const mistyped = (key: string, expected: string, got: unknown): never =>
    fail(key, `expected ${expected}, got ${describeTomlType(got)}`);
  const readAs = <T>(key: string, expected: string, is: (value: unknown) => value is T): T | undefined => {
    const value = raw(key);
    return value === undefined || is(value) ? value : mistyped(key, expected, value);
  };
  const text = (key: string): string | undefined => readAs(key, 'a string', isText);
  return {
    text,
    texts: key =>
      readAs(key, 'an array of strings', isArray)?.map((item, index) =>
        isText(item) ? item : mistyped(`${key}[${index}]`, 'a string', item),
      ),
    flag: key => readAs(key, 'true or false', value => typeof value === 'boolean'),
    integer: (key, min, max) => {
      const expected = `a whole number from ${min} to ${max}`;
      const value = readAs(key, expected, each => typeof each === 'number');
      return value === undefined || (Number.isInteger(value) && value >= min && value <= max)
        ? value
        : fail(key, `expected ${expected}, got ${value}`);
    },
    choice: (key, words) => {
      const value = text(key);
      const word = words.find(candidate => candidate === value);
      return value === undefined || word !== undefined
        ? word
        : fail(key, `expected ${words.map(candidate => `"${candidate}"`).join(' or ')}${suggest(value, words)}`);
    },
    scalar: key => {
      const value = raw(key);
      return typeof value === 'number' ? String(value) : text(key);
    },
    table: key => {
      const value = readAs(key, 'a table', isTable);
      return value && createTableReader(value, file, pathOf(key), lineOf);
    },
    tables: key =>
      (readAs(key, `a list of tables ([[${pathOf(key)}]])`, isArray) ?? []).map((item, index) =>
        isTable(item)
          ? createTableReader(item, file, `${pathOf(key)}[${index}]`, lineOf)
          : mistyped(`${key}[${index}]`, 'a table', item),
      ),
    keys: () => Object.keys(source),
    raw,
    refuseOthers: known => {
      const other = Object.keys(source).find(key => !known.includes(key));
      if (other !== undefined) {
        const meant = findClosestWord(other, known);
        fail(
          other,
          meant ? `no such setting: did you mean ${meant}?` : `no such setting; there are ${known.join(', ')}`,
        );
      }
    },
    fail,
    mistyped,
    where,
  };
};
