import {isTable, type Table} from '#base/table.ts';

/** Checks for a value of JSON that may be anything. */
export const isText = (value: unknown): value is string => typeof value === 'string';

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Checks for a whole number from 0 on. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Returns an object of JSON; anything else counts as one without fields. */
export const readTable = (value: unknown): Table => (isTable(value) ? value : {});

/** Returns a text; anything else counts as not there. */
export const readText = (value: unknown): string | undefined => (isText(value) ? value : undefined);

/** Checks for one of the names of a table. */
export const isNameIn = <Name extends string>(names: Readonly<Record<Name, unknown>>, value: unknown): value is Name =>
  isText(value) && Object.hasOwn(names, value);
