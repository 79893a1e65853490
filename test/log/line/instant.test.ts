import {expect, test} from 'vitest';
import {
  earliestOf,
  formatClock,
  formatInstant,
  instantFromMs,
  instantToMs,
  laterOf,
  latestOf,
  parseCanonical,
  parseInstant,
} from '#log/line/instant.ts';

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
  ['2026-11-21T23:59:59Z', 1_795_305_599_000_000_000n],
  ['2026-11-22T14:01:11+23:59', 1_795_269_731_000_000_000n],
  ['0100-01-01T00:00:00Z', -59_011_459_200_000_000_000n],
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
  '2026-11-21T14:02:11+23:60',
  '0099-12-31T00:00:00Z',
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

test('decimals may follow a comma, as ISO 8601 prefers', () => {
  expect(parseInstant('2026-11-21T14:02:11,031Z')).toBe(parseInstant('2026-11-21T14:02:11.031Z'));
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

test('an instant is read from the beginning of a line if it has nine decimals and a Z', () => {
  expect(parseCanonical('2026-11-21T14:02:11.000000009Z GET /')).toBe(1_795_269_731_000_000_009n);
  // The same second, and then another.
  expect(parseCanonical('2026-11-21T14:02:11.990000000Z')).toBe(1_795_269_731_990_000_000n);
  expect(parseCanonical('2026-11-21T14:02:12.000000000Z')).toBe(1_795_269_732_000_000_000n);
});

test.each([
  '2026-11-21T14:02:11.00000000Z GET',
  '2026-11-21T14:02:11.0000000/0Z',
  '2026-11-21T14:02:11.0000000:0Z',
  '2026-11-21T14:02:11.000000000[',
  '2026-11-21T14:02:11.000000000Y',
  '2026-02-30T14:02:11.000000000Z',
  '2026-11-21T14:02:11,000000000Z',
])('none is read from %s', text => {
  expect(parseCanonical(text)).toBeUndefined();
});

test('a second is written as it is, whatever was written before it', () => {
  const second = 1_795_269_731_000_000_000n;
  const written = [second, second + 999_999_999n, second + 1_000_000_000n, second - 1n, second].map(formatInstant);
  expect(written.map(text => text.slice(17))).toEqual([
    '11.000000000Z',
    '11.999999999Z',
    '12.000000000Z',
    '10.999999999Z',
    '11.000000000Z',
  ]);
});

test('fractions of a millisecond are rounded on the way in', () => {
  expect([instantFromMs(1.4), instantFromMs(1.6)]).toEqual([1_000_000n, 2_000_000n]);
});

test('the earliest and the latest of some times are those that are known', () => {
  expect([earliestOf([]), latestOf([undefined])]).toEqual([undefined, undefined]);
  expect([earliestOf([undefined, 3n, 1n, undefined, 2n]), latestOf([undefined, 2n, 3n, undefined, 1n])]).toEqual([
    1n,
    3n,
  ]);
  expect([laterOf(1n, 2n), laterOf(2n, 1n), laterOf(2n, 2n)]).toEqual([2n, 2n, 2n]);
});
