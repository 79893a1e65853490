import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {startReadingLoop} from '#service/served/reading-loop.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const start = () => {
  let looks = 0;
  const loop = startReadingLoop({
    read: async () => {
      looks += 1;
      return false;
    },
    intervalMs: 200,
    idleMs: () => 1_000,
    onError: () => undefined,
  });
  return {loop, looks: () => looks};
};

test('looks once a second while nothing is told, and soon after it was woken', async () => {
  const {loop, looks} = start();
  await vi.advanceTimersByTimeAsync(200);
  expect(looks()).toBe(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(looks()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks()).toBe(2);
  loop.wake();
  await vi.advanceTimersByTimeAsync(199);
  expect(looks()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks()).toBe(3);
  await loop.stop();
});

test('looks no more than five times a second however often it is woken', async () => {
  const {loop, looks} = start();
  for (let elapsedMs = 0; elapsedMs < 2_000; elapsedMs += 10) {
    loop.wake();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(looks()).toBeLessThanOrEqual(10);
  expect(looks()).toBeGreaterThanOrEqual(9);
  await loop.stop();
});

test('looks at once, and again after a look, when what it reads is held up', async () => {
  const {loop, looks} = start();
  for (let count = 1; count < 10; count += 1) {
    loop.wake();
    loop.wake({isHeldUp: true});
    await vi.advanceTimersByTimeAsync(1);
    expect(looks()).toBe(count);
  }
  await loop.stop();
});

test('an answer does not wait while there is more to read than one look takes', async () => {
  const {promise: more, resolve: endFirst} = Promise.withResolvers<boolean>();
  const {promise: never} = Promise.withResolvers<boolean>();
  const reads = [more, never];
  const loop = startReadingLoop({
    read: () => reads.shift() ?? never,
    intervalMs: 200,
    idleMs: () => 1_000,
    onError: () => undefined,
  });
  const first = loop.freshen();
  endFirst(true);
  await first;
  await vi.advanceTimersByTimeAsync(0);
  expect(reads).toEqual([]);
  await loop.freshen();
});
