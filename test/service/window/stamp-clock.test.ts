import {expect, test} from 'vitest';
import {createStampClock} from '#service/window/stored-state.ts';

const second = 1_000_000_000n;

test('stamps follow the clock, and each is later than the one before', () => {
  const clock = createStampClock({last: 0n, highest: 0n});
  expect([5n, 5n, 9n].map(now => clock.next({now, after: undefined, sequence: 7}))).toEqual([5n, 6n, 9n]);
  expect(clock.state()).toEqual({last: 9n, highest: 9n});
});

test('a stamp that is not later than the file’s last own time follows that', () => {
  const clock = createStampClock({last: 0n, highest: 0n});
  expect(clock.next({now: 5n, after: 8n, sequence: 7})).toBe(9n);
});

test('after a wrong clock the stamps go back with it, with digits of their own', () => {
  const far = 100n * second;
  const clock = createStampClock({last: far, highest: far});
  expect(clock.next({now: 10n * second, after: undefined, sequence: 7})).toBe(10n * second + 7n);
  // Times recur until the highest is passed.
  expect(clock.next({now: 20n * second, after: undefined, sequence: 8})).toBe(20n * second + 8n);
  expect(clock.next({now: 101n * second, after: undefined, sequence: 9})).toBe(101n * second);
});
