import {expect, test} from 'vitest';
import {parseDurationMs} from '#log/tokens/time-words.ts';

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
  ['1h30m', 5_400_000],
  ['1 s', 1_000],
  ['15min', 900_000],
  ['2 hours 5 minutes', 7_500_000],
  ['1d', 86_400_000],
  ['1W', 604_800_000],
  ['1461d', undefined],
  ['-1s', undefined],
  ['1h30', undefined],
  ['1 fortnight', undefined],
  ['1e3', undefined],
  ['.5s', undefined],
  ['', undefined],
  ['s', undefined],
  ['Infinity', undefined],
])('%j is %j ms', (text, expected) => {
  expect(parseDurationMs(text)).toBe(expected);
});
