import {expect, test} from 'vitest';
import {backoffMs} from '#app/tail/backoff.ts';

const wait = (kind: 'network' | 'tooManyRequests', attemptNumber: number, random: number): number =>
  backoffMs({error: {kind, retryAfterMs: undefined}, attemptNumber, random});

test('the wait doubles from one second to thirty, a random half of it taken off', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 2000].map(attemptNumber => wait('network', attemptNumber, 1))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
  expect([1, 2, 6].map(attemptNumber => wait('network', attemptNumber, 0))).toEqual([500, 1000, 15_000]);
});

test('what the service asks for is done, whatever the attempt', () => {
  expect(backoffMs({error: {kind: 'tooManyRequests', retryAfterMs: 90_000}, attemptNumber: 7, random: 0})).toBe(90_000);
  expect(backoffMs({error: {kind: 'server', retryAfterMs: 1000}, attemptNumber: 7, random: 0})).toBe(1000);
  expect(wait('tooManyRequests', 1, 1)).toBe(1000);
});

test.each(['unauthorised', 'forbidden', 'notFound', 'token', 'setting', 'tls', 'tooLarge'] as const)(
  'what a person has to mend (%s) is looked at every 30 s',
  kind => {
    expect(backoffMs({error: {kind, retryAfterMs: undefined}, attemptNumber: 1, random: 0})).toBe(30_000);
  },
);
