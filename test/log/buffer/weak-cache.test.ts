import {expect, test} from 'vitest';
import {openChunk, packChunk} from '#log/buffer/chunk.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import {createSlabWriter} from '#log/buffer/packed.ts';
import {createChunkCache, createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {Entry} from '#log/line/entry.ts';

const line: Entry = {kind: 'line', id: 1, at: 1n, raw: 'one', textIndex: 0, late: false};
const gap: Entry = {kind: 'gap', id: 2, at: 2n, after: 1n, before: 2n};

test('what a function found for a value is not computed again', () => {
  const asked: object[] = [];
  const find = once(createWeakCache<{name: string}, string>(), value => {
    asked.push(value);
    return value.name;
  });
  const [one, other] = [{name: 'a'}, {name: 'a'}];
  expect([find(one), find(one), find(other)]).toEqual(['a', 'a', 'a']);
  expect(asked).toEqual([one, other]);
});

test('a packed chunk keeps what is known of the open one, and no other chunk does', () => {
  const cache = createChunkCache<string>();
  const open = openChunk([line, gap]);
  cache.set(open, 'known');
  expect(cache.get(packChunk(open, createSlabWriter()))).toBe('known');
  expect(cache.get(openChunk([line, gap]))).toBeUndefined();
});

test('the markers of a chunk are found with their places, and once', () => {
  const quiet: Entry = {kind: 'quiet', id: 3, at: 3n, since: 1n};
  const chunk = openChunk([line, gap, {...line, id: 4}, quiet]);
  expect(markersOf(chunk)).toEqual([
    {offset: 1, marker: gap},
    {offset: 3, marker: quiet},
  ]);
  expect(markersOf(chunk)).toBe(markersOf(chunk));
  expect(markersOf(openChunk([line]))).toEqual([]);
});
