import {expect, test} from 'vitest';
import {classOf, codePointClass} from '#log/text/code-point-class.ts';
import {cutMiddle} from '#log/text/cut.ts';
import {codePointWidth, pictureOfControl} from '#log/text/width.ts';

test.each<readonly [keyof typeof codePointClass, readonly number[]]>([
  [
    'replaced',
    [
      // Controls, format characters, fillers, blanks, conjoining letters, surrogates, private and unassigned ones.
      ...[0, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x200b, 0x200d, 0x202e, 0x2028, 0x2029, 0x2060, 0x3164, 0xffa0],
      ...[0x2800, 0x1d159, 0x1100, 0x11ff, 0xa960, 0xa97c, 0xd7b0, 0x16d63, 0x16d67, 0x16d6a, 0xd800, 0xe000],
      ...[0x378, 0x302e, 0x33fff, 0x34000, 0xe0001, 0xe00ff, 0xe01f0, 0x10ffff],
    ],
  ],
  ['narrow', [0x20, 0x7e, 0xe9, 0x2010, 0x2026, 0x205e, 0x2190, 0x2319, 0x2500, 0x25fc, 0x2764, 0x16d6b, 0xff61]],
  ['wide', [0x231a, 0x25fd, 0x25fe, 0x2630, 0x3042, 0x4e00, 0xac00, 0xff01, 0x1f600, 0x20000, 0x30000, 0x3134a]],
  ['mark', [0x300, 0x36f, 0x20d0, 0x20dd, 0x3099]],
  ['spacingMark', [0x903, 0x93e, 0xe33, 0xeb3, 0xff9e, 0xff9f]],
  ['selector', [0xfe00, 0xfe0e, 0xfe0f, 0x180b, 0xe0100, 0xe01ef]],
  ['skinTone', [0x1f3fb, 0x1f3ff]],
  ['regional', [0x1f1e6, 0x1f1ff]],
])('%s: %j', (name, codePoints) => {
  const others = codePoints.filter(codePoint => classOf(codePoint) !== codePointClass[name]);
  expect(others.map(codePoint => codePoint.toString(16))).toEqual([]);
});

test('among punctuation and arrows, what is not drawn is replaced', () => {
  const replaced = [0x200f, 0x2028, 0x202f, 0x205f, 0x206f, 0x232a].map(classOf);
  expect(replaced).toEqual([
    codePointClass.replaced,
    codePointClass.replaced,
    codePointClass.narrow,
    codePointClass.narrow,
    codePointClass.replaced,
    codePointClass.wide,
  ]);
});

test.each([
  [0x2ff, 1],
  [0x300, 0],
  [0x1f1e6, 2],
  [0x1f3fb, 2],
  [0xfe0f, 0],
  [0x93e, 1],
  [0x4e00, 2],
  [0x202e, 1],
])('the code point %d takes %d cells', (codePoint, cells) => {
  expect(codePointWidth(codePoint)).toBe(cells);
});

test.each([
  ['abcdefg', 7, 'abcdefg'],
  ['abcdefg', 6, 'abc…fg'],
  ['abcdefg', 5, 'ab…fg'],
  ['abcdefg', 2, 'a…'],
  ['abcdefg', 1, '…'],
  ['日本語日本語', 7, '日 … 語'],
  ['日本語', 6, '日本語'],
])('%s cut in the middle to %d cells is %s', (text, cells, cut) => {
  expect(cutMiddle(text, cells)).toBe(cut);
});

test('controls have pictures, and others marks', () => {
  expect([0, 9, 0x1f, 0x7f, 0x85, 0x84, 0x9f].map(pictureOfControl)).toEqual(['␀', '␉', '␟', '␡', '␤', '�', '�']);
});
