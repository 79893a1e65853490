import {describe, expect, test} from 'vitest';
import {
  createBuffer,
  entryAt,
  indexAtOrAfter,
  indexOfEntry,
  type LineBuffer,
  placeOfEntry,
  sliceEntries,
  timeAtIndex,
} from '#log/buffer/buffer.ts';
import {chunkEntriesMax, editBuffer} from '#log/buffer/buffer-edit.ts';
import {listBuffer} from '#log/buffer/entry-list.ts';
import type {LineEntry} from '#log/line/entry.ts';

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

describe('a buffer of packed chunks', () => {
  /** Six thousand lines: the oldest four of twelve chunks are packed. */
  const longOf = (bytesMax: number, timeOf: (index: number) => number, gapAt?: number): LineBuffer => {
    const edit = editBuffer(createBuffer(bytesMax));
    for (let index = 0; index < 6000; index++) {
      edit.insert({...lineAt(timeOf(index), edit.takeId()), raw: `${index} `.padEnd(99, 'packed ')});
    }
    if (gapAt !== undefined) {
      const at = BigInt(gapAt);
      edit.insert({kind: 'gap', id: edit.takeId(), at, after: at, before: at});
    }
    return edit.finish();
  };
  /** What leaves where two thousand bytes more are held than the bound allows. */
  const evictedOf = (timeOf: (index: number) => number, gapAt?: number) => {
    const whole = longOf(1e9, timeOf, gapAt);
    expect(whole.chunks[0]?.kind).toBe('packed');
    const edit = editBuffer({...whole, bytesMax: whole.bytes - 2000});
    const {evictedLines, evictedThrough, chunks} = edit.finish();
    return {evictedLines, evictedThrough, first: chunks[0]?.kind};
  };

  test('lets a whole one go rather than rewrite the rest of it', () => {
    expect(evictedOf(index => index)).toEqual({evictedLines: 512, evictedThrough: 511n, first: 'packed'});
  });

  test('lets all of the time go in which one ends', () => {
    expect(evictedOf(index => Math.floor(index / 300))).toMatchObject({evictedLines: 600, evictedThrough: 1n});
    expect(evictedOf(index => Math.floor(index / 256))).toMatchObject({evictedLines: 512, evictedThrough: 1n});
  });

  test('lets entries go singly where a marker stands among them', () => {
    expect(evictedOf(index => index, 300)).toEqual({evictedLines: 14, evictedThrough: 13n, first: 'open'});
  });

  test('holds all of the newest time, in however many it is', () => {
    expect(evictedOf(() => 7)).toEqual({evictedLines: 0, evictedThrough: undefined, first: 'packed'});
  });
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

test('an entry is removed by its number and time, and an empty chunk with it', () => {
  const buffer = withLines(createBuffer(1e9), [1, 2, 2, 3]);
  const edit = editBuffer(buffer);
  edit.remove(lineAt(2, 3));
  // Neither of these is held.
  edit.remove(lineAt(2, 9));
  edit.remove(lineAt(9, 4));
  const after = edit.finish();
  expect(ids(after)).toEqual([1, 2, 4]);
  expect([after.entryCount, after.lineCount, after.bytes]).toEqual([3, 3, 3 * lineBytes]);
  const last = editBuffer(withLines(createBuffer(1e9), [1]));
  last.remove(lineAt(1, 1));
  expect(last.finish()).toMatchObject({chunks: [], entryCount: 0, bytes: 0});
});

test('lines of one time are found in the chunk where they end', () => {
  // The first chunk ends with one line of time 2, the second begins with the others.
  const buffer = withLines(createBuffer(1e9), [...Array.from({length: chunkEntriesMax - 1}, () => 1), 2, 2, 2, 3]);
  expect(buffer.chunks.map(({entryCount}) => entryCount)).toEqual([chunkEntriesMax, 3]);
  const edit = editBuffer(buffer);
  expect(edit.entriesAt(2n).map(({id}) => id)).toEqual([512, 513, 514]);
  expect(edit.entriesAt(0n)).toEqual([]);
  expect(edit.entriesAt(4n)).toEqual([]);
  expect(edit.replace({...lineAt(2, 514), raw: 'another one'})).toBe(true);
  expect(edit.replace(lineAt(2, 515))).toBe(false);
  edit.insert(lineAt(2, 600), 2);
  edit.insert(lineAt(2, 601));
  edit.insert(lineAt(1, 602));
  const after = edit.finish();
  expect(sliceEntries(after, 510, 8).map(({id}) => id)).toEqual([511, 602, 512, 513, 600, 514, 601, 515]);
});

test('an entry of a time of its own goes between two chunks', () => {
  const buffer = withLines(createBuffer(1e9), [...Array.from({length: chunkEntriesMax}, () => 1), 9]);
  const edit = editBuffer(buffer);
  edit.insert(lineAt(5, 600), 0);
  edit.insert(lineAt(5, 601));
  expect(sliceEntries(edit.finish(), 511, 5).map(({id}) => id)).toEqual([512, 600, 601, 513]);
});

test('a chunk holds 512 entries, and late lines may double that', () => {
  const sizes = (count: number, late: number): readonly number[] =>
    withLines(createBuffer(1e9), [
      ...Array.from({length: count}, (_, index) => 10 * index),
      ...Array.from({length: late}, () => 5),
    ]).chunks.map(({entryCount}) => entryCount);
  expect([sizes(512, 0), sizes(513, 0)]).toEqual([[512], [512, 1]]);
  expect([sizes(513, 512), sizes(513, 513)]).toEqual([
    [1024, 1],
    [512, 513, 1],
  ]);
});

test('nothing changed is the same buffer; lines that came too late are counted', () => {
  const buffer = withLines(createBuffer(1e9), [1, 2]);
  expect(editBuffer(buffer).finish()).toBe(buffer);
  const edit = editBuffer(buffer);
  edit.addTooLate(2);
  edit.addTooLate(3);
  const after = edit.finish();
  expect([after.tooLateLines, after.nextId]).toEqual([5, 3]);
  expect(editBuffer(after).finish().tooLateLines).toBe(5);
});

test('a buffer of more than its bound lets lines go without another change', () => {
  const buffer = withLines(createBuffer(1e6), [1, 2, 3]);
  const after = editBuffer({...buffer, bytesMax: 2 * lineBytes}).finish();
  expect(times(after)).toEqual([2, 3]);
  expect(editBuffer({...buffer, bytesMax: 3 * lineBytes}).finish().entryCount).toBe(3);
});

test('what is evicted is counted over all changes, and the floor stays where nothing leaves', () => {
  const buffer = withLines(withLines(createBuffer(2 * lineBytes), [1, 2, 3]), [4]);
  expect([buffer.evictedLines, buffer.evictedThrough]).toEqual([2, 2n]);
  const edit = editBuffer(buffer);
  edit.replace({...lineAt(4, 4), raw: '9876543210'});
  expect(edit.finish()).toMatchObject({evictedLines: 2, evictedThrough: 2n});
});

test('the newest line is the last of its time, and no marker', () => {
  const edit = editBuffer(withLines(createBuffer(1e6), [1, 2]));
  edit.insert(lineAt(2, 10));
  edit.insert(lineAt(1, 11));
  edit.insert({kind: 'quiet', id: 12, at: 5n, since: 1n});
  expect(edit.finish().newestLine?.id).toBe(10);
  const believed = editBuffer(createBuffer(1e6), 5n);
  believed.insert(lineAt(5, 1));
  believed.insert(lineAt(6, 2));
  expect(believed.finish().newestLine?.id).toBe(1);
});

test('the place of an entry is its chunk and its offset there', () => {
  const buffer = withLines(
    createBuffer(1e9),
    Array.from({length: chunkEntriesMax + 3}, (_, index) => index),
  );
  expect(placeOfEntry(buffer, {id: 1, at: 0n})).toEqual({chunkIndex: 0, offset: 0});
  expect(placeOfEntry(buffer, {id: 513, at: 512n})).toEqual({chunkIndex: 1, offset: 0});
  expect(placeOfEntry(buffer, {id: 900, at: 512n})).toBeUndefined();
  expect(placeOfEntry(buffer, {id: 513, at: 9999n})).toBeUndefined();
});

test('an entry that is not held is where the first later one is, after all of its time', () => {
  const buffer = withLines(createBuffer(1e9), [1, 2, 2, 3]);
  expect(indexOfEntry(buffer, {id: 99, at: 2n})).toBe(3);
  expect(indexOfEntry(buffer, {id: 99, at: 0n})).toBe(0);
  expect(indexOfEntry(buffer, {id: 99, at: 9n})).toBe(4);
});

test('times are read without the entries, and outside there is none', () => {
  const buffer = withLines(
    createBuffer(1e9),
    Array.from({length: chunkEntriesMax + 3}, (_, index) => index),
  );
  expect([-1, 0, 511, 512, 514, 515].map(index => timeAtIndex(buffer, index))).toEqual([
    undefined,
    0n,
    511n,
    512n,
    514n,
    undefined,
  ]);
  expect(timeAtIndex(undefined, 0)).toBeUndefined();
});

test('a list of all that a buffer holds answers as the buffer does', () => {
  const list = listBuffer(withLines(createBuffer(1e9), [1, 2, 2, 3]));
  expect(list.entryCount).toBe(4);
  expect([-1, 0, 3, 4].map(list.timeAt)).toEqual([undefined, 1n, 3n, undefined]);
  expect(list.slice(1, 2).map(({id}) => id)).toEqual([2, 3]);
  expect([list.indexAtOrAfter(2n), list.indexOf({id: 3, at: 2n})]).toEqual([1, 2]);
  expect([-1, 0, 2, 4, 9].map(list.bufferIndexAt)).toEqual([0, 0, 2, 4, 4]);
  expect(list.offsetsIn(0)).toBeUndefined();
});
