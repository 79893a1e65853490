import {expect, test} from 'vitest';
import {composeRows, isSameBlock} from '#terminal/screen/frame-change.ts';

test('rows stand in the place of one, and what is below moves down', () => {
  expect(composeRows('head\n\nfoot', {rowIndex: 1, rows: ['a', 'b']}, 5)).toEqual(['head', 'a', 'b', 'foot', '']);
  expect(composeRows('head\n\nfoot', {rowIndex: 1, rows: ['a', 'b', 'c']}, 3)).toEqual(['head', 'a', 'b']);
  expect(composeRows('head\nfoot', {rows: []}, 2)).toEqual(['head', 'foot']);
});

test('rows beside others begin in one column, however wide those are drawn', () => {
  const beside = {rowIndex: 1, columnIndex: 8, rows: ['x', 'y', 'z', 'past the end']};
  const frame = 'head\n\u001b[31m漢字\u001b[0m\n\u001b]8;;https://a.example\u0007link\u001b]8;;\u0007\n';
  const rows = composeRows(frame, {rowIndex: 3, rows: [''], beside}, 4);
  expect(rows.map(row => row.replaceAll(/\u001b(?:\[[0-9;]*m|\]8;[^\u0007]*\u0007)/g, ''))).toEqual([
    'head',
    '漢字    x',
    'link    y',
    '        z',
  ]);
});

test('blocks differ in any row, and in where they stand', () => {
  const block = {rowIndex: 1, rows: ['a'], beside: {rowIndex: 1, columnIndex: 8, rows: ['x']}};
  expect(isSameBlock(block, structuredClone(block))).toBe(true);
  expect(isSameBlock(block, {...block, rows: ['b']})).toBe(false);
  expect(isSameBlock(block, {...block, rowIndex: 2})).toBe(false);
  expect(isSameBlock(block, {...block, beside: {...block.beside, columnIndex: 9}})).toBe(false);
  expect(isSameBlock(block, {...block, beside: {...block.beside, rows: ['y']}})).toBe(false);
  expect(isSameBlock(block, undefined)).toBe(false);
});
