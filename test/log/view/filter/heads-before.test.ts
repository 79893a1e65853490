import {expect, test} from 'vitest';
import type {Chunk} from '#log/buffer/chunk.ts';
import type {SourceName} from '#log/line/entry.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {continuationsOf} from '#log/traits/line-traits.ts';
import {headsBefore, keepHeadless} from '#log/view/filter/around-lines.ts';
import {type Written, writtenLog} from '../../sourced-lines.ts';

const web: SourceName = {pod: 'web'};
const db: SourceName = {pod: 'db'};

const chunkOf = (...written: readonly Written[]): Chunk => {
  const [chunk] = writtenLog(...written).chunks;
  if (chunk === undefined) {
    throw new Error('a chunk was expected');
  }
  return chunk;
};

const frame = (source: SourceName): Written => ({text: '    at a (a.js:1:1)', source});

/** Two heads, and two chunks of nothing but what continues them. */
const chunks = [
  chunkOf({text: 'ERROR x', source: web}, {text: 'WARN y', source: db}),
  chunkOf(frame(web), {text: 'INFO z', source: db}),
  chunkOf(frame(web), frame(db)),
];

const held = (level: Parameters<typeof levelRank>[0]) => ({rank: levelRank(level), isHeld: true});
const none = {rank: 0, isHeld: false};

test('the head of a source is its last line before a chunk that continues nothing', () => {
  const headBefore = headsBefore(chunks, () => true);
  expect([0, 1, 2].map(index => headBefore(index, web))).toEqual([none, held('error'), held('error')]);
  expect([0, 1, 2].map(index => headBefore(index, db))).toEqual([none, held('warn'), held('info')]);
  expect(headBefore(2, {pod: 'other'})).toEqual(none);
});

test('each chunk is read once, however often it is asked for', () => {
  const read: number[] = [];
  const headBefore = headsBefore(chunks, chunk => {
    read.push(chunks.indexOf(chunk));
    return true;
  });
  expect([headBefore(2, web), headBefore(2, web), headBefore(1, web)]).toEqual(Array(3).fill(held('error')));
  expect(read).toEqual([1, 0]);
});

test('nothing is known behind a chunk that may not be read, and that is not asked again', () => {
  let asked = 0;
  const headBefore = headsBefore(chunks, chunk => {
    asked += 1;
    return chunk !== chunks[0];
  });
  expect([headBefore(2, web), headBefore(1, web), headBefore(2, web), headBefore(0, web)]).toEqual([
    undefined,
    undefined,
    undefined,
    none,
  ]);
  expect(asked).toBe(2);
  expect(headBefore(2, db)).toEqual(held('info'));
});

test('lines that continue one that is not held are unfolded, of the sources that have none', () => {
  const chunk = chunkOf(frame(web), frame(db), {text: 'INFO z', source: web}, frame(web));
  const folds = continuationsOf(chunk);
  expect([...folds]).toEqual([1, 1, 0, 1]);
  expect(keepHeadless(chunk, folds, [])).toBe(folds);
  const both = keepHeadless(chunk, folds, [web, db]);
  expect([...both]).toEqual([0, 0, 0, 1]);
  expect(keepHeadless(chunk, folds, [db, web])).toBe(both);
  expect([...keepHeadless(chunk, folds, [web])]).toEqual([0, 1, 0, 1]);
  expect([...keepHeadless(chunk, folds, [db])]).toEqual([1, 0, 0, 1]);
  expect(keepHeadless(chunk, folds, [])).toBe(folds);
});
