import {expect, test} from 'vitest';
import {parseRetryAfter} from '#base/retry-after.ts';

const nowMs = Date.parse('1994-11-06T08:49:37Z');

test.each([
  ['5', 5_000],
  [' 5 ', 5_000],
  ['0', 1_000],
  ['601', 600_000],
  ['99999999999999999999', 600_000],
  ['Sun, 06 Nov 1994 08:50:07 GMT', 30_000],
  ['Sunday, 06-Nov-94 08:50:07 GMT', 30_000],
  ['Sun Nov  6 08:50:07 1994', 30_000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 1_000],
  ['Sun, 06 Nov 2094 08:00:00 GMT', 600_000],
  ['-1', undefined],
  ['1.5', undefined],
  ['2026-01-01', undefined],
  ['Sun, soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j is %j ms', (header, expected) => {
  expect(parseRetryAfter(header, nowMs)).toBe(expected);
});
