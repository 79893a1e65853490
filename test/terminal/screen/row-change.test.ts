import {expect, test} from 'vitest';
import {createStyleTable} from '#terminal/screen/cells/cell-style.ts';
import {createPen} from '#terminal/screen/cells/pen.ts';
import {blankCell, parseRow} from '#terminal/screen/cells/row-cells.ts';
import {drawRowChange} from '#terminal/screen/frame-change.ts';

const styles = createStyleTable({colours: 'true', hasItalics: true, hasLinks: true});

/** The bytes that turn the first row of a screen into another, with `^` for CSI. */
const change = (before: string, after: string, columns = 20): string => {
  const pen = createPen(styles.plain);
  const [old, next] = [before, after].map(row => parseRow(row, columns, styles));
  drawRowChange(pen, old ?? [], next ?? [], 0, {blank: blankCell(styles), columns});
  return pen.finish().replaceAll('\u001b[', '^');
};

test('of two rows that are the same nothing is written', () => {
  expect(change('abc', 'abc')).toBe('');
  expect(change('abc', 'abc  ')).toBe('');
  expect(change('', '')).toBe('');
});

test('cells that changed are written at their place, as one where they stand together', () => {
  expect(change('abcdef', 'xbcdef')).toBe('^1Hx');
  expect(change('abcdef', 'abxyef')).toBe('^1;3Hxy');
  expect(change('abc', 'abcde')).toBe('^1;4Hde');
});

test('what is longer than the new row is erased, and blanks within it are written', () => {
  expect(change('abcdef', 'ab')).toBe('^1;3H^K');
  expect(change('abcdef', '')).toBe('^1H^K');
  expect(change('abcdef', 'xb')).toBe('^1Hx^C^K');
  expect(change('abcd', 'a  d')).toBe('^1;2H  ');
  expect(change('ab d', 'ab')).toBe('^1;4H^K');
});

test('up to four cells between changes are written again, and the cursor goes over more', () => {
  expect(change('a1234b', 'x1234y')).toBe('^1Hx1234y');
  expect(change('a12345b', 'x12345y')).toBe('^1Hx^5Cy');
});

test('cells in between are left if they have another style or may be of another width', () => {
  expect(change('a\u001b[1m1\u001b[mb', 'x\u001b[1m1\u001b[my')).toBe('^1Hx^Cy');
  expect(change('a日b', 'x日y')).toBe('^1Hx^2Cy');
});

test('a change of the style alone is a change', () => {
  expect(change('abc', 'a\u001b[31mb\u001b[mc')).toBe('^1;2H^31mb^m');
  expect(change('abc', '\u001b[31mab\u001b[mc')).toBe('^1H^31mab^m');
  expect(change('ab', '\u001b[31ma\u001b[32mb')).toBe('^1H^31ma^32mb^m');
});

test('a blank is like any other unless it has a background, a line or a link', () => {
  expect(change('', '\u001b[31ma\u001b[32m \u001b[33mb\u001b[m')).toBe('^1H^31ma ^33mb^m');
  expect(change('', '\u001b[31ma      b\u001b[m')).toBe('^1H^31ma^6Cb^m');
  expect(change('a b', 'a\u001b[31m \u001b[mb')).toBe('');
  expect(change('a b', 'a\u001b[41m \u001b[mb')).toBe('^1;2H^41m ^m');
  expect(change('a b', 'a\u001b[4m \u001b[mb')).toBe('^1;2H^4m ^m');
  expect(change('a b', 'a\u001b[7m \u001b[mb')).toBe('^1;2H^7m ^m');
  expect(change('', '\u001b[7ma \u001b[31mb\u001b[m')).toBe('^1H^7ma ^31mb^m');
});

test('of a wide character both columns are written', () => {
  expect(change('abc', '日c')).toBe('^1H日');
  expect(change('日c', 'abc')).toBe('^1Hab');
  expect(change('日本', '日語')).toBe('^1;3H語');
  expect(change('日本', 'a本')).toBe('^1Ha本^K');
});
