import {expect, test} from 'vitest';
import {countFields} from '#log/reading/lay-out-columns.ts';
import {Reading} from '#log/reading/reading.ts';

const linesOf = (count: number, textOf: (index: number) => string): readonly Reading[] =>
  Array.from({length: count}, (_, index) => new Reading(textOf(index)));

test('the commonest field comes first, with its widest value, and counts once in a line', () => {
  const texts = [
    '{"level":"info","user":"anna"}',
    '{"level":"error","user":"bo","level":"again"}',
    'no fields here',
    '{"level":"warn"}',
  ];
  expect(countFields(linesOf(4, index => texts[index] ?? ''))).toEqual({
    lineCount: 4,
    fields: [
      {name: 'level', lineCount: 3, columns: 5},
      {name: 'user', lineCount: 2, columns: 4},
    ],
  });
});

test('five hundred names are counted: names that contain ids are without end', () => {
  const fieldsOf = (lines: number): number =>
    countFields(linesOf(lines, index => `{"job${index}":1,"run${index}":2}`)).fields.length;
  expect([fieldsOf(250), fieldsOf(251)]).toEqual([500, 500]);
});

test('lines are read up to two million characters', () => {
  const text = 'level=info '.padEnd(16_000, 'x');
  const linesIn = (lines: number): number => countFields(linesOf(lines, () => text)).lineCount;
  expect([linesIn(125), linesIn(126)]).toEqual([125, 125]);
});
