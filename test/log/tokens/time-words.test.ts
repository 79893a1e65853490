import {expect, test} from 'vitest';
import {formatInstant, type Instant, parseInstant} from '#log/line/instant.ts';
import {parseWhen} from '#log/tokens/time-words.ts';
import {formatWhen, type TimeMode, whenWidth} from '#log/words/format-when.ts';

const at = (text: string): Instant => {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw new Error(`no instant: ${text}`);
  }
  return instant;
};

const nowAt = at('2026-11-21T14:02:11.5Z');

const read = (text: string, offsetMinutesAt?: (at: Instant) => number): string => {
  const when = parseWhen(text, offsetMinutesAt ? {nowAt, offsetMinutesAt} : {nowAt});
  return typeof when === 'bigint' ? formatInstant(when).replace('.000000000', '') : when.error;
};

test.each([
  ['14:02', '2026-11-21T14:02:00Z'],
  ['14:02:11.5', '2026-11-21T14:02:11.500000000Z'],
  // Later than now today, so it was yesterday
  ['14:03', '2026-11-20T14:03:00Z'],
  ['14:02:11.500000001', '2026-11-20T14:02:11.500000001Z'],
  ['9:05', '2026-11-21T09:05:00Z'],
  ['yesterday 14:02', '2026-11-20T14:02:00Z'],
  ['Yesterday', '2026-11-20T00:00:00Z'],
  ['today', '2026-11-21T00:00:00Z'],
  ['today 23:59', '2026-11-21T23:59:00Z'],
  ['today 00:00:59', '2026-11-21T00:00:59Z'],
  ['14:02:11.500000000', '2026-11-21T14:02:11.500000000Z'],
  ['1d1h1m1s ago', '2026-11-20T13:01:10.500000000Z'],
  ['-15m', '2026-11-21T13:47:11.500000000Z'],
  ['-2h30m', '2026-11-21T11:32:11.500000000Z'],
  ['-1d 2h', '2026-11-20T12:02:11.500000000Z'],
  ['90s ago', '2026-11-21T14:00:41.500000000Z'],
  ['15m', '2026-11-21T13:47:11.500000000Z'],
  ['1h30m', '2026-11-21T12:32:11.500000000Z'],
  ['15min ago', '2026-11-21T13:47:11.500000000Z'],
  ['2 days ago', '2026-11-19T14:02:11.500000000Z'],
  ['1w', '2026-11-14T14:02:11.500000000Z'],
  ['@1763733731', '2025-11-21T14:02:11Z'],
  ['@1763733731.25', '2025-11-21T14:02:11.250000000Z'],
  ['now', '2026-11-21T14:02:11.500000000Z'],
  ['2026-11-21T14:02:11Z', '2026-11-21T14:02:11Z'],
  ['2026-11-21T14:02:11.031000007+01:00', '2026-11-21T13:02:11.031000007Z'],
  [' 2026-11-21 14:02 ', '2026-11-21T14:02:00Z'],
  ['2026-11-21 14:02:11,5 UTC', '2026-11-21T14:02:11.500000000Z'],
  ['2026-11-21', '2026-11-21T00:00:00Z'],
  ['2027-01-01 00:00', '2027-01-01T00:00:00Z'],
])('%s is %s', (text, instant) => {
  expect(read(text)).toBe(instant);
});

test.each([
  '',
  '25:00',
  '24:00',
  '14:60',
  '14:02:60',
  '14',
  '-15',
  '-',
  '1 fortnight',
  '-15x',
  'ago',
  '2026-02-30',
  '2026-11-21 25:00',
  'tomorrow',
  '🕑',
])('%s is no time', text => {
  expect(read(text)).toBe(`“${text}” is not a time: try 14:02, yesterday 14:02, 15m or 2026-11-21 14:02`);
});

test('a clock time is one of the day that is looked at, where that is not today', () => {
  const of = (text: string, day: string): string => {
    const when = parseWhen(text, {nowAt, dayOf: at(day)});
    return typeof when === 'bigint' ? formatInstant(when) : when.error;
  };
  expect(of('15:10', '2026-11-19T03:00:00Z')).toBe('2026-11-19T15:10:00.000000000Z');
  expect(of('15:10', '2026-11-21T03:00:00Z')).toBe('2026-11-20T15:10:00.000000000Z');
  expect(of('yesterday 15:10', '2026-11-19T03:00:00Z')).toBe('2026-11-20T15:10:00.000000000Z');
});

test('a text without end is refused', () => {
  expect(read('-1m'.repeat(1000))).toBe('A time has at most 64 characters');
  expect(read(`  ${'now'.padStart(64)}`)).toBe('2026-11-21T14:02:11.500000000Z');
  expect(read('x'.repeat(64))).toContain('is not a time: try');
  expect(read('x'.repeat(65))).toBe('A time has at most 64 characters');
});

