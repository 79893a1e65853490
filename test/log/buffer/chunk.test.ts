import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  createBuffer,
  entryAt,
  indexAtOrAfter,
  indexOfEntry,
  type LineBuffer,
  sliceEntries,
} from '#log/buffer/buffer.ts';
import {chunkEntriesMax, editBuffer} from '#log/buffer/buffer-edit.ts';
import {
  type Chunk,
  entriesAt,
  entriesOf,
  openChunk,
  packChunk,
  sourceAt,
  sourcesIn,
  timeAt,
} from '#log/buffer/chunk.ts';
import {createSlabWriter, decodeTexts, type Packed} from '#log/buffer/packed.ts';
import type {Entry, LineEntry, SourceName} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
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

describe('what a packed chunk stores', () => {
  const stamped = (raw: string, more: Partial<LineEntry> = {}): LineEntry => ({
    kind: 'line',
    id: 1,
    at: parseInstant(raw.split(' ')[0] ?? '') ?? 0n,
    raw,
    textIndex: raw.indexOf(' ') + 1,
    late: false,
    ...more,
  });

  const packedOf = (...entries: readonly Entry[]): Packed => {
    const chunk = packChunk(openChunk(entries), createSlabWriter());
    if (chunk.kind === 'open') {
      throw new Error('it was not packed');
    }
    expect(entriesOf(chunk)).toEqual(entries);
    return chunk.packed;
  };

  test.each([
    ['2026-11-21T14:02:11.000000001Z one', 'one'],
    ['2026-11-21T14:02:60.000000001Z a leap second', '2026-11-21T14:02:60.000000001Z a leap second'],
    ['2026-11-21t14:02:11.000000001Z small t', '2026-11-21t14:02:11.000000001Z small t'],
    ['2026-11-21T14:02:11.000000001z small z', '2026-11-21T14:02:11.000000001z small z'],
    ['2026-11-21T14:02:11.00000001Z short', '2026-11-21T14:02:11.00000001Z short'],
  ])('of %s is %s', (raw, stored) => {
    expect(decodeTexts(packedOf(stamped(raw)).texts)).toBe(stored);
  });

  test('numbers that count up are one number', () => {
    const line = (id: number): Entry => lineOf(id, 5, 'x');
    expect(packedOf(line(4), line(5), line(6)).ids).toBe(4);
    expect(packedOf(line(4), line(6))).toMatchObject({ids: Float64Array.from([4, 6])});
  });

  test('lengths take two bytes, or four if one line is longer than that', () => {
    expect(packedOf(lineOf(1, 5, 'x'.repeat(0xffff))).lengths).toBeInstanceOf(Uint16Array);
    const long = packedOf(lineOf(1, 5, 'x'.repeat(0xffff + 1)));
    expect(long.lengths).toEqual(Uint32Array.from([0x10000]));
  });

  test('a text may begin at 16,383; from there on the chunk stays open', () => {
    const at = (textIndex: number): Chunk =>
      packChunk(openChunk([{...stamped('x'.repeat(17_000)), textIndex}]), createSlabWriter());
    expect([at(0x3fff).kind, at(0x3fff + 1).kind]).toEqual(['packed', 'open']);
    expect(entriesOf(at(0x3fff))).toMatchObject([{textIndex: 0x3fff}]);
  });

  test('each source is stored once, and read without the lines', () => {
    const [web, db] = [{pod: 'web'}, {pod: 'db'}];
    const sourced = (source: SourceName | undefined): LineEntry => stamped('no time', source && {source});
    const gap: Entry = {kind: 'gap', id: 7, at: 5n, after: 4n, before: 5n};
    const open = openChunk([sourced(web), sourced(db), gap, sourced(web), sourced(undefined)]);
    const packed = packChunk(open, createSlabWriter());
    for (const chunk of [open, packed]) {
      expect([0, 1, 2, 3, 4].map(offset => sourceAt(chunk, offset))).toEqual([web, db, undefined, web, undefined]);
      expect(sourcesIn(chunk)).toEqual(new Set([web, db, undefined]));
    }
    expect(sourceAt(packed, 0)).toBe(web);
    const same = packedOf(sourced(web), sourced(web)).sources;
    expect(same).toEqual({table: [web], indexes: undefined});
    expect(entriesOf(packed)).toEqual(entriesOf(open));
  });

  test('a line break in a text is noticed, and that between two is none', () => {
    expect(packedOf(lineOf(1, 5, 'a'), lineOf(2, 5, 'b')).hasBreaks).toBe(false);
    expect(packedOf(lineOf(1, 5, 'a\n'), lineOf(2, 5, 'b')).hasBreaks).toBe(true);
    expect(packedOf(lineOf(1, 5, '\n')).hasBreaks).toBe(true);
  });

  test('its size is that of its texts and twelve bytes an entry', () => {
    const entries = [lineOf(1, 5, 'a'), lineOf(2, 5, 'béc')];
    expect(openChunk(entries)).toMatchObject({bytes: 24 + 4, firstAt: 5n, lastAt: 5n, lineCount: 2});
    expect(packChunk(openChunk(entries), createSlabWriter()).bytes).toBe(24 + 'a\nbéc'.length + 1);
    expect(openChunk([{kind: 'gap', id: 7, at: 5n, after: 4n, before: 5n}])).toMatchObject({bytes: 12, lineCount: 0});
    expect(openChunk([])).toMatchObject({bytes: 0, firstAt: 0n, lastAt: 0n});
  });
});

test.each([
  [32, 'one by one'],
  [33, 'with the others'],
])('%d entries of a packed chunk are read %s, and are the same', count => {
  const entries = Array.from({length: 100}, (_, index) => lineOf(index + 1, index, `line ${index}`));
  const chunk = packChunk(openChunk(entries), createSlabWriter());
  const offsets = Uint16Array.from({length: count}, (_, index) => 3 * index);
  const expected = Array.from(offsets, offset => entries[offset]);
  expect(entriesAt(chunk, offsets)).toEqual(expected);
  // A second time, and after all of them were needed.
  expect(entriesAt(chunk, offsets)).toEqual(expected);
  expect(entriesOf(chunk)).toEqual(entries);
  expect(entriesAt(chunk, offsets)[2]).toBe(entriesOf(chunk)[6]);
});

test('a chunk that was just unpacked is not unpacked again, though others were in between', () => {
  const chunks = Array.from({length: 17}, (_, index) =>
    packChunk(openChunk([lineOf(index, 5, `line ${index}`)]), createSlabWriter()),
  );
  const first = chunks.map(entriesOf);
  // Sixteen are kept: the first one went when the last one came.
  expect(chunks.slice(1).map((chunk, index) => entriesOf(chunk) === first[index + 1])).toEqual(Array(16).fill(true));
  expect(chunks[0] && entriesOf(chunks[0]) === first[0]).toBe(false);
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
    // A small one would only pack what leaves with the next answer.
    expect(kindsOf(filled(1024 * 1024))).toEqual(Array(20).fill('open'));
    expect(kindsOf(filled(1024 * 1024 + 1)).slice(0, 12)).toEqual(Array(12).fill('packed'));
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
