import {expect, test} from 'vitest';
import {createRe2Matcher} from '#app/search/re2-matcher.ts';
import {createMatcher, spansMax} from '#log/pattern/matcher.ts';
import {type Pattern, parsePattern} from '#log/pattern/parse-pattern.ts';

const patternOf = (query: string): Pattern => {
  const pattern = parsePattern(query);
  return 'error' in pattern ? expect.fail(`${query}: ${pattern.error}`) : pattern;
};

// Both engines are to find the same. Some characters are JavaScript's white space and not RE2's.
test.each<readonly [expression: string, matching: readonly string[], others: readonly string[]]>([
  ['a.c', ['abc', 'a\tc'], ['ac', 'a\nc', 'a\rc', 'a\u2028c', 'a\u2029c']],
  [
    '^\\s$',
    [' ', '\t', '\u00a0', '\u1680', '\u2003', '\u202f', '\u205f', '\u3000', '\ufeff', '\u2028'],
    ['x', '\u200b', ''],
  ],
  ['^\\S$', ['x', '\u200b'], [' ', '\u00a0', '\ufeff']],
  ['^[\\s]$', [' ', '\u3000'], ['s']],
  ['^[^\\s]$', ['s'], [' ', '\u3000']],
  ['a\\/b', ['a/b'], ['ab']],
  ['a\\0b', ['a\u0000b'], ['a0b']],
  ['a[^]b', ['a\nb', 'axb'], ['ab']],
  ['a[]b', [], ['ab', 'axb']],
  ['^[[]$', ['['], [']']],
  ['^[^[]$', ['x'], ['[']],
  ['^[\\b]$', ['\b'], ['b']],
  ['\\bcat\\b', ['a cat'], ['cats']],
  ['^\\u0041$', ['A'], ['u']],
  ['^\\u{1F600}$', ['😀'], ['x']],
  ['^[\\u{41}-\\u0043]$', ['A', 'B', 'C'], ['D', 'u']],
  ['^\\cA$', ['\u0001'], ['c', 'A']],
  ['^[\\cJ]$', ['\n'], ['J']],
  ['^\\x41$', ['A'], ['x']],
  ['^\\p{Script=Greek}$', ['α'], ['a']],
  ['^\\p{sc=Greek}$', ['α'], ['a']],
  ['^[\\p{Script=Greek}x]$', ['α', 'x'], ['y']],
  ['^\\P{Script=Greek}$', ['a'], ['α']],
  ['^\\p{L}$', ['ü'], ['1']],
  ['^(?:a|b)+$', ['abba'], ['abc']],
  ['^(?<year>\\d{4})$', ['2026'], ['26']],
])('the expression %s', (expression, matching, others) => {
  const pattern = patternOf(`re:${expression}`);
  const [linear, fast] = [createRe2Matcher(pattern), createMatcher(pattern)];
  const texts = [...matching, ...others];
  expect(texts.filter(linear.matchesLine)).toEqual(matching);
  expect(texts.filter(fast.matchesLine)).toEqual(matching);
});

test('small letters find capitals, and capitals only themselves', () => {
  expect(createRe2Matcher(patternOf('re:error')).matchesLine('an ERROR')).toBe(true);
  expect(createRe2Matcher(patternOf('re:Error')).matchesLine('an ERROR')).toBe(false);
});

test.each(['re:(?=x)', 're:(?<!x)y', 're:(a)\\1', 're:a{1001}'])('what it can not express is refused: %s', query => {
  expect(() => createRe2Matcher(patternOf(query))).toThrow();
});

test('spans are as many as are looked at, and none of them is empty', () => {
  const {findSpans} = createRe2Matcher(patternOf('re:\\d*'));
  expect(findSpans('a 12 b 345')).toEqual([
    {start: 2, end: 4},
    {start: 7, end: 10},
  ]);
  expect(createRe2Matcher(patternOf('re:a')).findSpans('a'.repeat(spansMax))).toHaveLength(200);
  expect(createRe2Matcher(patternOf('re:a')).findSpans('a'.repeat(spansMax + 1))).toHaveLength(200);
});

test('the lines of a chunk that match are told by their offsets', () => {
  const text = {
    text: 'one\ntwo\nthree',
    lengths: Uint32Array.of(3, 3, 5),
    marks: Uint16Array.of(0, 0, 0),
    hasBreaks: false,
  };
  const pattern = patternOf('re:t');
  expect([...createRe2Matcher(pattern).matchChunk(text)]).toEqual([...createMatcher(pattern).matchChunk(text)]);
  expect([...createRe2Matcher(pattern).matchChunk(text)]).toEqual([1, 2]);
});
