import {expect, test} from 'vitest';
import {recentFromOf, trendOf} from '#log/summary/summary.ts';
import {FrequentTable} from '#log/traits/frequent-table.ts';
import {writtenLog} from '../sourced-lines.ts';

const keysOf = (table: FrequentTable, topN = 9): readonly (readonly [string, number])[] =>
  table.top(topN).map(({key, count}) => [key, count]);

test('values are counted, the most frequent first, and of equal ones the one that came first', () => {
  const table = new FrequentTable();
  for (const key of ['a', 'b', 'c', 'b', 'c', 'd']) {
    table.add(key, 'text', key, 0n);
  }
  expect(keysOf(table)).toEqual([
    ['b', 2],
    ['c', 2],
    ['a', 1],
    ['d', 1],
  ]);
  expect(keysOf(table, 1)).toEqual([['b', 2]]);
  expect([table.total, table.distinct]).toEqual([6, 4]);
});

test('a value has its times, its first line, and where it was read', () => {
  const table = new FrequentTable(5n);
  table.add('a', 'text', 'first a', 4n);
  table.add('a', 'path', 'second a', 9n);
  table.add('a', 'text', 'third a', 2n);
  table.add('a', 'path', 'fourth a', 5n);
  table.add('a', 'text', 'fifth a', 2n);
  expect(table.top(1)).toEqual([
    {
      ...{key: 'a', count: 5, missedMax: 0, recentCount: 2, firstAt: 2n, lastAt: 9n},
      ...{example: 'first a', sources: ['text', 'path']},
    },
  ]);
});

test('nothing is recent where nobody says from when on', () => {
  const table = new FrequentTable();
  table.add('a', 'text', 'a', 4n);
  table.add('a', 'text', 'a', 5n);
  expect(table.top(1)[0]?.recentCount).toBe(0);
  const since = new FrequentTable(5n);
  since.add('a', 'text', 'a', 5n);
  since.add('b', 'text', 'b', 4n);
  expect(since.top(2).map(({recentCount}) => recentCount)).toEqual([1, 0]);
});

test('ten sources are told, and an example of 400 characters', () => {
  const table = new FrequentTable();
  for (let index = 0; index < 12; index++) {
    table.add('a', `field${index}`, 'x'.repeat(401), 0n);
  }
  expect(table.top(1)[0]?.sources).toEqual(Array.from({length: 10}, (_, index) => `field${index}`));
  expect(table.top(1)[0]?.example).toHaveLength(400);
});

test('what was told does not change when more is counted', () => {
  const table = new FrequentTable();
  table.add('a', 'text', 'a', 0n);
  const [before] = table.top(1);
  table.add('a', 'path', 'a', 1n);
  expect(before).toMatchObject({count: 1, sources: ['text']});
});

test('past four thousand values the rarer half is dropped, and how often those may have come is told', () => {
  const table = new FrequentTable();
  const addAll = (count: number): void => {
    for (let index = 0; index < count; index++) {
      table.add(`key ${index}`, 'text', 'x', 0n);
    }
  };
  addAll(1000);
  addAll(4000);
  expect([table.distinct, table.total]).toEqual([4000, 5000]);
  table.add('one more', 'text', 'x', 0n);
  expect(table.distinct).toBe(false);
  expect(keysOf(table, 9999)).toHaveLength(2001);
  // The frequent ones stay, and of the others those that came first; it may have come once before.
  expect(keysOf(table, 9999).slice(1998)).toEqual([
    ['key 1998', 1],
    ['key 1999', 1],
    ['one more', 1],
  ]);
  expect(table.top(9999).at(-1)?.missedMax).toBe(1);
  expect(table.top(9999)[0]?.missedMax).toBe(0);
});

test('the newest quarter of the time is recent', () => {
  const {chunks} = writtenLog(...Array.from({length: 9}, () => 'a'));
  const parts = (offsets?: readonly number[]) =>
    chunks.map(chunk => ({chunk, offsets: offsets && Uint16Array.from(offsets)}));
  expect(recentFromOf([])).toBeUndefined();
  expect(recentFromOf(parts())).toBe(6n);
  expect(recentFromOf(parts([0, 4]))).toBe(3n);
  expect(recentFromOf(parts([4, 8]))).toBe(7n);
  expect(recentFromOf([...parts([0]), ...parts([8])])).toBe(6n);
});

test.each([
  // A third of what came in the other three quarters is steady.
  [4, 1, 'steady'],
  [3, 3, undefined],
  [4, 4, 'rising'],
  [10, 4, 'rising'],
  [11, 4, 'steady'],
  [14, 2, 'falling'],
  [13, 2, 'steady'],
  [4, 0, 'falling'],
] as const)('%d lines, %d of them recent: %s', (count, recentCount, trend) => {
  expect(trendOf({count, recentCount})).toBe(trend);
});
