import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createBuffer, type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {selectEntries} from '#log/buffer/select-entries.ts';
import type {Entry} from '#log/line/entry.ts';
import {anchorOf, mergeLists} from '#log/view/log-view.ts';
import {runsOf} from '../../support/thorough.ts';
import {arbitraryEdits, bufferFrom} from '../pattern/arbitrary-buffer.ts';

const entriesOf = (buffer: LineBuffer): readonly Entry[] => sliceEntries(buffer, 0, buffer.entryCount);

/** Of each chunk the offsets of the entries that a condition holds for. */
const offsetsWhere = (buffer: LineBuffer, holds: (entry: Entry) => boolean): readonly Uint16Array[] =>
  buffer.chunks.map((chunk, chunkIndex) =>
    Uint16Array.from(
      sliceEntries(buffer, buffer.starts[chunkIndex] ?? 0, chunk.entryCount).flatMap((entry, offset) =>
        holds(entry) ? [offset] : [],
      ),
    ),
  );

test('a list of some entries is read as a list of just these would be, at every index and time', () => {
  fc.assert(
    fc.property(
      arbitraryEdits,
      fc.integer({min: 1, max: 40}),
      fc.nat(3000),
      fc.nat(60),
      (edits, everyNth, from, count) => {
        const buffer = bufferFrom(edits);
        const holds = ({id}: Entry): boolean => (id * 7919) % everyNth === 0;
        const all = entriesOf(buffer);
        const expected = all.filter(holds);
        const list = selectEntries(buffer, offsetsWhere(buffer, holds));
        expect(list.entryCount).toBe(expected.length);
        expect(list.slice(0, list.entryCount)).toEqual(expected);
        const start = from % (expected.length + 2);
        expect(list.slice(start, count)).toEqual(expected.slice(start, start + count));
        expect(list.slice(-2, 3)).toEqual(expected.slice(0, 1));
        expect([-1, start, list.entryCount].map(list.timeAt)).toEqual([undefined, expected[start]?.at, undefined]);
        const shown = expected[start];
        expect(list.bufferIndexAt(start)).toBe(shown === undefined ? all.length : all.indexOf(shown));
        for (const entry of [all[from % Math.max(1, all.length)], all[0], all.at(-1)]) {
          if (entry !== undefined) {
            const index = all.indexOf(entry);
            expect(list.indexOf(entry)).toBe(all.slice(0, index).filter(holds).length);
            const earlier = all.filter(({at}) => at < entry.at);
            expect(list.indexAtOrAfter(entry.at)).toBe(earlier.filter(holds).length);
          }
        }
      },
    ),
    {numRuns: runsOf(120)},
  );
});

test('lists of several buffers are one log by time, and its offsets count all that the buffers hold', () => {
  fc.assert(
    fc.property(fc.array(arbitraryEdits, {minLength: 2, maxLength: 4}), fc.nat(200), (branches, from) => {
      const buffers = branches.map(bufferFrom);
      const holds = ({id}: Entry): boolean => id % 3 === 0;
      const view = mergeLists(buffers.map(buffer => selectEntries(buffer, offsetsWhere(buffer, holds))));
      const sorted = buffers
        .flatMap((buffer, source) =>
          entriesOf(buffer)
            .filter(holds)
            .map(entry => ({source, entry})),
        )
        .toSorted((a, b) => Number(a.entry.at - b.entry.at));
      const index = from % (sorted.length + 1);
      expect(view.slice(index, 30)).toEqual(sorted.slice(index, index + 30));
      expect(view.buffers).toEqual(buffers);
      const shown = sorted[index];
      if (shown !== undefined) {
        expect(view.indexOf(anchorOf(shown))).toBe(index);
        const all = entriesOf(buffers[shown.source] ?? createBuffer(1));
        expect(view.offsetsAt(index)[shown.source]).toBe(all.indexOf(shown.entry));
      }
      expect(view.offsetsAt(sorted.length)).toEqual(buffers.map(({entryCount}) => entryCount));
    }),
    {numRuns: runsOf(120)},
  );
});

test('an entry that has left stands where the first listed one after it is', () => {
  const edit = editBuffer(createBuffer(3 * 20));
  for (const at of [1n, 2n, 3n, 4n]) {
    edit.insert({kind: 'line', id: edit.takeId(), at, raw: 'eight ch', textIndex: 0, late: false});
  }
  const buffer = edit.finish();
  const list = selectEntries(
    buffer,
    offsetsWhere(buffer, ({id}) => id === 2 || id === 4),
  );
  expect([list.indexOf({id: 1, at: 1n}), list.indexOf({id: 3, at: 3n})]).toEqual([0, 1]);
});

test('a few entries of packed chunks are read without the others', () => {
  const edit = editBuffer(createBuffer(1e9));
  const textAt = (index: number): string => `line ${index} ${'x'.repeat(index % 7)}`;
  for (let index = 0; index < 10_000; index++) {
    edit.insert({kind: 'line', id: edit.takeId(), at: BigInt(index), raw: textAt(index), textIndex: 0, late: false});
  }
  const buffer = edit.finish();
  const places = buffer.chunks.map(({entryCount}) => Uint16Array.from([3, 4, 200, entryCount - 1]));
  const list = selectEntries(buffer, places);
  const expected = buffer.chunks.flatMap((_, chunkIndex) =>
    Array.from(places[chunkIndex] ?? [], offset => textAt((buffer.starts[chunkIndex] ?? 0) + offset)),
  );
  expect(buffer.chunks[0]?.kind).toBe('packed');
  expect(list.slice(0, list.entryCount).map(entry => (entry.kind === 'line' ? entry.raw : ''))).toEqual(expected);
});
