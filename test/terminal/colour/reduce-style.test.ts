import {expect, test} from 'vitest';
import {reduceStyle} from '../../../src/terminal/colour/reduce-style.ts';

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
