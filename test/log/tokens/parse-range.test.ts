import {expect, test} from 'vitest';
import {formatInstant, parseInstant} from '#log/line/instant.ts';
import {isRangeText, parseRange} from '#log/tokens/time-words.ts';

const nowAt = parseInstant('2026-11-21T15:00:00Z') ?? 0n;

const clock = (at: bigint | undefined): string => (at === undefined ? '' : formatInstant(at).slice(5, 19));

test.each([
  ['14:02 to 14:05', '11-21T14:02:00', '11-21T14:05:00'],
  ['from 14:02 to 14:05', '11-21T14:02:00', '11-21T14:05:00'],
  ['14:02..14:05:30', '11-21T14:02:00', '11-21T14:05:30'],
  ['14:02 – 14:05', '11-21T14:02:00', '11-21T14:05:00'],
  ['14:02 - 14:05', '11-21T14:02:00', '11-21T14:05:00'],
  ['yesterday 23:50 to 00:10', '11-20T23:50:00', '11-21T00:10:00'],
  ['-15m to -10m', '11-21T14:45:00', '11-21T14:50:00'],
  ['14:02 to +3m', '11-21T14:02:00', '11-21T14:05:00'],
  ['today to now', '11-21T00:00:00', '11-21T15:00:00'],
  ['from 14:02', '11-21T14:02:00', ''],
  ['14:02 to', '11-21T14:02:00', ''],
  ['to 14:05', '', '11-21T14:05:00'],
  ['until 14:05', '', '11-21T14:05:00'],
  ['2026-07-11 16:33 to 2026-07-12', '07-11T16:33:00', '07-12T00:00:00'],
  ['2026-07-11 16:33 to 16:35', '07-11T16:33:00', '07-11T16:35:00'],
])('%s is a range', (text, from, to) => {
  expect(isRangeText(text)).toBe(true);
  const range = parseRange(text, {nowAt});
  expect('error' in range ? range : [clock(range.from), clock(range.to)]).toEqual([from, to]);
});

test('a range may be one moment', () => {
  const at = parseInstant('2026-11-21T14:02:00Z');
  expect(parseRange('14:02 to +0s', {nowAt})).toEqual({from: at, to: at});
});

test('a single time is where the range begins', () => {
  expect(parseRange(' 14:02 ', {nowAt})).toEqual({from: parseInstant('2026-11-21T14:02:00Z'), to: undefined});
});

test('a clock time at the end is within a day of the beginning', () => {
  const to = (text: string): string => {
    const range = parseRange(text, {nowAt});
    return 'error' in range ? range.error : clock(range.to);
  };
  expect(to('2026-11-01 10:00 to 10:01')).toBe('11-01T10:01:00');
  expect(to('2026-11-01 10:00 to 10:00')).toBe('11-02T10:00:00');
  expect(to('2026-11-01 10:00 to 09:59')).toBe('11-02T09:59:00');
});

test.each(['14:02', '-15m', 'yesterday 14:02', 'today', 'tomorrow', '2026-11-21 14:02', '15m ago'])(
  '%s is no range',
  text => {
    expect(isRangeText(text)).toBe(false);
  },
);

test('what is no time, and an end before the beginning, are refused with a sentence', () => {
  expect(parseRange('14:02 to later', {nowAt})).toEqual({
    error: '“later” is not a time: try 14:02, yesterday 14:02, 15m or 2026-11-21 14:02',
  });
  expect(parseRange('-10m to -15m', {nowAt})).toEqual({error: 'The range ends before it begins'});
  expect(parseRange('later to 14:05', {nowAt})).toMatchObject({
    error: expect.stringContaining('“later” is not a time'),
  });
  expect(parseRange('to later', {nowAt})).toMatchObject({error: expect.stringContaining('“later” is not a time')});
  expect(parseRange('14:02 to +later', {nowAt})).toMatchObject({
    error: expect.stringContaining('“-later” is not a time'),
  });
});
