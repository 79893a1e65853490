import {expect, test} from 'vitest';
import {createStyleTable} from '#terminal/screen/cells/cell-style.ts';
import {blankCell, parseRow} from '#terminal/screen/cells/row-cells.ts';

const styles = createStyleTable({colours: 'true', hasItalics: true, hasLinks: true});
const textsOf = (row: string, columnsMax = 20): readonly string[] =>
  parseRow(row, columnsMax, styles).map(({text}) => text);
const stylesOf = (row: string): readonly string[] =>
  parseRow(row, 20, styles).map(({text, style}) => text + style.sent);

test('a character has a cell, a wide one two, and marks are in that of their character', () => {
  expect(textsOf('ab')).toEqual(['a', 'b']);
  expect(textsOf('日x')).toEqual(['日', '', 'x']);
  expect(textsOf('e\u0301x\u{20d0}')).toEqual(['e\u0301', 'x\u20d0']);
  expect(textsOf(' ~')).toEqual([' ', '~']);
  expect(textsOf('x\u00a0é')).toEqual(['x', '\u00a0', 'é']);
});

test('equal characters in one style are one object, also after the style came another way', () => {
  const [first, second, third] = parseRow('é\u001b[1m\u001b[mé\u001b[1mé', 20, styles);
  expect(first).toBe(second);
  expect(third).not.toBe(first);
  expect(third?.style).toBe(parseRow('\u001b[1mx', 20, styles)[0]?.style);
  expect(blankCell(styles)).toBe(parseRow(' x', 20, styles)[0]);
});

test('a row ends with the screen, and a wide character that does not fit is not begun', () => {
  expect(textsOf('abcdef', 3)).toEqual(['a', 'b', 'c']);
  expect(textsOf('a日本', 5)).toEqual(['a', '日', '', '本', '']);
  expect(textsOf('a日本x', 4)).toEqual(['a', '日', '']);
  expect(textsOf('abe\u0301', 3)).toEqual(['a', 'b', 'e\u0301']);
  expect(textsOf('éa', 1)).toEqual(['é']);
  expect(textsOf('ab', 0)).toEqual([]);
});

test('blanks at the end are none, unless they are coloured', () => {
  expect(textsOf('a b  ')).toEqual(['a', ' ', 'b']);
  expect(textsOf('   ')).toEqual([]);
  expect(textsOf('a\u001b[7m \u001b[m ')).toEqual(['a', ' ']);
});

test('a sequence of colour changes the style of what follows', () => {
  const [plain = '', red = '', both = '', reset = ''] = stylesOf('a\u001b[31mb\u001b[1mc\u001b[md');
  expect([plain, reset]).toEqual(['a', 'd']);
  expect([red, both]).toEqual(['b31', 'c1;31']);
  expect(stylesOf('\u001b[38:5:1ma')).toEqual(stylesOf('\u001b[38;5;1ma'));
});

test.each([
  ['a cursor movement', '\u001b[2Jx'],
  ['one with a prefix', '\u001b[?1049hx'],
  ['an ending in m that is no colour', '\u001b[>4mx'],
  ['a title', '\u001b]0;title\u0007x'],
  ['a title ended by ST', '\u001b]0;title\u001b\\x'],
  ['a device string', '\u001bPq\u001b\\x'],
  ['ESC and a character', '\u001bcx'],
  ['ESC before a control', '\u001b\u0001x'],
  ['controls', '\u0000\u001f\u007f\u0080\u009fx'],
  ['a mark without a base', '\u0301x'],
  ['a selector', '\ufe0fx'],
])('%s draws nothing', (_, row) => {
  expect(textsOf(row)).toEqual(['x']);
});

test('what hides text is replaced, and its marks are its own', () => {
  expect(textsOf('a\u202eb\u200bc')).toEqual(['a', '\ufffd', 'b', '\ufffd', 'c']);
});

test('four marks stay on a character, of any script', () => {
  expect(textsOf(`a${'\u0301'.repeat(6)}b`)).toEqual([`a${'\u0301'.repeat(4)}`, 'b']);
  expect(textsOf(`é${'\u0301'.repeat(6)}b`)).toEqual([`é${'\u0301'.repeat(4)}`, 'b']);
});

test('a link is of the cells after it, and only https is linked', () => {
  const linksOf = (row: string): readonly string[] => parseRow(row, 20, styles).map(({style}) => style.link);
  const link = (address: string): string => `\u001b]8;;${address}\u001b\\`;
  expect(linksOf(`a${link('https://x.example/')}b${link('')}c`)).toEqual(['', 'https://x.example/', '']);
  expect(linksOf(`${link('file:///etc')}a`)).toEqual(['']);
});
