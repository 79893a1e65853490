import {describe, expect, test} from 'vitest';
import {areDetailsShown, detailsPlace, detailsRows, listRows} from '#app/record/details.ts';
import {flattenFields} from '#app/record/record-fields.ts';
import {Secret} from '#base/secret.ts';

// The pane has four rows less than the screen.
const sized = (columns: number, rows: number, showsDetails?: boolean) => ({columns, rows: rows + 4, showsDetails});

describe('the place of the record', () => {
  test.each([
    [100, 10, undefined, 'beside'],
    [99, 40, undefined, 'nowhere'],
    [100, 40, false, 'nowhere'],
    [100, 40, true, 'beside'],
    [99, 30, true, 'below'],
    [99, 29, true, 'instead'],
  ] as const)('with %i columns and %i rows, chosen %s, is %s', (columns, rows, shows, place) => {
    expect(detailsPlace(sized(columns, rows, shows))).toBe(place);
    expect(areDetailsShown(sized(columns, rows, shows))).toBe(place !== 'nowhere');
  });

  test('below the list, it has what a list of at most two fifths leaves, without a blank row', () => {
    const below = sized(80, 40, true);
    expect([1, 3, 4, 16, 17].map(count => [listRows(below, count), detailsRows(below, count)])).toEqual([
      [3, 36],
      [3, 36],
      [4, 35],
      [16, 23],
      [16, 23],
    ]);
    const beside = sized(120, 20, true);
    expect([listRows(beside, 2), detailsRows(beside, 2)]).toEqual([20, 20]);
  });
});

describe('a value', () => {
  test('is taken apart into its leaves, each with its path', () => {
    expect(flattenFields({a: {b: 1, c: []}, d: [2, {e: 3}], f: null, g: {}})).toEqual([
      {path: 'a.b', value: 1},
      {path: 'a.c', value: []},
      {path: 'd[0]', value: 2},
      {path: 'd[1].e', value: 3},
      {path: 'f', value: null},
      {path: 'g', value: {}},
    ]);
    expect(flattenFields('x')).toEqual([{path: '', value: 'x'}]);
    const secret = new Secret('secret');
    expect(flattenFields({a: secret})).toEqual([{path: 'a', value: secret}]);
  });

  test('has pairs of name and value as one leaf, and only such', () => {
    expect(
      flattenFields([
        {name: 'A', value: '1'},
        {name: 'B', value: {c: 1}},
        {name: 'C'},
        {name: 1, value: 2},
        {name: 'D', value: 3, more: 4},
        {name: 'E', other: 5},
      ]),
    ).toEqual([
      {path: '', name: 'A', value: '1'},
      {path: '', name: 'B', value: {c: 1}},
      {path: '[2].name', value: 'C'},
      {path: '[3].name', value: 1},
      {path: '[3].value', value: 2},
      {path: '[4].name', value: 'D'},
      {path: '[4].value', value: 3},
      {path: '[4].more', value: 4},
      {path: '[5].name', value: 'E'},
      {path: '[5].other', value: 5},
    ]);
  });

  test('has at most 2000 leaves', () => {
    const many = (count: number): number => flattenFields(Array.from({length: count}, (_, index) => index)).length;
    expect([many(1999), many(2000), many(2001)]).toEqual([1999, 2000, 2000]);
    const pairs = Array.from({length: 2001}, (_, index) => ({name: `n${index}`, value: 1}));
    expect(flattenFields(pairs)).toHaveLength(2000);
  });
});
