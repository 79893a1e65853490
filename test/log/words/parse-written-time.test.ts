import {expect, test} from 'vitest';
import {formatInstant, parseInstant} from '../../../src/log/line/instant.ts';
import {parseWrittenTime} from '../../../src/log/words/parse-written-time.ts';

const nowAt = parseInstant('2026-11-22T14:00:00Z') ?? 0n;

test.each([
  ['21/Nov/2026:14:02:11 +0000', '2026-11-21T14:02:11.000000000Z'],
  ['21/Nov/2026:14:02:11 +0130', '2026-11-21T12:32:11.000000000Z'],
  ['Nov 21 14:02:11', '2026-11-21T14:02:11.000000000Z'],
  ['Dec  1 14:02:11', '2025-12-01T14:02:11.000000000Z'],
  ['Sat Nov 21 14:02:11.123456 2026', '2026-11-21T14:02:11.123456000Z'],
  ['2026/11/21 14:02:11', '2026-11-21T14:02:11.000000000Z'],
  ['2005-06-03-15.42.50.675872', '2005-06-03T15:42:50.675872000Z'],
  ['2026-11-21T14:02:11.5+01:00', '2026-11-21T13:02:11.500000000Z'],
  ['14:02:11', '2026-11-21T14:02:11.000000000Z'],
  ['1770000000', '2026-02-02T02:40:00.000000000Z'],
  ['1770000000123', '2026-02-02T02:40:00.123000000Z'],
])('%s is %s', (text, time) => {
  const at = parseWrittenTime(text, {nowAt});
  expect(at && formatInstant(at)).toBe(time);
});

test.each(['', 'soon', '081109 203615', '40/Nov/2026:14:02:11', 'Xyz 21 14:02:11', '2026/11/21 25:02:11'])(
  '%j is none',
  text => {
    expect(parseWrittenTime(text, {nowAt})).toBeUndefined();
  },
);
