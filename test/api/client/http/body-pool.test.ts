import {expect, test} from 'vitest';
import {createBodyPool} from '#api/client/http/fetch-bytes.ts';

const mb = 1024 * 1024;
/** Bytes of which no two stretches are alike. */
const bytesFrom = (seed: number, length: number): Buffer =>
  Buffer.from(Array.from({length}, (_, index) => (seed + index * index) % 251));

test('a body holds what was added, however it grew', () => {
  const body = createBodyPool(64 * mb).take();
  const chunks = [1, 0, 65_535, 1, 400_000, 7].map((length, index) => bytesFrom(index, length));
  for (const chunk of chunks) {
    body.add(chunk);
  }
  expect(body.bytes().equals(Buffer.concat(chunks))).toBe(true);
});

test('bodies at the same time have memory of their own, and a later one what was given back', () => {
  const pool = createBodyPool(mb);
  const first = pool.take();
  const second = pool.take();
  first.add(bytesFrom(1, 200_000));
  second.add(bytesFrom(2, 100_000));
  expect(first.bytes().equals(bytesFrom(1, 200_000))).toBe(true);
  const memory = first.bytes().buffer;
  first.giveBack();
  first.giveBack();
  expect(second.bytes().equals(bytesFrom(2, 100_000))).toBe(true);
  const third = pool.take();
  const fourth = pool.take();
  third.add(bytesFrom(3, 10));
  fourth.add(bytesFrom(4, 10));
  expect(third.bytes().buffer).toBe(memory);
  // Given back twice, it is still one body's.
  expect(fourth.bytes().buffer).not.toBe(memory);
  expect(third.bytes().equals(bytesFrom(3, 10))).toBe(true);
});

test('bodies that are given back keep 8 MB for the next ones, all together', () => {
  const pool = createBodyPool(64 * mb);
  const bodies = [pool.take(), pool.take(), pool.take()];
  const buffers = bodies.map(body => {
    body.add(Buffer.alloc(5 * mb, 1));
    return body.bytes().buffer;
  });
  for (const body of bodies) {
    body.giveBack();
  }
  expect(buffers.map(({byteLength}) => byteLength)).toEqual([5 * mb, 3 * mb, 0]);
});

test('a body begins empty in the memory of one that was larger', () => {
  const pool = createBodyPool(64 * mb);
  const first = pool.take();
  first.add(bytesFrom(1, 200_000));
  first.giveBack();
  const second = pool.take();
  second.add(bytesFrom(2, 10));
  expect(second.bytes().equals(bytesFrom(2, 10))).toBe(true);
});

test('a body takes as much as it may and no more', () => {
  const body = createBodyPool(100_000).take();
  body.add(bytesFrom(0, 99_999));
  body.add(bytesFrom(0, 1));
  expect(body.bytes().length).toBe(100_000);
  expect(() => body.add(bytesFrom(0, 1))).toThrow(RangeError);
});
