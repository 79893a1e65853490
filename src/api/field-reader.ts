import type {FieldProblems} from './field-problems.ts';
import {Secret} from './secret.ts';

/** A JSON object whose keys are not known yet. */
export type Table = Readonly<Record<string, unknown>>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret);

/**
 * Reads typed fields out of one masked object. A field that is missing is undefined without a word, since additional
 * fields are optional; one of another type is undefined and noted with its path. An absent and a null field differ
 * only where null is a value of its own.
 */
export type FieldReader = {
  text(key: string): string | undefined;
  textOrNull(key: string): string | null | undefined;
  flag(key: string): boolean | undefined;
  flagOrNull(key: string): boolean | null | undefined;
  number(key: string): number | undefined;
  /** A masked field; empty strings and null are no secrets and undefined. */
  secret(key: string): Secret | undefined;
  table(key: string): Table | undefined;
  /** The items of an array; empty where it is missing or null. */
  items(key: string): readonly unknown[];
  /** A field of any type. */
  value(key: string): unknown;
  pathOf(key: string): string;
  /** The own fields that nobody has asked for yet, but for those named here. */
  rest(others: readonly string[]): Table;
};

export const createFieldReader = (source: Table, path: string, problems: FieldProblems): FieldReader => {
  const asked = new Set<string>();
  const pathOf = (key: string): string => (path === '' ? key : `${path}.${key}`);
  // Own fields only: a record without `constructor` must not answer with Object's.
  const get = (key: string): unknown => {
    asked.add(key);
    return Object.hasOwn(source, key) ? source[key] : undefined;
  };
  const text = (key: string): string | undefined => {
    const value = get(key);
    if (typeof value === 'string') {
      return value;
    }
    // A string that was masked for its value is in `record`, and is not shown in a field that nobody masks.
    if (value !== undefined && value !== null && !(value instanceof Secret)) {
      problems.add(pathOf(key), 'a string', value);
    }
    return undefined;
  };
  const flag = (key: string): boolean | undefined => {
    const value = get(key);
    if (typeof value === 'boolean') {
      return value;
    }
    if (value !== undefined && value !== null) {
      problems.add(pathOf(key), 'a boolean', value);
    }
    return undefined;
  };
  return {
    text,
    textOrNull: key => (get(key) === null ? null : text(key)),
    flag,
    flagOrNull: key => (get(key) === null ? null : flag(key)),
    number: key => {
      const value = get(key);
      if (typeof value === 'number') {
        return value;
      }
      if (value !== undefined && value !== null) {
        problems.add(pathOf(key), 'a number', value);
      }
      return undefined;
    },
    secret: key => {
      const value = get(key);
      if (value instanceof Secret) {
        return value;
      }
      if (value !== undefined && value !== null && value !== '') {
        problems.add(pathOf(key), 'a string', value);
      }
      return undefined;
    },
    table: key => {
      const value = get(key);
      if (isTable(value)) {
        return value;
      }
      if (value !== undefined && value !== null) {
        problems.add(pathOf(key), 'an object', value);
      }
      return undefined;
    },
    items: key => {
      const value = get(key);
      if (Array.isArray(value)) {
        return value;
      }
      if (value !== undefined && value !== null) {
        problems.add(pathOf(key), 'an array', value);
      }
      return [];
    },
    value: get,
    pathOf,
    rest: others =>
      Object.fromEntries(Object.entries(source).filter(([key]) => !asked.has(key) && !others.includes(key))),
  };
};
