import {expect, test} from 'vitest';
import {parseDurationMs} from '../../../src/config/values/parse-duration.ts';

test.each([
  ['500ms', 500],
  ['15s', 15_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['2', 2_000],
  ['1.5s', 1_500],
  ['0', 0],
  [' 3s ', 3_000],
  ['1000h', 3_600_000_000],
  ['1001h', undefined],
  ['-1s', undefined],
  ['1 s', undefined],
  ['1d', undefined],
  ['1e3', undefined],
  ['.5s', undefined],
  ['', undefined],
  ['s', undefined],
  ['Infinity', undefined],
])('%j is %j ms', (text, expected) => {
  expect(parseDurationMs(text)).toBe(expected);
});
