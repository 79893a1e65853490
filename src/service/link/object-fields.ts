import {isTable, type Table} from '#base/table.ts';
import {instantToMs, parseInstant} from '#log/line/instant.ts';

// Readers for objects of an API, which come as parsed JSON. A field that is missing or of another type counts as
// missing: newer and older servers may send more and less.

/** Returns undefined for anything but a table. */
export const tableOf = (value: unknown): Table | undefined => (isTable(value) ? value : undefined);

/** Returns undefined for a text that is not JSON. */
export const readJsonText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const fieldOf = (value: unknown, key: string): unknown =>
  isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Returns an empty table if the field is missing. */
export const tableField = (value: unknown, key: string): Table => tableOf(fieldOf(value, key)) ?? {};

export const listField = (value: unknown, key: string): readonly unknown[] => {
  const field = fieldOf(value, key);
  return Array.isArray(field) ? field : [];
};

/** Returns undefined for an empty text, too: the API writes both for nothing. */
export const textField = (value: unknown, key: string): string | undefined => {
  const field = fieldOf(value, key);
  return typeof field === 'string' && field !== '' ? field : undefined;
};

export const numberField = (value: unknown, key: string): number | undefined => {
  const field = fieldOf(value, key);
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined;
};

export const flagField = (value: unknown, key: string): boolean => fieldOf(value, key) === true;

/** Milliseconds since 1970. */
export const timeField = (value: unknown, key: string): number | undefined => {
  const instant = parseInstant(textField(value, key) ?? '');
  return instant === undefined ? undefined : instantToMs(instant);
};

/** Returns the entries of a table whose values are texts, such as labels. */
export const textEntries = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tableOf(value) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export const textsField = (value: unknown, key: string): Readonly<Record<string, string>> =>
  textEntries(fieldOf(value, key));
