import {expect, test} from 'vitest';
import {createSlabWriter, reserveArray, takeArray, writeBytes} from '#log/buffer/packed.ts';

const bytesOf = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test('what is written lies one after the other, aligned for numbers', () => {
  const writer = createSlabWriter();
  const first = writeBytes(writer, bytesOf(3, 1));
  const second = writeBytes(writer, bytesOf(9, 2));
  const times = takeArray(writer, BigInt64Array as never, [5n, 6n] as never) as unknown as BigInt64Array;
  expect([first.byteOffset, second.byteOffset, times.byteOffset]).toEqual([0, 8, 24]);
  expect([...first, ...second]).toEqual([...bytesOf(3, 1), ...bytesOf(9, 2)]);
  expect([...times]).toEqual([5n, 6n]);
  expect([second.buffer, times.buffer]).toEqual([first.buffer, first.buffer]);
  expect(reserveArray(writer, Uint16Array, 4)).toHaveLength(4);
});

test('it can be read by another thread', () => {
  expect(writeBytes(createSlabWriter(), bytesOf(3, 1)).buffer).toBeInstanceOf(SharedArrayBuffer);
});

const kib = 1024;

test('slabs begin small and double up to 2 MiB', () => {
  const writer = createSlabWriter();
  const sizes = new Set<number>();
  for (let index = 0; index < 60; index++) {
    sizes.add(writeBytes(writer, bytesOf(128 * kib, 1)).buffer.byteLength / kib);
  }
  expect([...sizes]).toEqual([256, 512, 1024, 2048]);
});

test('a slab is filled to its last byte', () => {
  const writer = createSlabWriter();
  const first = writeBytes(writer, bytesOf(128 * kib, 1));
  expect(writeBytes(writer, bytesOf(128 * kib, 2)).buffer).toBe(first.buffer);
  expect(writeBytes(writer, bytesOf(1, 3)).buffer).not.toBe(first.buffer);
  const after = createSlabWriter();
  const full = writeBytes(after, bytesOf(128 * kib, 1));
  expect(writeBytes(after, bytesOf(128 * kib + 1, 2)).buffer).not.toBe(full.buffer);
});

test('what is larger than a quarter of a slab has memory of its own', () => {
  const writer = createSlabWriter();
  const small = writeBytes(writer, bytesOf(8, 1));
  expect(writeBytes(writer, bytesOf(512 * kib + 1, 2)).buffer.byteLength).toBe(512 * kib + 1);
  expect(writeBytes(writer, bytesOf(8, 3)).buffer).toBe(small.buffer);
  // Of what is as large as that, two fit into the next slab.
  expect(writeBytes(writer, bytesOf(512 * kib, 4)).buffer.byteLength).toBe(1024 * kib);
});
