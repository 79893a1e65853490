import {expect, test} from 'vitest';
import {formatInstant, parseInstant} from '#log/line/instant.ts';
import {parseOffset} from '#log/tokens/time-pieces.ts';
import {instantOfWritten, nanosOf, parseWrittenTime, readWritten} from '#log/tokens/written-time.ts';

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
  ['081109 203615', '2008-11-09T20:36:15.000000000Z'],
  ['20171223-22:15:29:606', '2017-12-23T22:15:29.606000000Z'],
  ['Nov 21, 2026 12:02:11 AM', '2026-11-21T00:02:11.000000000Z'],
  ['Nov 21, 2026 14:02:11.031', '2026-11-21T14:02:11.031000000Z'],
  ['Nov 21, 2026 2:02:11 PM', '2026-11-21T14:02:11.000000000Z'],
  ['Sat, 21 Nov 2026 14:02:11 GMT', '2026-11-21T14:02:11.000000000Z'],
  ['1121 14:02:11.5', '2026-11-21T14:02:11.500000000Z'],
  ['15:02:11', '2026-11-21T15:02:11.000000000Z'],
  ['1770000000.5', '2026-02-02T02:40:00.500000000Z'],
  ['1770000000', '2026-02-02T02:40:00.000000000Z'],
  ['1770000000123', '2026-02-02T02:40:00.123000000Z'],
  ['1770000000123.5', '2026-02-02T02:40:00.123000000Z'],
  ['1770000000123456', '2026-02-02T02:40:00.123456000Z'],
  ['1770000000123456789', '2026-02-02T02:40:00.123456789Z'],
  // The half of a day begins with 12.
  ['Nov 21, 2026 12:02:11 PM', '2026-11-21T12:02:11.000000000Z'],
  ['Nov 21, 2026 11:02:11 AM', '2026-11-21T11:02:11.000000000Z'],
  ['17/06/09 20:10:40', '2017-06-09T20:10:40.000000000Z'],
  ['261121 14:02:11.031456', '2026-11-21T14:02:11.031456000Z'],
  ['1121/141201.204512', '2026-11-21T14:12:01.204512000Z'],
  ['11-21 14:02:11.031', '2026-11-21T14:02:11.031000000Z'],
  ['2026-11-21 14:02:11 -0130', '2026-11-21T15:32:11.000000000Z'],
  ['2026-11-21 14:02:11 UTC', '2026-11-21T14:02:11.000000000Z'],
  // A leap second is the first of the next minute, and so are the last ones of an hour and a day real.
  ['2026-11-21 23:59:59', '2026-11-21T23:59:59.000000000Z'],
  ['2016-12-31 23:59:60', '2017-01-01T00:00:00.000000000Z'],
  // Without a year, the day is the last one that was there.
  ['Feb 29 10:00:00', '2024-02-29T10:00:00.000000000Z'],
  // Today, unless that is still to come.
  ['14:00:00', '2026-11-22T14:00:00.000000000Z'],
  ['14:00:01', '2026-11-21T14:00:01.000000000Z'],
  ['Nov 22 14:00:00', '2026-11-22T14:00:00.000000000Z'],
  ['Nov 22 14:00:01', '2025-11-22T14:00:01.000000000Z'],
  // East of Greenwich the next day has begun.
  ['00:30:00 +1300', '2026-11-22T11:30:00.000000000Z'],
  ['02:30:00 +1300', '2026-11-22T13:30:00.000000000Z'],
  ['03:30:00 +1300', '2026-11-21T14:30:00.000000000Z'],
  ['1990-01-01 00:00:00', '1990-01-01T00:00:00.000000000Z'],
  ['2200-12-31 00:00:00', '2200-12-31T00:00:00.000000000Z'],
  ['yesterday 10:00', '2026-11-21T10:00:00.000000000Z'],
])('%s is %s', (text, time) => {
  const at = parseWrittenTime(text, {nowAt});
  expect(at && formatInstant(at)).toBe(time);
});

test.each([
  '',
  'soon',
  '40/Nov/2026:14:02:11',
  'Xyz 21 14:02:11',
  '2026/11/21 25:02:11',
  '2026/11/21 24:02:11',
  '2026/11/21 14:60:11',
  '2026/11/21 14:02:61',
  '2026/02/29 14:02:11',
  '1989/12/31 14:02:11',
  '2201/01/01 14:02:11',
  '24:02:11',
  'Feb 30 10:00:00',
  '17700000001',
  '17700000001234567',
])('%j is none', text => {
  expect(parseWrittenTime(text, {nowAt})).toBeUndefined();
});

test('a text that is longer than a written time is none', () => {
  const long = (spaces: number): string => `2026-11-21${' '.repeat(spaces)}14:02:11.031456789 UTC`;
  expect(readWritten(long(1).padEnd(40))).toBeUndefined();
  expect(readWritten('2026-11-21   14:02:11.031456789 +01:00')).toMatchObject({hour: 14, offsetMinutes: 60});
  expect(readWritten('Sat, 21 November 2026 14:02:11.031 +0100 ')).toBeUndefined();
});

test('what a text does not say is left open', () => {
  expect(readWritten('14:02:11,5')).toEqual({
    year: undefined,
    month: undefined,
    day: undefined,
    hour: 14,
    minute: 2,
    second: 11,
    nanos: 500_000_000n,
    offsetMinutes: undefined,
  });
});

test.each([
  ['Z', 0],
  ['gmt', 0],
  ['UTC', 0],
  ['+02:00', 120],
  ['-0530', -330],
  ['+02', 120],
  ['GMT+01:30', 90],
  ['02:00', undefined],
  ['+2', 120],
  ['CET', 60],
  ['IST', undefined],
])('the offset %s is %s', (text, minutes) => {
  expect(parseOffset(text)).toBe(minutes);
});

test.each([
  [undefined, 0n],
  ['', 0n],
  ['5', 500_000_000n],
  ['031456789', 31_456_789n],
  ['0314567899', 31_456_789n],
])('the decimals %s are %d ns', (decimals, nanos) => {
  expect(nanosOf(decimals)).toBe(nanos);
});

test('a time without a zone is of the zone that the caller knows', () => {
  const written = readWritten('2026-11-21 14:02:11');
  const berlinMs = (...parts: Parameters<typeof Date.UTC>): number => Date.UTC(...parts) - 3_600_000;
  const at = typeof written === 'object' ? instantOfWritten(written, nowAt, berlinMs) : undefined;
  expect(at && formatInstant(at)).toBe('2026-11-21T13:02:11.000000000Z');
});
