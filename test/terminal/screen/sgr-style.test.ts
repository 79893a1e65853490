import {expect, test} from 'vitest';
import {isDumbTerm} from '#terminal/screen/capabilities.ts';
import {applySgr, nearestOf16, nearestOf256, paletteRgb, slotsOf, styleOf} from '#terminal/screen/sgr-style.ts';

test.each([
  // What sets an attribute, in an order that is always the same.
  ['', '31', '31'],
  ['', '31;1', '1;31'],
  ['', '53;9;8;7;5;4;3;2;1', '1;2;3;4;5;7;8;9;53'],
  ['', '97;107', '97;107'],
  ['', '30;40', '30;40'],
  ['', '37;47', '37;47'],
  ['', '90;100', '90;100'],
  ['31;41', '32', '32;41'],
  ['31;41', '42', '31;42'],
  // Long colours, with semicolons and with colons.
  ['', '38;5;22', '38;5;22'],
  ['', '38;2;1;2;3', '38;2;1;2;3'],
  ['', '48;5;22;1', '1;48;5;22'],
  ['', '58;5;22', '58;5;22'],
  ['', '38:2::1:2:3;4:3', '4:3;38:2::1:2:3'],
  ['', '38;5', '5'],
  ['', '38;2;1;2', '1;2'],
  ['', '38;7;1', '1;7'],
  ['', '48;2;1;2;3;5', '5;48;2;1;2;3'],
  // What clears.
  ['1;31', '0', ''],
  ['1;31', '', ''],
  ['1;31', '0;4', '4'],
  ['1;31', '4;', ''],
  ['1;2;3;31', '22', '3;31'],
  ['1;3', '23', '1'],
  ['1;4', '24', '1'],
  ['1;4', '4:0', '1'],
  ['1;5', '25', '1'],
  ['1;7', '27', '1'],
  ['1;8', '28', '1'],
  ['1;9', '29', '1'],
  ['1;53', '55', '1'],
  ['31;41;58;5;1', '39', '41;58;5;1'],
  ['31;41;58;5;1', '49', '31;58;5;1'],
  ['31;41;58;5;1', '59', '31;41'],
  // What is not known.
  ['1', '6', '1'],
  ['1', '29', '1'],
  ['1', '38', '1'],
  ['1', '98', '1'],
  ['1', '89', '1'],
  ['1', '48', '1'],
  ['1', '99', '1'],
  ['1', '108', '1'],
  ['1', '26', '1'],
])('“%s” with %s is “%s”', (style, parameters, expected) => {
  expect(applySgr(style, parameters)).toBe(expected);
});

test('a style is its slots, joined', () => {
  expect(slotsOf('1;3;4:3;31;48;5;7;58;5;2')).toEqual([
    ...['1', '', '3', '4:3', '', '', '', '', '', '31', '48;5;7', '58;5;2'],
  ]);
  expect(slotsOf('')).toEqual(Array(12).fill(''));
  expect(styleOf(slotsOf('1;31'))).toBe('1;31');
});

test.each([
  [0, [0, 0, 0]],
  [1, [205, 0, 0]],
  [7, [229, 229, 229]],
  [8, [127, 127, 127]],
  [15, [255, 255, 255]],
  [16, [0, 0, 0]],
  [17, [0, 0, 95]],
  [21, [0, 0, 255]],
  [22, [0, 95, 0]],
  [51, [0, 255, 255]],
  [52, [95, 0, 0]],
  [110, [135, 175, 215]],
  [231, [255, 255, 255]],
  [232, [8, 8, 8]],
  [255, [238, 238, 238]],
  [256, [238, 238, 238]],
] as const)('colour %d of the 256 is %j', (index, rgb) => {
  expect(paletteRgb(index)).toEqual(rgb);
});

test('each colour is the nearest to itself, but for the first sixteen of the 256', () => {
  const indexes = Array.from({length: 240}, (_, index) => 16 + index);
  expect(
    indexes.filter(index => String(paletteRgb(nearestOf256(paletteRgb(index)))) !== String(paletteRgb(index))),
  ).toEqual([]);
  expect(Array.from({length: 16}, (_, index) => nearestOf16(paletteRgb(index)))).toEqual(
    Array.from({length: 16}, (_, index) => index),
  );
  expect(nearestOf256([205, 0, 0])).toBeGreaterThanOrEqual(16);
  expect(nearestOf256([238, 238, 238])).toBe(255);
});

test.each([
  [[250, 5, 5], 9, 196],
  [[120, 0, 0], 1, 88],
  [[0, 0, 120], 4, 18],
  [[60, 60, 60], 0, 237],
  [[100, 100, 255], 12, 63],
  [[255, 128, 0], 3, 208],
  [[128, 0, 255], 5, 93],
  [[0, 128, 64], 2, 29],
  [[180, 180, 180], 7, 249],
  [[90, 60, 30], 0, 237],
] as const)('%j is nearest to %d of sixteen and %d of 256', (rgb, of16, of256) => {
  expect([nearestOf16(rgb), nearestOf256(rgb)]).toEqual([of16, of256]);
});

test('a terminal without a name, or with one that says so, supports nothing', () => {
  expect([undefined, '', 'dumb', 'unknown', 'xterm', 'dumb2'].map(isDumbTerm)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
