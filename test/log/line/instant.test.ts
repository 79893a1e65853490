import {expect, test} from 'vitest';
import {formatClock, formatInstant, instantFromMs, instantToMs, parseInstant} from '../../../src/log/line/instant.ts';

test.each([
  ['2026-11-21T14:02:11.031000000Z', 1_795_269_731_031_000_000n],
  ['2026-11-21T14:02:11.000000001Z', 1_795_269_731_000_000_001n],
  ['2026-11-21T14:02:11Z', 1_795_269_731_000_000_000n],
  ['2026-11-21t14:02:11z', 1_795_269_731_000_000_000n],
  ['2026-11-21T16:02:11.1+02:00', 1_795_269_731_100_000_000n],
  ['2026-11-21T08:32:11.1-05:30', 1_795_269_731_100_000_000n],
  ['2026-11-21T14:02:11.1234567899Z', 1_795_269_731_123_456_789n],
  ['1969-12-31T23:59:59.999999999Z', -1n],
  ['2024-02-29T00:00:00Z', 1_709_164_800_000_000_000n],
])('reads %s to the nanosecond', (text, expected) => {
  expect(parseInstant(text)).toBe(expected);
});

test('.1Z, .100000000Z and +00:00 are one instant', () => {
  const forms = ['.1Z', '.100000000Z', '.1+00:00', '.100-00:00'].map(end => parseInstant(`2026-11-21T14:02:11${end}`));
  expect(new Set(forms)).toEqual(new Set([1_795_269_731_100_000_000n]));
});

test('a leap second counts as the second after it', () => {
  expect(parseInstant('2016-12-31T23:59:60.5Z')).toBe(parseInstant('2017-01-01T00:00:00.5Z'));
});

test.each([
  '',
  'GET',
  '2026-11-21',
  '2026-11-21T14:02:11',
  '2026-11-21T14:02Z',
  '2026-11-21T14:02:11.Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21T14:60:00Z',
  '2026-11-21T14:02:61Z',
  '2026-11-21T14:02:11+24:00',
  '2026-11-21T14:02:11+0200',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '26-11-21T14:02:11Z',
  ' 2026-11-21T14:02:11Z',
  '2026-11-21T14:02:11Z ',
])('answers that "%s" is no instant', text => {
  expect(parseInstant(text)).toBeUndefined();
});

test.each([
  [1_795_269_731_031_000_001n, '2026-11-21T14:02:11.031000001Z'],
  [0n, '1970-01-01T00:00:00.000000000Z'],
  [-1n, '1969-12-31T23:59:59.999999999Z'],
  [-1_000_000_000n, '1969-12-31T23:59:59.000000000Z'],
])('writes %s in UTC with nine decimals', (instant, expected) => {
  expect(formatInstant(instant)).toBe(expected);
  expect(parseInstant(expected)).toBe(instant);
});

test('two instants past the year 9999 do not look alike', () => {
  const [one, other] = ['9999-12-31T23:59:01-01:00', '9999-12-31T23:59:02-01:00'].map(text =>
    formatInstant(parseInstant(text) ?? 0n),
  );
  expect(one).toBe('+010000-01-01T00:59:01.000000000Z');
  expect(other).toBe('+010000-01-01T00:59:02.000000000Z');
});

test('milliseconds are rounded down, before 1970 too', () => {
  expect([instantToMs(1_999_999n), instantToMs(0n), instantToMs(-1n), instantToMs(-1_000_000n)]).toEqual([
    1, 0, -1, -1,
  ]);
  expect(instantFromMs(1_795_269_731_031)).toBe(1_795_269_731_031_000_000n);
});

test('the clock is that of UTC, with milliseconds on demand', () => {
  expect(formatClock(1_795_269_731_031_999_999n)).toBe('14:02:11');
  expect(formatClock(1_795_269_731_031_999_999n, true)).toBe('14:02:11.031');
});
