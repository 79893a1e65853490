import {expect, test} from 'vitest';
import {type Chunk, openChunk, packChunk} from '#log/buffer/chunk.ts';
import {chunkTextOf, decodeChunkText, textStartOf, textsOf} from '#log/buffer/chunk-text.ts';
import {createSlabWriter} from '#log/buffer/packed.ts';
import type {Entry} from '#log/line/entry.ts';
import {nanos} from '../simulation/lines-at.ts';

const stamp = '2026-11-21T14:02:00.000000005Z ';

const lineOf = (raw: string, textIndex: number): Entry => ({
  kind: 'line',
  id: 1,
  at: nanos(5),
  raw,
  textIndex,
  late: false,
});

const gap: Entry = {kind: 'gap', id: 2, at: nanos(5), after: nanos(4), before: nanos(5)};

/** The same entries as objects and packed. */
const both = (...entries: readonly Entry[]): readonly Chunk[] => {
  const open = openChunk(entries);
  const packed = packChunk(open, createSlabWriter());
  expect(packed.kind).toBe('packed');
  return [open, packed];
};

const others = 'other 2026 ';
const entries = [
  lineOf(`${stamp}one`, stamp.length),
  gap,
  lineOf(`${others}twö`, others.length),
  lineOf('', 0),
  lineOf(`${stamp}four`, stamp.length),
];

test('the texts of a chunk are what follows the timestamps; a marker has none', () => {
  for (const chunk of both(...entries)) {
    expect(textsOf(chunk)).toEqual(['one', undefined, 'twö', '', 'four']);
  }
});

test('what is searched has a place for each entry, and tells where each text begins', () => {
  for (const chunk of both(...entries)) {
    const text = chunkTextOf(chunk);
    const rows = decodeChunkText(text).split('\n');
    expect(rows.map(row => row.length)).toEqual([...text.lengths]);
    expect(
      rows.map((row, offset) => {
        const start = textStartOf(text.marks[offset] ?? 0);
        return start === undefined ? undefined : row.slice(start);
      }),
    ).toEqual(['one', undefined, 'twö', '', 'four']);
    expect(text.hasBreaks).toBe(false);
  }
});

test('a text with a line break in it is told from two', () => {
  for (const chunk of both(lineOf('a\nb', 0), lineOf('c', 0))) {
    expect(chunkTextOf(chunk).hasBreaks).toBe(true);
    expect(textsOf(chunk)).toEqual(['a\nb', 'c']);
  }
});
