import {textOf} from '../line/entry.ts';
import type {Chunk} from './chunk.ts';
import {canonicalBit, decodeTexts, markerMark, separator, textIndexMax} from './packed.ts';

/** The texts of a chunk, to be looked through as one: in this or another thread. */
export type ChunkText = {
  /** What is stored of each entry, nothing for a marker, with a line break between them; packed as UTF-8 in shared memory. */
  readonly text: string | {readonly bytes: Uint8Array; readonly isAscii: boolean};
  /** Of what is stored of each entry, in UTF-16 code units. */
  readonly lengths: Uint16Array | Uint32Array;
  readonly marks: Uint16Array;
  /** Some text has a line break of its own. */
  readonly hasBreaks: boolean;
};

/** The texts of a chunk. Costs nothing where it is packed. */
export const chunkTextOf = (chunk: Chunk): ChunkText => {
  if (chunk.kind === 'packed') {
    const {bytes, isAscii, lengths, marks, hasBreaks} = chunk.packed;
    return {text: {bytes, isAscii}, lengths, marks, hasBreaks};
  }
  const texts = chunk.entries.map(entry => (entry.kind === 'line' ? textOf(entry) : ''));
  return {
    text: texts.join(separator),
    lengths: Uint32Array.from(texts, ({length}) => length),
    marks: Uint16Array.from(chunk.entries, ({kind}) => (kind === 'line' ? wholeTextMark : markerMark)),
    hasBreaks: texts.some(text => text.includes(separator)),
  };
};

/** A line of which nothing but its text is stored. */
const wholeTextMark = canonicalBit | 1;

/** The stored texts as one string. */
export const decodeChunkText = ({text}: ChunkText): string => (typeof text === 'string' ? text : decodeTexts(text));

/** The text of each line of a chunk after its timestamp, as received; undefined for a marker. */
export const textsOf = (chunk: Chunk): readonly (string | undefined)[] => {
  if (chunk.kind === 'open') {
    return chunk.entries.map(entry => (entry.kind === 'line' ? textOf(entry) : undefined));
  }
  const {lengths, marks} = chunk.packed;
  const joined = decodeTexts(chunk.packed);
  let start = 0;
  return Array.from(lengths, (length, offset) => {
    const end = start + length;
    const textStart = textStartOf(marks[offset] ?? 0);
    const text = textStart === undefined ? undefined : joined.slice(start + textStart, end);
    start = end + separator.length;
    return text;
  });
};

/** Where in what is stored of an entry its text begins; undefined for a marker, which has none. */
export const textStartOf = (mark: number): number | undefined =>
  mark === markerMark ? undefined : (mark & canonicalBit) === 0 ? mark & textIndexMax : 0;
