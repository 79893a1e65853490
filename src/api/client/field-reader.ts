import {Secret} from '#base/secret.ts';
import {isTable, type Table} from '#base/table.ts';
import {ApiError} from './api-error.ts';

/** A body full of wrong items must not produce as many notes; the rest are only counted. */
const problemsMax = 100;

/** Paths contain keys of the answer, which may be of any length. */
const problemCharsMax = 300;

/**
 * Collects the problems of an answer, each with its path and never with the value, which may be a secret. What is added
 * returns undefined, which stands for what can't be decoded.
 */
export type FieldProblems = {
  add(path: string, expected: string, got: unknown): undefined;
  addNote(note: string): undefined;
  list(): readonly string[];
};

/** Returns what is to be a list, or throws an `ApiError` of kind `notInterface`. */
export const listIn = (json: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(json)) {
    throw new ApiError('notInterface', `the answer is not ${what}: expected an array, got ${describeType(json)}`);
  }
  return json;
};

/** Names the type of a JSON value for a message: `null`, `an array`, `a string`, …, or `nothing` if it is missing. */
export const describeType = (value: unknown): string => {
  if (value === undefined) {
    return 'nothing';
  }
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

export const createFieldProblems = (): FieldProblems => {
  const notes: string[] = [];
  let dropped = 0;
  const addNote = (note: string): undefined => {
    if (notes.length < problemsMax) {
      notes.push(note.length > problemCharsMax ? `${note.slice(0, problemCharsMax)}…` : note);
    } else {
      dropped += 1;
    }
  };
  return {
    add: (path, expected, got) => addNote(`${path}: expected ${expected}, got ${describeType(got)}`),
    addNote,
    list: () => (dropped === 0 ? notes : [...notes, `and ${dropped} more`]),
  };
};

/** Decodes the items of a list that are objects. Others are noted and left out, as is what `decode` leaves out. */
export const decodeObjects = <T>(
  list: readonly unknown[],
  path: string,
  problems: FieldProblems,
  decode: (item: Table, path: string) => T | undefined,
): readonly T[] =>
  list
    .map((item, index) => {
      const at = `${path}[${index}]`;
      return isTable(item) ? decode(item, at) : problems.add(at, 'an object', item);
    })
    .filter(decoded => decoded !== undefined);

const isSecret = (value: unknown): value is Secret => value instanceof Secret;
const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/**
 * Reads typed fields of one masked object. A missing field is undefined and not noted, because additional fields are
 * optional; a field of another type is undefined and noted with its path. Missing and null differ only where null is a
 * valid value.
 */
export type FieldReader = {
  text(key: string): string | undefined;
  textOrNull(key: string): string | null | undefined;
  flag(key: string): boolean | undefined;
  flagOrNull(key: string): boolean | null | undefined;
  number(key: string): number | undefined;
  /** Returns a masked field; undefined for an empty string or null, which are not secrets. */
  secret(key: string): Secret | undefined;
  secretOrNull(key: string): Secret | null | undefined;
  table(key: string): Table | undefined;
  /** Returns a reader of the object at a key. */
  within(key: string): FieldReader | undefined;
  /** Returns the items of an array; an empty array if it is missing or null. */
  items(key: string): readonly unknown[];
  /** Returns a field of any type. */
  value(key: string): unknown;
  pathOf(key: string): string;
  /** Returns the own fields that have not been requested yet, except those named in `others`. */
  rest(others: readonly string[]): Table;
};

export const createFieldReader = (source: Table, path: string, problems: FieldProblems): FieldReader => {
  const asked = new Set<string>();
  const pathOf = (key: string): string => (path === '' ? key : `${path}.${key}`);
  // Own fields only: for a record without `constructor`, Object's must not be returned.
  const get = (key: string): unknown => {
    asked.add(key);
    return Object.hasOwn(source, key) ? source[key] : undefined;
  };
  /** `skips` accepts values that count as missing, besides undefined and null. */
  const readAs =
    <T>(expected: string, is: (value: unknown) => value is T, skips: (value: unknown) => boolean = () => false) =>
    (key: string): T | undefined => {
      const value = get(key);
      if (is(value)) {
        return value;
      }
      if (value !== undefined && value !== null && !skips(value)) {
        problems.add(pathOf(key), expected, value);
      }
      return undefined;
    };
  // A string that was masked because of its value stays in `record`, but is left out of fields that are not masked.
  const text = readAs('a string', value => typeof value === 'string', isSecret);
  const flag = readAs('a boolean', value => typeof value === 'boolean');
  const table = readAs('an object', isTable);
  const secret = readAs('a string', isSecret, value => value === '');
  const items = readAs('an array', isArray);
  return {
    text,
    textOrNull: key => (get(key) === null ? null : text(key)),
    flag,
    flagOrNull: key => (get(key) === null ? null : flag(key)),
    number: readAs('a number', value => typeof value === 'number'),
    secret,
    secretOrNull: key => (get(key) === null ? null : secret(key)),
    table,
    within: key => {
      const inner = table(key);
      return inner && createFieldReader(inner, pathOf(key), problems);
    },
    items: key => items(key) ?? [],
    value: get,
    pathOf,
    rest: others =>
      Object.fromEntries(Object.entries(source).filter(([key]) => !asked.has(key) && !others.includes(key))),
  };
};
