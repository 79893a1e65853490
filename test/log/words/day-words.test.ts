import {expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import {dayOf, formatDay, utcDayOfMs} from '#log/words/format-when.ts';

const at = (text: string): bigint => parseInstant(text) ?? 0n;

test.each([
  ['1970-01-01T00:00:00Z', 0, 0],
  ['1970-01-01T23:59:59.999Z', 0, 0],
  ['1970-01-02T00:00:00Z', 0, 1],
  ['1969-12-31T23:59:59.999Z', 0, -1],
  ['1970-01-01T22:59:59.999Z', 60, 0],
  ['1970-01-01T23:00:00Z', 60, 1],
  ['1970-01-01T00:59:00Z', -60, -1],
  ['1970-01-01T01:00:00Z', -60, 0],
  // Offsets of long ago had seconds.
  ['1970-01-01T23:00:00Z', 59.6, 1],
  ['1970-01-01T23:00:00Z', 59.4, 0],
])('%s, %d minutes east, is day %d', (text, minutes, day) => {
  expect(dayOf(at(text), () => minutes)).toBe(day);
});

test('the offset is that of the day itself', () => {
  const asked: bigint[] = [];
  dayOf(5_000_000_000n, instant => {
    asked.push(instant);
    return 0;
  });
  expect(asked).toEqual([5_000_000_000n]);
});

test('a day in UTC is told from milliseconds', () => {
  expect([86_399_999, 86_400_000, -1].map(utcDayOfMs)).toEqual([0, 1, -1]);
});

test.each([
  ['2026-07-11T16:33:00Z', 0, 'Sat 11 July'],
  ['2026-01-04T00:00:00Z', 0, 'Sun 4 January'],
  ['2026-12-31T23:00:00Z', 0, 'Thu 31 December'],
  ['2025-12-31T23:00:00Z', 0, 'Wed 31 December 2025'],
  ['2025-12-31T23:00:00Z', 60, 'Thu 1 January'],
  ['2027-01-01T00:30:00Z', -60, 'Thu 31 December'],
  ['2027-01-01T00:30:00Z', 0, 'Fri 1 January 2027'],
])('%s, %d minutes east, seen in 2026, is %s', (text, minutes, words) => {
  expect(formatDay(at(text), at('2026-11-21T14:00:00Z'), () => minutes)).toBe(words);
});

test('which year is now is a question of the zone, too', () => {
  const day = at('2026-07-11T16:33:00Z');
  expect(formatDay(day, at('2026-12-31T23:30:00Z'), () => 60)).toBe('Sat 11 July 2026');
  expect(formatDay(day, at('2027-01-01T00:30:00Z'), () => -60)).toBe('Sat 11 July');
});
