import {expect, test} from 'vitest';
import {
  createBuffer,
  entryAt,
  indexAtOrAfter,
  indexOfEntry,
  type LineBuffer,
  sliceEntries,
} from '../../../src/log/buffer/buffer.ts';
import {chunkEntriesMax, editBuffer} from '../../../src/log/buffer/buffer-edit.ts';
import type {LineEntry} from '../../../src/log/line/entry.ts';

const lineBytes = 22;

/** Lines of ten characters each, so that each takes 22 bytes. */
const withLines = (buffer: LineBuffer, times: readonly number[]): LineBuffer => {
  const edit = editBuffer(buffer);
  for (const time of times) {
    edit.insert(lineAt(time, edit.takeId()));
  }
  return edit.finish();
};

const lineAt = (time: number, id: number): LineEntry => ({
  kind: 'line',
  id,
  at: BigInt(time),
  raw: '0123456789',
  textIndex: 2,
  late: false,
});

const times = (buffer: LineBuffer): readonly number[] =>
  sliceEntries(buffer, 0, buffer.entryCount).map(({at}) => Number(at));
const ids = (buffer: LineBuffer): readonly number[] => sliceEntries(buffer, 0, buffer.entryCount).map(({id}) => id);

test('lines are held in the order of time, ties in the order in which they came', () => {
  const buffer = withLines(createBuffer(1e6), [5, 1, 3, 3, 9, 3]);
  expect(times(buffer)).toEqual([1, 3, 3, 3, 5, 9]);
  expect(ids(buffer)).toEqual([2, 3, 4, 6, 1, 5]);
  expect(buffer.newestLine?.at).toBe(9n);
  expect([buffer.entryCount, buffer.lineCount, buffer.bytes]).toEqual([6, 6, 6 * lineBytes]);
});

test('an entry can be put before the nth of its time', () => {
  const edit = editBuffer(withLines(createBuffer(1e6), [1, 2, 2, 3]));
  edit.insert(lineAt(2, 10), 0);
  edit.insert(lineAt(2, 11), 2);
  edit.insert(lineAt(2, 12), 99);
  expect(ids(edit.finish())).toEqual([1, 10, 2, 11, 3, 12, 4]);
});

test('a change leaves the buffer that it was made from as it was', () => {
  const before = withLines(createBuffer(1e6), [1, 3]);
  const after = withLines(before, [2, 4]);
  expect(times(before)).toEqual([1, 3]);
  expect(times(after)).toEqual([1, 2, 3, 4]);
});

test('chunks that did not change are shared', () => {
  const many = Array.from({length: 4 * chunkEntriesMax}, (_, index) => index);
  const before = withLines(createBuffer(1e9), many);
  const after = withLines(before, [5000]);
  expect(before.chunks.length).toBe(4);
  expect(before.chunks.map((chunk, index) => after.chunks[index] === chunk)).toEqual([true, true, true, true]);
  expect(after.chunks.length).toBe(5);
});

test('entries are found by index and by time, across chunks, ties and the ends', () => {
  const many = Array.from({length: 3000}, (_, index) => Math.floor(index / 3) * 10);
  const buffer = withLines(createBuffer(1e9), many);
  expect(entryAt(buffer, -1)).toBeUndefined();
  expect(entryAt(buffer, 3000)).toBeUndefined();
  expect([0, 511, 512, 513, 1024, 2999].map(index => entryAt(buffer, index)?.id)).toEqual([
    1, 512, 513, 514, 1025, 3000,
  ]);
  expect([-5n, 0n, 1n, 10n, 9990n, 9991n].map(at => indexAtOrAfter(buffer, at))).toEqual([0, 0, 3, 3, 2997, 3000]);
  expect(sliceEntries(buffer, 510, 4).map(({id}) => id)).toEqual([511, 512, 513, 514]);
  expect(sliceEntries(buffer, 2998, 10).map(({id}) => id)).toEqual([2999, 3000]);
  expect(sliceEntries(buffer, -2, 3).map(({id}) => id)).toEqual([1]);
});

