import {describe, expect, test} from 'vitest';
import {fitRow, fitsParts, joinParts, type Part, rowWidth, wrapProse} from '#app/rows/fit-row.ts';
import {branchTones, highlightTones, lightRow, matchSpans, span, tones, type ViewRow} from '#app/rows/view-row.ts';
import {textOf} from '../../support/play.ts';

const pieces = (row: ViewRow): readonly string[] => row.map(({text, tone}) => `${tone}:${text}`);

describe('a row', () => {
  const row = [span('ab', 'bad'), span('日本', 'good')];

  test('is as wide as its cells', () => {
    expect([rowWidth(row), rowWidth([])]).toEqual([6, 0]);
  });

  test.each<readonly [columns: number, fitted: readonly string[]]>([
    [8, ['bad:ab', 'good:日本', 'plain:  ']],
    [7, ['bad:ab', 'good:日本', 'plain: ']],
    [6, ['bad:ab', 'good:日本']],
    [5, ['bad:ab', 'good:日…']],
    [3, ['bad:ab', 'good:…']],
    [2, ['bad:ab']],
    [1, ['bad:…']],
    [0, []],
  ])('is fitted into %i columns', (columns, fitted) => {
    expect(pieces(fitRow(row, columns))).toEqual(fitted);
  });

  test('is lit over its width', () => {
    expect(lightRow(row)).toEqual(row.map(part => ({...part, isLit: true})));
  });
});

describe('parts of a row', () => {
  const part = (text: string, rank: number): Part => ({row: text === '' ? [] : [span(text)], rank});
  const joined = (columns: number, ...parts: readonly Part[]): string => textOf(joinParts(parts, columns));

  test('stand three blanks apart, a blank at either edge; those that are empty take no room', () => {
    expect(joined(14, part('aa', 0), part('', 0), part('bb', 0))).toBe(' aa   bb      ');
    expect(fitsParts([part('aa', 0), part('', 0), part('bb', 0)], 9)).toBe(true);
    expect(fitsParts([part('aa', 0), part('', 0), part('bb', 0)], 8)).toBe(false);
    expect(joined(9, part('aa', 0), part('bb', 1))).toBe(' aa   bb ');
    expect(joined(8, part('aa', 0), part('bb', 1))).toBe(' aa     ');
  });

  test('are dropped by rank, of one rank the last first; one stays, and is cut', () => {
    expect(joined(9, part('aa', 2), part('bb', 1), part('cc', 1)).trim()).toBe('bb   cc');
    expect(joined(9, part('aa', 1), part('bb', 1), part('cc', 1)).trim()).toBe('aa   bb');
    expect(joined(4, part('aaaaaa', 1), part('bb', 0))).toBe(' bb ');
    expect(joined(4, part('aaaaaa', 1))).toBe(' aa…');
  });

  test('have one at the right edge, with a blank beyond it, while there is room for it', () => {
    const right = part('rr', 1);
    const at = (columns: number, rank = 1): string => textOf(joinParts([part('aa', 0)], columns, {...right, rank}));
    expect(at(14)).toBe(' aa        rr ');
    expect(at(9)).toBe(' aa   rr ');
    expect(at(8)).toBe(' aa     ');
    expect(textOf(joinParts([part('aa', 1)], 8, part('rr', 0)))).toBe('     rr ');
    expect(textOf(joinParts([part('aaaa', 1)], 3, part('rr', 0)))).toBe('  …');
    expect(at(14).length).toBe(14);
  });
});

describe('letters that a filter found', () => {
  const found = (positions: readonly number[] | undefined, length?: number): readonly string[] =>
    pieces(matchSpans('abcdef', 'dim', positions && {score: 1, positions}, length));

  test('stand out, neighbours together', () => {
    expect(found(undefined)).toEqual(['dim:abcdef']);
    expect(found([0])).toEqual(['hit:a', 'dim:bcdef']);
    expect(found([1, 2, 4])).toEqual(['dim:a', 'hit:bc', 'dim:d', 'hit:e', 'dim:f']);
    expect(found([4, 5])).toEqual(['dim:abcd', 'hit:ef']);
    expect(found([0, 1, 2, 3, 4, 5])).toEqual(['hit:abcdef']);
  });

  test('only as far as the text is the one that was searched', () => {
    expect(found([1, 3, 4], 4)).toEqual(['dim:a', 'hit:b', 'dim:c', 'hit:d', 'dim:ef']);
    expect(found([4], 4)).toEqual(['dim:abcdef']);
  });
});

describe('a sentence', () => {
  const wrapped = (columns: number, ...sentence: ViewRow): readonly string[] =>
    wrapProse(sentence, columns).map(textOf);

  test('is wrapped at blanks, each row indented by three; the blank at a break is dropped', () => {
    expect(wrapped(12, span('one two three'))).toEqual(['   one two', '   three']);
    expect(wrapped(10, span('one two three'))).toEqual(['   one two', '   three']);
    expect(wrapped(9, span('one two three'))).toEqual(['   one', '   two', '   three']);
    expect(wrapped(16, span('one two three'))).toEqual(['   one two three']);
    expect(wrapped(5, span('incomprehensible x'))).toEqual(['   incomprehensible', '   x']);
    expect(wrapped(10, span('one two'), span(' '), span('three'))).toEqual(['   one two', '   three']);
    expect(wrapped(10, span(''))).toEqual(['']);
  });

  test('keeps the tones of its words', () => {
    expect(wrapProse([span('Press '), span('q', 'strong'), span(' to quit')], 12).map(pieces)).toEqual([
      ['plain:   ', 'plain:Press ', 'strong:q', 'plain:'],
      ['plain:   ', 'plain:to ', 'plain:quit'],
    ]);
  });
});

test('there are tones for six highlights and eight branches, in six themes each', () => {
  expect([highlightTones.length, branchTones.length]).toEqual([6, 8]);
  expect([...highlightTones, ...branchTones].every(tone => tones[tone].length === 6)).toBe(true);
  expect(tones.lit).toEqual(['7', '7', '48;5;237', '48;5;195', '48;2;0;34;102', '48;2;215;255;255']);
  expect(tones.hit[2]).toBe('38;5;234;48;5;222');
  expect(tones.highlight1.slice(4)).toEqual(['38;2;0;0;0;48;2;102;255;255', '38;2;255;255;255;48;2;0;74;74']);
});
