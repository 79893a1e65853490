import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createRe2Matcher} from '#app/search/re2-matcher.ts';
import {type Chunk, entriesOf, openChunk, packChunk} from '#log/buffer/chunk.ts';
import {chunkTextOf} from '#log/buffer/chunk-text.ts';
import {createSlabWriter} from '#log/buffer/packed.ts';
import {type LineEntry, textOf} from '#log/line/entry.ts';
import {createMatcher, findLiteralSpans, spansMax} from '#log/pattern/matcher.ts';
import {type Pattern, parsePattern} from '#log/pattern/parse-pattern.ts';
import {runsOf} from '../../support/thorough.ts';
import {hostilePieces} from '../hostile-text.ts';
import {arbitraryEdits, bufferFrom} from './arbitrary-buffer.ts';

const patternOf = (query: string): Pattern => {
  const pattern = parsePattern(query);
  if ('error' in pattern) {
    throw new Error(`${query}: ${pattern.error}`);
  }
  return pattern;
};

/** Each line by itself, with the expression as it was typed. */
const matchNaively = (chunk: Chunk, expression: RegExp): readonly number[] =>
  entriesOf(chunk).flatMap((entry, offset) =>
    entry.kind === 'line' && expression.test(textOf(entry)) ? [offset] : [],
  );

/** A chunk of lines, and the same one packed, where that can be. */
const chunksOf = (texts: readonly string[]): readonly Chunk[] => {
  const entries = texts.map((text, index): LineEntry => {
    const stamp = '2026-11-21T14:02:11.000000001Z ';
    return {kind: 'line', id: index, at: 1n, raw: stamp + text, textIndex: stamp.length, late: false};
  });
  const open = openChunk(entries);
  return [open, packChunk(open, createSlabWriter())];
};

const offsetsIn = (pattern: Pattern, chunk: Chunk): readonly number[] => [
  ...createMatcher(pattern).matchChunk(chunkTextOf(chunk)),
];

/** Expressions that would go wrong where many lines are looked through as one text. */
const expressions = [
  'GET',
  '^GET',
  '500$',
  '^$',
  '^\\s*$',
  '[^a]b',
  'such[^x]+thing',
  'thing[^x]*GET',
  '\\s',
  '\\S+$',
  '\\W{3}',
  '\\D\\D',
  '\\Bo',
  '\\bno\\b',
  '.*',
  '(?:a|b)*',
  'x*',
  '(?=GET)',
  '(?!GET)E',
  '(?<!R)O',
  '(?<=^)G',
  'o(?!$)',
  '(.)\\1',
  '(?<twice>l)\\k<twice>',
  '[\\s\\S]',
  '[^]',
  '[]',
  '[\\t-\\r]',
  '\\p{L}+',
  '\\P{L}',
  '\\u{1f600}|日',
  '\\x0a',
  '(?i:get)',
  '(?s:.)b',
  'a\\.b\\(',
  'é|한',
  'long$',
  '\\r$',
];

test('a chunk looked through as one text has the lines that match by themselves: open and packed, hostile text, times in any form', () => {
  fc.assert(
    fc.property(arbitraryEdits, fc.constantFrom(...expressions), (edits, expression) => {
      const {chunks} = bufferFrom(edits);
      const pattern = patternOf(`re:${expression}`);
      const naive = new RegExp(expression, pattern.isCaseSensitive ? 'u' : 'iu');
      const both = chunks.flatMap(chunk => [chunk, packChunk(chunk, createSlabWriter())]);
      for (const chunk of both) {
        expect(offsetsIn(pattern, chunk)).toEqual(matchNaively(chunk, naive));
      }
    }),
    {numRuns: runsOf(160)},
  );
});

