import {describe, expect, test} from 'vitest';
import {findScroll, scrollLines} from '#terminal/screen/cells/row-scroll.ts';

describe('scrolled rows', () => {
  test.each([
    [1, 'acde_f'],
    [2, 'ade__f'],
    [4, 'a____f'],
    [9, 'a____f'],
    [-1, 'a_bcdf'],
    [-3, 'a___bf'],
  ])('by %i leave blanks behind, and those around stay', (byRows, after) => {
    expect(scrollLines([...'abcdef'], {topIndex: 1, bottomIndex: 4, byRows}, '_').join('')).toBe(after);
  });

  test('may be the first and the last', () => {
    expect(scrollLines([...'abc'], {topIndex: 0, bottomIndex: 2, byRows: 1}, '_').join('')).toBe('bc_');
    expect(scrollLines([...'abc'], {topIndex: 0, bottomIndex: 2, byRows: -1}, '_').join('')).toBe('_ab');
  });
});

/** A row of ten characters; writing it costs sixteen bytes, and a scroll twenty-four. */
const row = (letter: string): string => (letter === '.' ? '' : letter.repeat(10));
const scrollOf = (before: string, after: string) => findScroll([...before].map(row), [...after].map(row));

describe('a scroll', () => {
  test.each([
    ['abcd', 'bcde', {topIndex: 0, bottomIndex: 3, byRows: 1}],
    ['abcde', 'cdexy', {topIndex: 0, bottomIndex: 4, byRows: 2}],
    ['abcd', 'zabc', {topIndex: 0, bottomIndex: 3, byRows: -1}],
    ['abcde', 'xyabc', {topIndex: 0, bottomIndex: 4, byRows: -2}],
    ['habcdf', 'hbcdef', {topIndex: 1, bottomIndex: 4, byRows: 1}],
    ['habcdf', 'hzabcf', {topIndex: 1, bottomIndex: 4, byRows: -1}],
  ])('from %s to %s is of the rows that moved', (before, after, scroll) => {
    expect(scrollOf(before, after)).toEqual(scroll);
  });

  test.each([
    ['abcd', 'abcd'],
    ['abcd', 'wxyz'],
    ['....', 'abcd'],
    ['abcd', '....'],
    // One row saves less than the scroll costs.
    ['ab', 'bc'],
    // Two blank rows cost nothing to write.
    ['a...', '...a'],
  ])('from %s to %s is none', (before, after) => {
    expect(scrollOf(before, after)).toBeUndefined();
  });

  test('has to save more than it costs', () => {
    const scrolled = (chars: number) => {
      const [first, second] = ['b'.repeat(6), 'c'.repeat(chars)];
      return findScroll(['a', first, second], [first, second, 'd']);
    };
    expect(scrolled(6)).toBeUndefined();
    expect(scrolled(7)).toEqual({topIndex: 0, bottomIndex: 2, byRows: 1});
  });

  test('that would move rows which are in place pays for them', () => {
    // Three rows move over one that stays, which is then written again.
    expect(scrollOf('abcdef', 'bcxefg')).toEqual({topIndex: 0, bottomIndex: 5, byRows: 1});
    expect(scrollOf('abxcd', 'bcxde')).toBeUndefined();
  });

  test('is the one of several that saves most', () => {});
});
