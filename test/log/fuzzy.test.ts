import fc from 'fast-check';
import {expect, test} from 'vitest';
import {bestFirst, createFuzzyScorer, fuzzyMatch, scoreItems} from '#log/fuzzy.ts';

const rank = (query: string, names: readonly string[]): readonly string[] =>
  bestFirst(scoreItems(names, createFuzzyScorer(query)));

const shown = (query: string, text: string): string | undefined => {
  const match = fuzzyMatch(query, text);
  return match && [...text].map((letter, index) => (match.positions.includes(index) ? `[${letter}]` : letter)).join('');
};

test.each([
  // The whole name before a longer one, a start before a middle
  ['master', ['feature/master-data', 'master-2', 'master'], ['master', 'master-2', 'feature/master-data']],
  // Beginnings of words before letters anywhere
  ['fc', ['office-cat', 'feature/cart', 'afc'], ['feature/cart', 'afc', 'office-cat']],
  ['gt', ['Forget it', 'Go to a time', 'Get'], ['Go to a time', 'Get', 'Forget it']],
  // Letters side by side before letters apart
  [
    'cart',
    ['c-a-lower-r-other-t', 'shopping cart', 'clear the art'],
    ['shopping cart', 'clear the art', 'c-a-lower-r-other-t'],
  ],
  // Equally good: the order given
  ['b', ['b2', 'b1', 'b3'], ['b2', 'b1', 'b3']],
  ['zz', ['z', 'azb'], []],
  ['', ['b', 'a'], ['b', 'a']],
] as const)('%s ranks %j as %j', (query, names, ranked) => {
  expect(rank(query, names)).toEqual(ranked);
});

test('names the letters that were matched, the best way to match them', () => {
  expect(shown('cart', 'catalogue-cart')).toBe('catalogue-[c][a][r][t]');
  expect(shown('fsc', 'feature/shop-cart')).toBe('[f]eature/[s]hop-[c]art');
  expect(shown('go time', 'Go to a time')).toBe('[G][o] to a [t][i][m][e]');
  expect(shown('tm', 'nextTimeMode')).toBe('next[T]ime[M]ode');
  expect(shown('öl', 'Erdöl')).toBe('Erd[ö][l]');
});

test('a capital in the query asks for a capital', () => {
  expect(shown('M', 'form/Main')).toBe('form/[M]ain');
  expect(fuzzyMatch('Main', 'main')).toBeUndefined();
  expect(shown('main', 'MAIN')).toBe('[M][A][I][N]');
});

test('what is too long does not match, or is not looked at', () => {
  expect(fuzzyMatch('a'.repeat(65), 'a'.repeat(100))).toBeUndefined();
  expect(fuzzyMatch('b', `${'a'.repeat(512)}b`)).toBeUndefined();
  expect(fuzzyMatch('ab', `${'a'.repeat(511)}b`)?.positions).toEqual([510, 511]);
});

test('a match is the query, letter by letter, and there is one where there can be', () => {
  const letters = fc.string({unit: fc.constantFrom(...'abAB-/ İß'), maxLength: 20});
  fc.assert(
    fc.property(letters, letters, (query, text) => {
      const typed = query.replaceAll(' ', '');
      const isSensitive = typed !== typed.toLowerCase();
      const folded = isSensitive || text.toLowerCase().length !== text.length ? text : text.toLowerCase();
      const match = fuzzyMatch(query, text);
      const isThere = new RegExp([...typed].join('[^]*')).test(folded);
      expect(match !== undefined).toBe(isThere);
      expect(match?.positions.map(index => folded[index]).join('')).toBe(isThere ? typed : undefined);
      expect(match?.positions).toEqual(match?.positions.toSorted((a, b) => a - b));
    }),
  );
});

test('a scorer gives the score of the match, text after text', () => {
  const letters = fc.string({unit: fc.constantFrom('a', 'b', 'A', '-', '1'), maxLength: 12});
  fc.assert(
    fc.property(letters, fc.array(letters), (query, texts) => {
      expect(texts.map(createFuzzyScorer(query))).toEqual(texts.map(text => fuzzyMatch(query, text)?.score));
    }),
  );
});

test.each([
  // A letter counts 16, at the beginning of a word 10 more; each letter ahead of it costs one.
  ['x', 'ax', 15],
  ['x', 'a-x', 24],
  ['x', `${'a'.repeat(8)}x`, 8],
  ['x', `${'a'.repeat(9)}x`, 8],
  // The whole text counts 12 more.
  ['x', 'x', 38],
  ['ab', 'ab', 62],
  ['ab', 'abc', 50],
  // A gap between two letters costs one, and so does each letter in it.
  ['ab', 'a.b', 16 + 10 + 16 + 10 - 2],
  ['ab', 'axb', 16 + 10 + 16 - 2],
  ['ab', 'axxb', 16 + 10 + 16 - 3],
  // A word begins after a sign, at a capital after a small letter, and not at a sign.
  ['b', 'a/b', 24],
  ['b', 'aB', 25],
  ['b', 'AB', 15],
  ['b', '1b', 15],
  ['b', 'zb', 15],
  ['b', 'Zb', 15],
  ['b', '9b', 15],
  ['b', 'àb', 15],
  ['b', '×b', 15],
  ['b', '@b', 25],
  ['b', '[b', 25],
  ['b', '`b', 25],
  ['b', '{b', 25],
  ['b', ':b', 25],
  ['é', '-é', 25],
  ['-', 'a-', 15],
] as const)('%s in %s scores %d', (query, text, score) => {
  expect(fuzzyMatch(query, text)?.score).toBe(score);
  expect(createFuzzyScorer(query)(text)).toBe(score);
});

test('of two places that are as good the first is taken', () => {
  expect(fuzzyMatch('b', 'a-b-b')?.positions).toEqual([2]);
  expect(fuzzyMatch('ab', 'a-b a-b')?.positions).toEqual([0, 2]);
});

test('spaces alone match everything, and are not typed letters', () => {
  expect([fuzzyMatch('  ', 'abc'), createFuzzyScorer(' ')('abc')]).toEqual([{score: 0, positions: []}, 0]);
  expect(fuzzyMatch(`${'a '.repeat(64)}`, 'a'.repeat(64))?.positions).toHaveLength(64);
});
