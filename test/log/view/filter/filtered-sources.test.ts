import {expect, test} from 'vitest';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {SourceName} from '#log/line/entry.ts';
import {createMatches} from '#log/pattern/matches.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {continuationsOf} from '#log/traits/line-traits.ts';
import {createLineFilter, type LineFilterOptions} from '#log/view/line-filter.ts';
import {unsaidSource} from '#log/words/source-words.ts';
import {addWritten, writtenLog} from '../../sourced-lines.ts';

const web: SourceName = {pod: 'web'};
const db: SourceName = {pod: 'db'};

const shownOf = (buffer: LineBuffer, options: Partial<LineFilterOptions>): readonly string[] =>
  createLineFilter({includes: [], excludes: [], levelMin: 0, contextLines: 0, ...options})
    .apply(buffer)
    .list.slice(0, 20)
    .map(each => (each.kind === 'line' ? each.raw : each.kind));

const mixed = writtenLog({text: 'a', source: web}, {text: 'b', source: db}, {}, {text: 'c'}, {text: 'd', source: web});

const hides =
  (...names: readonly (SourceName | undefined)[]) =>
  (name: SourceName): boolean =>
    names.includes(name);

test.each([
  ['one source', hides(web), ['b', 'gap', 'c']],
  ['lines of which nobody says who wrote them', hides(unsaidSource), ['a', 'b', 'gap', 'd']],
  ['all sources', () => true, ['gap']],
  ['none', () => false, ['a', 'b', 'gap', 'c', 'd']],
])('hidden: %s', (_, hidesSource, shown) => {
  expect(shownOf(mixed, {hidesSource})).toEqual(shown);
});

test('of a log whose service names no source, either all lines are hidden or none', () => {
  const unsaid = writtenLog('a', {}, 'b');
  expect(shownOf(unsaid, {hidesSource: hides(unsaidSource)})).toEqual(['gap']);
  expect(shownOf(unsaid, {hidesSource: hides(web)})).toEqual(['a', 'gap', 'b']);
});

test('a hidden source does not come back as context', () => {
  const matches = createMatches();
  for (const chunk of mixed.chunks) {
    matches.take(chunk, Uint16Array.from([1]));
  }
  expect(shownOf(mixed, {includes: [matches], contextLines: 1})).toEqual(['a', 'b', 'gap', 'c']);
  expect(shownOf(mixed, {includes: [matches], contextLines: 1, hidesSource: hides(web)})).toEqual(['b', 'gap', 'c']);
});

/** Fills a chunk, so that what is added next is in another one. */
const filler = (count: number) => Array.from({length: count}, (_, index) => ({text: `INFO ${index}`, source: web}));

const twoChunks = addWritten(
  writtenLog(...filler(510), {text: 'ERROR in web', source: web}, {text: 'INFO in db', source: db}),
  [
    {text: '    at web (a.js:1:1)', source: web},
    {text: '    at db (a.js:1:1)', source: db},
  ],
  600,
);

test('a line has the level of the one that it continues, of its own source, also in the chunk before', () => {
  expect(twoChunks.chunks.map(({entryCount}) => entryCount)).toEqual([512, 2]);
  expect(shownOf(twoChunks, {levelMin: levelRank('error')})).toEqual(['ERROR in web', '    at web (a.js:1:1)']);
});

test('a folded line is shown where the line that it continues is not held, of its own source', () => {
  const lost = writtenLog(
    {text: '    at web (a.js:1:1)', source: web},
    {text: 'ERROR in db', source: db},
    {text: '    at db (a.js:1:1)', source: db},
    {text: '    at web (a.js:2:1)', source: web},
  );
  expect(shownOf(lost, {foldsOf: continuationsOf})).toEqual([
    '    at web (a.js:1:1)',
    'ERROR in db',
    '    at web (a.js:2:1)',
  ]);
});

test('only what is of a time is shown, its ends included', () => {
  const buffer = writtenLog('a', 'b', {}, 'c', 'd');
  expect(shownOf(buffer, {range: {from: 1n, to: 3n}})).toEqual(['b', 'gap', 'c']);
  expect(shownOf(buffer, {range: {from: 3n}})).toEqual(['c', 'd']);
  expect(shownOf(buffer, {range: {to: 0n}})).toEqual(['a']);
  expect(shownOf(buffer, {range: {from: 4n, to: 9n}})).toEqual(['d']);
  expect(shownOf(buffer, {range: {from: 5n}})).toEqual([]);
  expect(shownOf(buffer, {range: {to: -1n}})).toEqual([]);
});

test('markers of a time are shown while the answers of a search are awaited', () => {
  const buffer = writtenLog('a', {}, {}, {}, 'b');
  const untried = {includes: [createMatches()]};
  expect(shownOf(buffer, untried)).toEqual(['gap', 'gap', 'gap']);
  expect(shownOf(buffer, {...untried, range: {from: 2n}})).toEqual(['gap', 'gap']);
  expect(shownOf(buffer, {...untried, range: {to: 1n}})).toEqual(['gap']);
});
