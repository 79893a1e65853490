import {expect, test} from 'vitest';
import {composeRows, isSameBlock} from '#terminal/screen/frame-change.ts';

test('rows stand in the place of one, and what is below moves down', () => {
  expect(composeRows('head\n\nfoot', {rowIndex: 1, rows: ['a', 'b']}, 5)).toEqual(['head', 'a', 'b', 'foot', '']);
  expect(composeRows('head\n\nfoot', {rowIndex: 1, rows: ['a', 'b', 'c']}, 3)).toEqual(['head', 'a', 'b']);
  expect(composeRows('head\nfoot', {rows: []}, 2)).toEqual(['head', 'foot']);
});

test('blocks differ in any row, and in where they stand', () => {
  const block = {rowIndex: 1, rows: ['a']};
  expect(isSameBlock(block, structuredClone(block))).toBe(true);
  expect(isSameBlock(block, {...block, rows: ['b']})).toBe(false);
  expect(isSameBlock(block, {...block, rowIndex: 2})).toBe(false);
  expect(isSameBlock(block, {...block, rows: ['a', 'b']})).toBe(false);
  expect(isSameBlock(block, undefined)).toBe(false);
});
