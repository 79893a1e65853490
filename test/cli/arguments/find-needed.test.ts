import {expect, test} from 'vitest';
import {compilePattern, findNeeded} from '#cli/arguments/logs-options.ts';
import {createSeededRandom} from '../../support/kubernetes/truth/seeded-random.ts';

test.each<readonly [source: string, needs: readonly string[] | undefined]>([
  ['product/77777', ['product/77777']],
  ['product/7777\\d', ['product/7777']],
  ['timeout|refused', ['timeout', 'refused']],
  ['colou?r', ['colo']],
  ['ab*?cde', ['cde']],
  ['ab+cd', ['ab']],
  ['x{2}yz', ['yz']],
  ['[abc]def', ['def']],
  ['^start', ['start']],
  ['\\d+', undefined],
  ['error|', undefined],
  ['error|\\d', undefined],
  ['(?i)error', undefined],
  ['(a|b)error', undefined],
  ['\\x41BC', undefined],
  ['\\pLabc', undefined],
  ['[[:digit:]]x', undefined],
  ['Fehler bei Größe', undefined],
])('each match of %s has one of %j', (source, needs) => {
  expect(findNeeded(source)).toEqual(needs);
});

test('a text without what an expression needs never matches it', () => {
  const seed = Number(process.env.SEED ?? 20_261_127);
  const random = createSeededRandom(seed);
  const draw = (letters: string, count: number): string =>
    Array.from({length: count}, () => letters[random.between(0, letters.length - 1)]).join('');
  const wrong: string[] = [];
  for (let round = 0; round < 20_000; round += 1) {
    const source = draw('aabbcc?*+.|^$[]{2}\\d', random.between(1, 9));
    try {
      const {test: matches, needs} = compilePattern('--grep', source);
      const text = draw('abc2d', random.between(0, 6));
      if (matches(text) && needs && !needs.some(each => text.includes(each))) {
        wrong.push(`${source} matches ${text}, seed ${seed}`);
      }
    } catch {
      // No expression.
    }
  }
  expect(wrong).toEqual([]);
});