test('late lines in one place split a chunk and keep the order', () => {
  const buffer = withLines(createBuffer(1e9), [0, 1_000_000, ...Array.from({length: 3000}, (_, index) => 1 + index)]);
  expect(times(buffer)).toEqual([0, ...Array.from({length: 3000}, (_, index) => 1 + index), 1_000_000]);
  expect(Math.max(...buffer.chunks.map(({entryCount}) => entryCount))).toBeLessThanOrEqual(2 * chunkEntriesMax);
});

test('lines of one time that lie in several chunks are found together', () => {
  const buffer = withLines(createBuffer(1e9), [1, ...Array.from({length: 1500}, () => 2), 3]);
  const edit = editBuffer(buffer);
  expect(edit.entriesAt(2n).length).toBe(1500);
  edit.insert(lineAt(2, 9000), 1200);
  const after = edit.finish();
  expect(entryAt(after, 1201)?.id).toBe(9000);
  expect(indexOfEntry(after, {id: 9000, at: 2n})).toBe(1201);
});

test('the oldest leave when the bytes pass the bound, all of one time together, and the floor is the newest of them', () => {
  const buffer = withLines(createBuffer(4 * lineBytes), [1, 2, 2, 3, 4]);
  expect(times(buffer)).toEqual([2, 2, 3, 4]);
  expect([buffer.evictedLines, buffer.evictedThrough]).toEqual([1, 1n]);
  const after = withLines(buffer, [5]);
  expect(times(after)).toEqual([3, 4, 5]);
  expect([after.evictedLines, after.evictedThrough, after.bytes]).toEqual([3, 2n, 3 * lineBytes]);
});

test('the newest time stays however large it is', () => {
  const buffer = withLines(createBuffer(lineBytes), [1, 2, 2, 2]);
  expect(times(buffer)).toEqual([2, 2, 2]);
  expect(buffer.evictedThrough).toBe(1n);
});

test('markers leave with the lines around them and do not raise the floor', () => {
  const edit = editBuffer(withLines(createBuffer(3 * lineBytes), [1, 5]));
  edit.insert({kind: 'gap', id: edit.takeId(), at: 3n, after: 1n, before: 5n});
  const buffer = withLines(edit.finish(), [6, 7]);
  expect(times(buffer)).toEqual([5, 6, 7]);
  expect([buffer.evictedLines, buffer.evictedThrough]).toEqual([1, 1n]);
});

test('an entry that has left is found at the first later one', () => {
  const before = withLines(createBuffer(4 * lineBytes), [1, 2, 3, 4]);
  const after = withLines(before, [5, 6]);
  expect(indexOfEntry(before, {id: 2, at: 2n})).toBe(1);
  expect(indexOfEntry(after, {id: 2, at: 2n})).toBe(0);
  expect(times(after)).toEqual([3, 4, 5, 6]);
});

test('an entry takes the place of the one of its number and time, and only of that', () => {
  const buffer = withLines(createBuffer(1e9), [1, ...Array.from({length: 700}, () => 2), 3]);
  const edit = editBuffer(buffer);
  expect(edit.replace({...lineAt(2, 650), raw: 'another one'})).toBe(true);
  expect(edit.replace(lineAt(3, 650))).toBe(false);
  expect(edit.replace(lineAt(2, 9000))).toBe(false);
  const after = edit.finish();
  expect(entryAt(after, 649)).toMatchObject({id: 650, raw: 'another one'});
  expect(ids(after)).toEqual(ids(buffer));
  expect(entryAt(buffer, 649)).toMatchObject({raw: '0123456789'});
});

test('a line later than what is believed keeps its place and is not the newest', () => {
  const edit = editBuffer(withLines(createBuffer(1e6), [1, 2]), 5n);
  edit.insert(lineAt(9, 10));
  edit.insert(lineAt(3, 11));
  const buffer = edit.finish();
  expect(times(buffer)).toEqual([1, 2, 3, 9]);
  expect(buffer.newestLine?.id).toBe(11);
});
