import {expect, test} from 'vitest';
import {reduceStyle} from '#terminal/screen/sgr-style.ts';

const to = (colours: 0 | 16 | 256 | 'true', style: string) => reduceStyle(style, {colours, hasItalics: false});

test.each([
  ['38;2;255;0;0', 'true', '38;2;255;0;0'],
  ['38;2;255;0;0', 256, '38;5;196'],
  ['38;5;196', 16, '91'],
  ['31', 16, '31'],
  ['31', 0, ''],
  ['48;2;0;0;0', 16, '40'],
  ['1;3;4;31', 16, '1;4;31'],
  ['1;44', 0, '1'],
] as const)('%s for %s colours is "%s"', (style, colours, expected) => {
  expect(to(colours, style)).toBe(expected);
});

test('two colours that become one are black or white on it, so that the text stays visible', () => {
  expect(to(16, '38;2;250;250;250;48;2;255;255;255')).toBe('30;107');
  expect(to(16, '38;2;5;5;5;48;2;0;0;0')).toBe('97;40');
});

test.each([
  // The sixteen, in both halves, above and below.
  ['30', 16, '30'],
  ['37', 16, '37'],
  ['90', 16, '90'],
  ['97', 16, '97'],
  ['40', 16, '40'],
  ['107', 16, '107'],
  ['38;5;7', 16, '37'],
  ['38;5;8', 16, '90'],
  ['38;5;15', 'true', '97'],
  ['38;5;16', 256, '38;5;16'],
  ['38;5;16', 16, '30'],
  ['38;5;255', 256, '38;5;255'],
  ['48;5;255', 'true', '48;5;255'],
  ['48;2;1;2;3', 'true', '48;2;1;2;3'],
  // With colons, with a colour space and without.
  ['38:2::1:2:3', 'true', '38;2;1;2;3'],
  ['38:2:1:2:3', 'true', '38;2;1;2;3'],
  ['38:5:196', 256, '38;5;196'],
  // What is no colour.
  ['38;5;256', 256, ''],
  ['38;2;1;2;256', 'true', ''],
  ['38:2:1:2', 'true', ''],
  ['38:5', 256, ''],
  ['38:9:1', 256, ''],
  ['38:5:1.5', 256, ''],
  ['38:5:-1', 256, ''],
  ['38;2;0;255;0', 'true', '38;2;0;255;0'],
  // Underlines are of one kind, and have no colour.
  ['4:3;58;5;2', 'true', '4'],
  ['4:3', 0, '4'],
] as const)('%s for %s colours is “%s”', (style, colours, expected) => {
  expect(to(colours, style)).toBe(expected);
});

test('italics stay where the terminal knows them', () => {
  expect(reduceStyle('3;31', {colours: 16, hasItalics: true})).toBe('3;31');
  expect(reduceStyle('31', {colours: 16, hasItalics: true})).toBe('31');
});

test.each([
  // What was the same before stays so: it was meant not to be seen.
  ['31;41', 16, '31;41'],
  ['38;2;1;1;1;48;2;1;1;1', 16, '30;40'],
  ['38;2;1;1;1;48;2;2;2;2', 'true', '38;2;1;1;1;48;2;2;2;2'],
  // The same of 256 as well.
  ['38;2;250;250;250;48;2;255;255;255', 256, '30;48;5;231'],
  ['38;2;250;0;0;48;2;255;0;0', 16, '97;101'],
  ['38;2;0;250;0;48;2;0;255;0', 16, '30;102'],
  ['38;2;0;0;250;48;2;0;0;240', 16, '97;44'],
  ['38;2;120;120;120;48;2;128;128;128', 16, '97;100'],
  ['38;2;1;1;1', 16, '30'],
  ['48;2;1;1;1', 16, '40'],
] as const)('two colours, %s for %s: “%s”', (style, colours, expected) => {
  expect(to(colours, style)).toBe(expected);
});