test('a literal is found wherever a line has it, and in none of its timestamp', () => {
  const arbitraryQuery = fc.oneof(
    fc.constantFrom(
      'get',
      'GET',
      '00',
      '2026',
      'z',
      't',
      '500',
      'C.java',
      '\\',
      '(',
      'ERROR',
      'é',
      'É',
      '日',
      'ſ',
      'K',
    ),
    fc.constantFrom(...hostilePieces.filter(piece => !/[\n\r]/.test(piece))),
    fc.string({unit: 'grapheme', minLength: 1, maxLength: 3}).filter(text => !/[\n\r]/.test(text)),
  );
  fc.assert(
    fc.property(arbitraryEdits, arbitraryQuery, (edits, query) => {
      fc.pre(!query.startsWith('re:'));
      const pattern = patternOf(query);
      const hasUpper = [...query].some(letter => /\p{Lu}/u.test(letter));
      expect(pattern.isCaseSensitive).toBe(hasUpper);
      const escaped = [...query].map(letter => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`).join('');
      const naive = new RegExp(escaped, hasUpper ? 'u' : 'iu');
      for (const chunk of bufferFrom(edits).chunks) {
        for (const each of [chunk, packChunk(chunk, createSlabWriter())]) {
          expect(offsetsIn(pattern, each)).toEqual(matchNaively(each, naive));
        }
      }
    }),
    {numRuns: runsOf(120)},
  );
});

test('what is found ends with the line', () => {
  for (const chunk of chunksOf(['one', 'two', '', 'three'])) {
    expect(offsetsIn(patternOf('re:e[^x]t'), chunk)).toEqual([]);
    expect(offsetsIn(patternOf('re:^[^x]*$'), chunk)).toEqual([0, 1, 2, 3]);
    expect(offsetsIn(patternOf('re:o$'), chunk)).toEqual([1]);
    expect(offsetsIn(patternOf('ee'), chunk)).toEqual([3]);
  }
  // A carriage return ends no line here, but it does for an expression that looks through many.
  for (const chunk of chunksOf(['fo\r', 'fo'])) {
    expect(offsetsIn(patternOf('re:o(?!$)'), chunk)).toEqual([0]);
    expect(offsetsIn(patternOf('re:o$'), chunk)).toEqual([1]);
  }
  const [open] = chunksOf(['two\nrows', 'other']);
  expect(open && offsetsIn(patternOf('re:^rows'), open)).toEqual([]);
  expect(open && offsetsIn(patternOf('re:two\\srows'), open)).toEqual([0]);
});

test('the linear engine finds what the fast one finds, where it can express it', () => {
  const ofBoth = expressions.filter(expression => !/\(\?[=!<]|\\\d|\\k|\\P|\\S|\(\?s/.test(expression));
  expect(ofBoth.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(arbitraryEdits, fc.constantFrom(...ofBoth), (edits, expression) => {
      const pattern = patternOf(`re:${expression}`);
      for (const chunk of bufferFrom(edits).chunks.slice(0, 2)) {
        const text = chunkTextOf(chunk);
        expect([...createRe2Matcher(pattern).matchChunk(text)]).toEqual([...createMatcher(pattern).matchChunk(text)]);
      }
    }),
    {numRuns: runsOf(120)},
  );
});

test('spans tell where a pattern stands, none of them empty and not without end', () => {
  const text = 'a 12 b 345 😀6';
  const spans = [
    {start: 2, end: 4},
    {start: 7, end: 10},
    {start: 13, end: 14},
  ];
  const pattern = patternOf('re:\\d*');
  expect(createMatcher(pattern).findSpans(text)).toEqual(spans);
  expect(createRe2Matcher(pattern).findSpans(text)).toEqual(spans);
  expect(findLiteralSpans(patternOf('b.'), 'ab. B.c bxb.')).toEqual([
    {start: 1, end: 3},
    {start: 4, end: 6},
    {start: 10, end: 12},
  ]);
  expect(findLiteralSpans(patternOf('a'), 'a'.repeat(1000))).toHaveLength(spansMax);
});