test('times without a zone are of the zone given, by the offset of their own day', () => {
  // Berlin: summer time until 25 October 2026, 01:00 UTC
  const berlin = (instant: Instant): number => (instant < at('2026-10-25T01:00:00Z') ? 120 : 60);
  expect(read('15:02', berlin)).toBe('2026-11-21T14:02:00Z');
  expect(read('15:03', berlin)).toBe('2026-11-20T14:03:00Z');
  expect(read('2026-10-24 15:02', berlin)).toBe('2026-10-24T13:02:00Z');
  expect(read('2026-10-25 01:30', berlin)).toBe('2026-10-24T23:30:00Z');
  expect(read('2026-10-24 15:02Z', berlin)).toBe('2026-10-24T15:02:00Z');
  expect(read('00:30', () => 13 * 60)).toBe('2026-11-21T11:30:00Z');
  expect(read('yesterday 00:30', () => -9 * 60 - 30)).toBe('2026-11-20T10:00:00Z');
});

const line = at('2026-11-21T14:02:11.031999999Z');

test.each<readonly [TimeMode, Parameters<typeof formatWhen>[2], string]>([
  ['clock', {}, '14:02:11.031'],
  ['utc', {}, '2026-11-21T14:02:11.031Z'],
  ['local', {offsetMinutesAt: () => 330}, '19:32:11.031+05:30'],
  ['local', {offsetMinutesAt: () => -210}, '10:32:11.031-03:30'],
  ['local', {}, '14:02:11.031+00:00'],
  ['relative', {nowAt: line + 999_999_999n}, '      now'],
  ['relative', {nowAt: at('2026-11-21T14:02:24Z')}, '  12s ago'],
  ['relative', {nowAt: line + 1_000_000_000n}, '   1s ago'],
  ['relative', {nowAt: line + 59_999_999_999n}, '  59s ago'],
  ['relative', {nowAt: line + 60_000_000_000n}, '   1m ago'],
  ['relative', {nowAt: line + 3_599_000_000_000n}, '  59m ago'],
  ['relative', {nowAt: line + 3_600_000_000_000n}, '   1h ago'],
  ['relative', {nowAt: line + 172_799_000_000_000n}, '  47h ago'],
  ['relative', {nowAt: line + 172_800_000_000_000n}, '   2d ago'],
  ['relative', {nowAt: line}, '      now'],
  ['relative', {nowAt: line + 863_913_600_000_000_000n}, '9999d ago'],
  ['relative', {nowAt: at('2026-11-21T14:06:00Z')}, '   3m ago'],
  ['relative', {nowAt: at('2026-11-22T20:06:00Z')}, '  30h ago'],
  ['relative', {nowAt: at('2026-12-21T14:06:00Z')}, '  30d ago'],
  ['relative', {nowAt: at('9999-12-21T14:06:00Z')}, '9999d ago'],
  ['relative', {nowAt: at('2026-11-21T14:02:05Z')}, '    in 6s'],
  ['relative', {}, '         '],
  ['sinceLine', {previousAt: line - 12_345_678n}, '  +0.012'],
  ['sinceLine', {previousAt: line + 3_500_000_000n}, '  -3.500'],
  ['sinceLine', {previousAt: line - 999_999_000_000n}, '+999.999'],
  ['sinceLine', {previousAt: line - 1_000_000_000_000n}, ' +16m40s'],
  ['sinceLine', {previousAt: line - 3_599_999_000_000n}, ' +59m59s'],
  ['sinceLine', {previousAt: line - 3_660_000_000_000n}, '  +1h01m'],
  ['sinceLine', {previousAt: line - 172_799_000_000_000n}, ' +47h59m'],
  ['sinceLine', {previousAt: line - 176_400_000_000_000n}, '  +2d01h'],
  ['sinceLine', {previousAt: line - 86_313_600_000_000_000n}, '+999d00h'],
  ['sinceLine', {previousAt: line - 86_400_000_000_000_000n}, '  +1000d'],
  ['sinceLine', {previousAt: at('2026-11-21T09:00:00Z')}, '  +5h02m'],
  ['sinceLine', {previousAt: at('2026-11-01T09:00:00Z')}, ' +20d05h'],
  ['sinceLine', {previousAt: at('1970-01-01T00:00:00Z')}, '  +9999d'],
  ['sinceLine', {}, '        '],
  ['sinceMark', {markAt: line}, '  +0.000'],
  ['sinceMark', {markAt: line + 61_000_000_000n}, ' -61.000'],
  ['off', {}, ''],
])('in mode %s with %o: “%s”', (mode, context, text) => {
  expect(formatWhen(line, mode, context)).toBe(text);
  expect(text.length).toBe(whenWidth(mode));
});
