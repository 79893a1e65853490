import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type ColumnClaim, type ColumnWidths, fitColumns, tableWidth} from '#log/text/fit-columns.ts';

type Name = 'name' | 'status' | 'since';
const texts = {name: 20, status: 14, since: 15};
const claims: readonly ColumnClaim<Name>[] = [
  {column: 'name', cells: 8},
  {column: 'status'},
  {column: 'since', least: 15},
  {column: 'name'},
];
const names = ['name', 'status', 'since'] as const;
const recordOf = (widthOf: ColumnWidths<Name>) => Object.fromEntries(names.map(name => [name, widthOf(name)]));
const widthsIn = (room: number, change: Partial<typeof texts> = {}) =>
  recordOf(fitColumns<Name>({natural: column => ({...texts, ...change})[column], claims, room, gap: 2}));

describe('the columns of a table', () => {
  test('have their natural widths where there is room for all', () => {
    expect(widthsIn(53)).toEqual({name: 20, status: 14, since: 15});
    expect(widthsIn(500)).toEqual({name: 20, status: 14, since: 15});
  });

  test('get room in the order of their claims, and a column that would be too narrow is dropped', () => {
    expect(widthsIn(52)).toEqual({name: 19, status: 14, since: 15});
    expect(widthsIn(41)).toEqual({name: 8, status: 14, since: 15});
    expect(widthsIn(40)).toEqual({name: 20, status: 14, since: 0});
    expect(widthsIn(20)).toEqual({name: 8, status: 10, since: 0});
    expect(widthsIn(5)).toEqual({name: 5, status: 0, since: 0});
    expect(widthsIn(0)).toEqual({name: 0, status: 0, since: 0});
  });

  test('take nothing where they are empty, not even a gap', () => {
    expect(widthsIn(36, {status: 0})).toEqual({name: 19, status: 0, since: 15});
  });

  test('that are strict claim nothing after a claim that was not met', () => {
    const wide = {
      natural: (column: Name) => texts[column],
      claims: [{column: 'name', least: 20}, {column: 'status'}] as const,
      ...{room: 16, gap: 2},
    };
    expect(recordOf(fitColumns<Name>(wide))).toEqual({name: 0, status: 14, since: 0});
    expect(recordOf(fitColumns<Name>({...wide, isStrict: true}))).toEqual({name: 0, status: 0, since: 0});
  });

  test('get what no claim asked for', () => {
    const asked = [
      {column: 'status', cells: 3},
      {column: 'name', cells: 3},
    ] as const;
    expect(recordOf(fitColumns<Name>({natural: column => texts[column], claims: asked, room: 20, gap: 2}))).toEqual({
      name: 4,
      status: 14,
      since: 0,
    });
  });
});

test('no column is cut while room is left, none is wider than its texts, and the table never exceeds its room', () => {
  const cells = fc.nat({max: 30});
  const claim = fc.record(
    {column: fc.constantFrom<Name>('name', 'status', 'since'), cells, least: cells},
    {requiredKeys: ['column']},
  );
  fc.assert(
    fc.property(
      fc.record({name: cells, status: cells, since: cells}),
      fc.array(claim, {maxLength: 8}),
      fc.nat({max: 100}),
      fc.nat({max: 3}),
      (widest, asked, room, gap) => {
        const widths = fitColumns<Name>({natural: column => widest[column], claims: asked, room, gap});
        const used = tableWidth(names.map(widths), gap);
        expect(used).toBeLessThanOrEqual(room);
        for (const column of names) {
          expect(widths(column)).toBeLessThanOrEqual(widest[column]);
          const isCut = widths(column) > 0 && widths(column) < widest[column];
          const mayGrow = asked.every(each => each.column !== column || (each.least ?? 1) <= 1);
          expect(isCut && mayGrow ? room - used : 0).toBe(0);
        }
      },
    ),
  );
});
