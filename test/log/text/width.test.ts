import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {isDisputed} from '#log/text/code-point-class.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {cellWidth, skipCells} from '#log/text/width.ts';
import {isThorough} from '../../support/thorough.ts';
import {createEmulator} from '../emulator.ts';

/** A hundred thousand characters of which each is like the next. */
const uniform = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Tangut}\p{Cn}\p{Co}]/u;

/**
 * Every code point that passes by itself or on a letter, as the text that shows it; of those that are like their
 * neighbours, one in sixteen in `npm test`.
 */
const passingTexts = (): string[] => {
  const texts: string[] = [];
  for (let codePoint = 0x20; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (!isThorough && codePoint % 16 !== 0 && uniform.test(character)) {
      continue;
    }
    if (sanitise(character) === character) {
      texts.push(character);
    } else if (sanitise(`x${character}`) === `x${character}`) {
      texts.push(`x${character}`);
    }
  }
  return texts;
};

const passing = passingTexts();

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301\u0302', 1],
  ['日本語', 6],
  ['ｱﾞ', 2],
  ['Ａ', 2],
  ['😀', 2],
  ['❤', 1],
  ['한', 2],
  ['नि', 2],
  ['␛�…◌', 4],
])('%j takes %i cells', (text, cells) => {
  expect(cellWidth(text)).toBe(cells);
});

test('every code point that passes is as wide as an independent table says', () => {
  const wrong = passing.filter(text => cellWidth(text) !== stringWidth(text));
  expect(wrong).toEqual([]);
});

test('every code point that passes and is not in dispute moves the cursor of an old terminal by its width', async () => {
  const emulator = createEmulator(1000);
  try {
    const undisputed = passing.filter(text => !isDisputed(text));
    expect(undisputed.length).toBeGreaterThan(isThorough ? 130_000 : 20_000);
    const wrong: string[] = [];
    // Three hundred at a time fit into the row: a wrong one shows in the sum.
    for (let start = 0; start < undisputed.length; start += 300) {
      const group = undisputed.slice(start, start + 300);
      if ((await emulator.measure(group.join(''))) !== cellWidth(group.join(''))) {
        wrong.push(group.join(''));
      }
    }
    expect(wrong).toEqual([]);
  } finally {
    emulator.dispose();
  }
});

test('emoji, Indic vowel signs and new scripts are in dispute, European and East Asian text is not', () => {
  expect(['😀', 'का', '☔', '\u{17000}', 'ﾞ', '䷀'].map(isDisputed)).toEqual([true, true, true, true, true, true]);
  expect(['abc', 'é', 'e\u0301', '日本', '한', 'Ａ', '● ─ …', 'שָׁ'].map(isDisputed)).toEqual(Array(8).fill(false));
});

test('skipping stops before a wide character that does not fit, and takes marks with their base', () => {
  expect(skipCells('abc', 0, 2)).toEqual({index: 2, cells: 2});
  expect(skipCells('abc', 1, 9)).toEqual({index: 3, cells: 2});
  expect(skipCells('日本', 0, 3)).toEqual({index: 1, cells: 2});
  expect(skipCells('ae\u0301b', 0, 2)).toEqual({index: 3, cells: 2});
  expect(skipCells('ab\u0301c', 0, 1)).toEqual({index: 1, cells: 1});
  expect(skipCells('😀a', 0, 2)).toEqual({index: 2, cells: 2});
  expect(skipCells('abc', 1, 0)).toEqual({index: 1, cells: 0});
});
