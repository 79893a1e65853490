import {expect, test} from 'vitest';
import {isTable} from '#base/table.ts';
import {
  flagField,
  listField,
  numberField,
  readJsonText,
  tableField,
  tableOf,
  textEntries,
  textField,
  textsField,
  timeField,
} from '#service/link/object-fields.ts';

/** A value of each type that JSON has. */
const object = {
  text: 'a',
  empty: '',
  number: 0,
  yes: true,
  no: false,
  none: null,
  list: [1],
  table: {a: 'b', c: 1},
  time: '2025-01-02T03:04:05.678Z',
};

const found = (read: (value: unknown, key: string) => unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.keys(object)
      .concat('missing', 'toString')
      .map(key => [key, read(object, key)] as const)

      .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(read({}, key))),
  );

test.each([
  ['texts that are not empty', textField, {text: 'a', time: '2025-01-02T03:04:05.678Z'}, undefined],
  ['numbers', numberField, {number: 0}, undefined],
  ['lists', listField, {list: [1]}, []],
  ['tables', tableField, {table: {a: 'b', c: 1}}, {}],
  ['flags that are set', flagField, {yes: true}, false],
  ['times', timeField, {time: Date.parse('2025-01-02T03:04:05.678Z')}, undefined],
  ['texts of a table', textsField, {table: {a: 'b'}}, {}],
])('reads %s, and takes everything else for missing', (_, read, values, missing) => {
  expect(found(read)).toEqual(values);
  for (const none of [{}, null, undefined, 'text', [object]]) {
    expect(read(none, 'text')).toEqual(missing);
  }
});

test('a number that JSON cannot have is missing', () => {
  expect([numberField({a: Number.NaN}, 'a'), numberField({a: Number.POSITIVE_INFINITY}, 'a')]).toEqual([
    undefined,
    undefined,
  ]);
});

test('a table is an object that is no list', () => {
  const values = [{}, {a: 1}, [], null, undefined, 'text', 1];
  expect(values.map(isTable)).toEqual([true, true, false, false, false, false, false]);
  expect(values.map(tableOf)).toEqual([{}, {a: 1}, undefined, undefined, undefined, undefined, undefined]);
  expect([textEntries(undefined), textEntries({a: 'b', c: null, d: ''})]).toEqual([{}, {a: 'b', d: ''}]);
});

test('a text that is not JSON has no value', () => {
  expect([readJsonText('{"a":1}'), readJsonText('null'), readJsonText('{"a":')]).toEqual([{a: 1}, null, undefined]);
});
