import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  createBuffer,
  entryAt,
  indexAtOrAfter,
  indexOfEntry,
  type LineBuffer,
  sliceEntries,
} from '../../../src/log/buffer/buffer.ts';
import {chunkEntriesMax, editBuffer} from '../../../src/log/buffer/buffer-edit.ts';
import {type Chunk, entriesOf, openChunk, packChunk, timeAt} from '../../../src/log/buffer/chunk.ts';
import {createSlabWriter} from '../../../src/log/buffer/slab.ts';
import type {Entry} from '../../../src/log/line/entry.ts';
import {runsOf} from '../../support/thorough.ts';

const lineOf = (id: number, at: number | bigint, raw: string, late = false): Entry => ({
  kind: 'line',
  id,
  at: BigInt(at),
  raw,
  textIndex: 0,
  late,
});

const kindsOf = ({chunks}: LineBuffer): readonly Chunk['kind'][] => chunks.map(({kind}) => kind);

describe('a packed chunk', () => {
  test('gives back every entry as it was: any text, markers, late lines, times before 1970', () => {
    const entry = fc.record({
      id: fc.nat(),
      at: fc.bigInt({min: -(2n ** 62n), max: 2n ** 62n}),
      raw: fc.oneof(fc.string({unit: 'grapheme'}), fc.constantFrom('', '\ufeffbom', 'é€😀', '\0', 'a\nb')),
      textIndex: fc.nat({max: 40}),
      late: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(entry, {minLength: 1, maxLength: 600, size: 'max'}), fc.nat(), (lines, markerIndex) => {
        const entries: Entry[] = lines.map(line => ({kind: 'line', ...line}));
        entries.splice(markerIndex % lines.length, 0, {kind: 'gap', id: 7, at: 5n, after: 4n, before: 5n});
        const packed = packChunk(openChunk(entries), createSlabWriter());
        expect(packed.kind).toBe('packed');
        expect(entriesOf(packed)).toEqual(entries);
        expect(entries.map((_, offset) => timeAt(packed, offset))).toEqual(entries.map(({at}) => at));
        expect([packed.entryCount, packed.lineCount]).toEqual([entries.length, lines.length]);
      }),
      {numRuns: runsOf(120)},
    );
  });

  test('takes a fraction of the memory of its lines, and never more than they', () => {
    const sizeOf = (texts: readonly string[]): number => {
      const chunk = packChunk(openChunk(texts.map((raw, index) => lineOf(index, index, raw))), createSlabWriter());
      return chunk.kind === 'packed' ? chunk.packed.texts.bytes.length : Number.NaN;
    };
    const requests = Array.from({length: 512}, (_, index) => `"GET /product/${index} HTTP/1.1" 200 ${index * 7919}`);
    expect(sizeOf(requests)).toBeLessThan(requests.join('\n').length / 4);
    expect(sizeOf(['a', 'b'])).toBe('a\nb'.length);
  });

  test('stays open where UTF-8 would change a line', () => {
    const open = openChunk([lineOf(1, 1, 'half of a pair: \ud83d')]);
    expect(packChunk(open, createSlabWriter())).toBe(open);
  });

  test('is not disturbed by what is written after it, nor by chunks in further slabs', () => {
    const slabs = createSlabWriter();
    const texts = Array.from({length: 40}, (_, index) => `${index} `.repeat(200_000));
    const chunks = texts.map((raw, index) => packChunk(openChunk([lineOf(index, index, raw)]), slabs));
    const all = chunks.map(chunk => entriesOf(chunk)[0]);
    expect(all.every((entry, index) => entry?.kind === 'line' && entry.raw === texts[index])).toBe(true);
  });
});

describe('a buffer of packed and open chunks', () => {
  const count = 20 * chunkEntriesMax;
  const filled = (bytesMax = 1e9): LineBuffer => {
    const edit = editBuffer(createBuffer(bytesMax));
    for (let index = 0; index < count; index++) {
      // Ties of five, so that some lie across chunks.
      edit.insert(lineOf(edit.takeId(), Math.floor(index / 5), `line ${index}`));
    }
    return edit.finish();
  };

  test('packs the older ones and keeps the newest as objects', () => {
    expect(kindsOf(filled())).toEqual([...Array(12).fill('packed'), ...Array(8).fill('open')]);
  });

  test('is read by index and by time as if it were one list', () => {
    const buffer = filled();
    const rawAt = (index: number): string | undefined => {
      const entry = entryAt(buffer, index);
      return entry?.kind === 'line' ? entry.raw : undefined;
    };
    for (const index of [0, 511, 512, 1023, 6143, 6144, count - 1]) {
      expect(rawAt(index)).toBe(`line ${index}`);
    }
    expect(indexAtOrAfter(buffer, 205n)).toBe(1025);
    expect(indexOfEntry(buffer, {id: 1030, at: 205n})).toBe(1029);
    expect(sliceEntries(buffer, 6140, 8).map(({id}) => id)).toEqual([6141, 6142, 6143, 6144, 6145, 6146, 6147, 6148]);
  });

  test('takes a late line into a packed chunk and packs it again', () => {
    const edit = editBuffer(filled());
    expect(edit.entriesAt(100n).map(({id}) => id)).toEqual([501, 502, 503, 504, 505]);
    edit.insert(lineOf(edit.takeId(), 100, 'late', true), 2);
    const after = edit.finish();
    expect(sliceEntries(after, 500, 6).map(entry => (entry.kind === 'line' ? entry.raw : ''))).toEqual([
      'line 500',
      'line 501',
      'late',
      'line 502',
      'line 503',
      'line 504',
    ]);
    expect(kindsOf(after).filter(kind => kind === 'packed')).toHaveLength(12);
    expect(after.entryCount).toBe(count + 1);
  });

  test('lets packed chunks go whole, all lines of one time with them, and knows the floor', () => {
    const buffer = filled(200_000);
    const first = entryAt(buffer, 0);
    const evicted = buffer.evictedThrough ?? -1n;
    expect(buffer.bytes).toBeLessThanOrEqual(200_000);
    expect(buffer.lineCount + buffer.evictedLines).toBe(count);
    expect(first?.at).toBe(evicted + 1n);
    expect(first?.id).toBe(buffer.evictedLines + 1);
  });
});
