import {expect, test} from 'vitest';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {findHit, listHits} from '#log/overview/find-in-log.ts';
import {createMatches, type Matches} from '#log/pattern/matches.ts';
import {mergeLists} from '#log/view/log-view.ts';

const bufferOf = (...times: readonly number[]): LineBuffer => {
  const edit = editBuffer(createBuffer(1e9));
  for (const time of times) {
    edit.insert({kind: 'line', id: edit.takeId(), at: BigInt(time), raw: `line ${time}`, textIndex: 0, late: false});
  }
  return edit.finish();
};

const matchesAt = ({chunks: [chunk]}: LineBuffer, ...offsets: readonly number[]): Matches => {
  const matches = createMatches();
  if (chunk !== undefined) {
    matches.take(chunk, Uint16Array.from(offsets));
  }
  return matches;
};

const times = (list: ReturnType<typeof listHits>): readonly number[] => list.slice(0, 9).map(({at}) => Number(at));

const buffer = bufferOf(10, 20, 30, 40);

test('hits are the lines that match, as far as they were tried', () => {
  expect(times(listHits(buffer, matchesAt(buffer, 1, 3)))).toEqual([20, 40]);
  expect(times(listHits(buffer, createMatches()))).toEqual([]);
});

test('a filter leaves the hits that it shows', () => {
  const matches = matchesAt(buffer, 1, 3);
  const shown = (...offsets: readonly number[]) => [Uint16Array.from(offsets)];
  expect(times(listHits(buffer, matches, shown(0, 1, 2)))).toEqual([20]);
  expect(times(listHits(buffer, matches, shown(0, 3)))).toEqual([40]);
  expect(times(listHits(buffer, matches, shown()))).toEqual([]);
  expect(times(listHits(buffer, matches, []))).toEqual([]);
  expect(times(listHits(buffer, matchesAt(buffer), shown(1)))).toEqual([]);
});

test('the same filter asked twice answers the same, and another one its own', () => {
  const matches = matchesAt(buffer, 1, 3);
  const shown = Uint16Array.from([1, 2]);
  expect(times(listHits(buffer, matches, [shown]))).toEqual([20]);
  expect(times(listHits(buffer, matches, [shown]))).toEqual([20]);
  expect(times(listHits(buffer, matches, [Uint16Array.from([3])]))).toEqual([40]);
});

/** Hits at 20 and 40 of the first log, at 30 of the second. */
const other = bufferOf(5, 30);
const hits = mergeLists([listHits(buffer, matchesAt(buffer, 1, 3)), listHits(other, matchesAt(other, 1))]);
const anchor = (source: number, id: number, at: number) => ({source, id, at: BigInt(at)});

test.each([
  ['from the beginning', undefined, 'next', 1],
  ['from the end', undefined, 'previous', 3],
  ['from a line before all', anchor(1, 1, 5), 'next', 1],
  ['from a line before all', anchor(1, 1, 5), 'previous', undefined],
  ['from a hit', anchor(0, 2, 20), 'next', 2],
  ['from a hit', anchor(1, 2, 30), 'next', 3],
  ['from a hit', anchor(1, 2, 30), 'previous', 1],
  ['from the last hit', anchor(0, 4, 40), 'next', undefined],
  ['from the last hit', anchor(0, 4, 40), 'previous', 2],
  ['from a line between', anchor(0, 3, 30), 'next', 2],
  ['from a line between', anchor(0, 3, 30), 'previous', 1],
  ['from a line after all', anchor(0, 9, 50), 'next', undefined],
  ['from a line after all', anchor(0, 9, 50), 'previous', 3],
] as const)('%s (%o), the %s hit is number %s', (_, from, direction, number) => {
  expect(findHit(hits, from, direction)?.number).toBe(number);
});

test('a hit is told with whose it is', () => {
  expect(findHit(hits, anchor(0, 2, 20), 'next')).toEqual({number: 2, anchor: anchor(1, 2, 30)});
});

test('the line itself is one if it matches', () => {
  expect(findHit(hits, anchor(1, 2, 30), 'here')).toEqual({number: 2, anchor: anchor(1, 2, 30)});
  expect(findHit(hits, anchor(0, 1, 10), 'here')).toBeUndefined();
  expect(findHit(hits, anchor(0, 3, 30), 'here')).toBeUndefined();
  expect(findHit(hits, undefined, 'here')).toBeUndefined();
});
