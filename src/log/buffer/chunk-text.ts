import {textOf} from '#log/line/entry.ts';
import type {Chunk} from './chunk.ts';
import {canonicalBit, decodeTexts, markerMark, type PackedTexts, separator, textIndexMax} from './packed.ts';

/** The texts of a chunk, to be searched as one, in this or another thread. */
export type ChunkText = {
  /** The stored text of each entry (empty for a marker), separated by line breaks; packed in shared memory. */
  readonly text: string | PackedTexts;
  /** Lengths of the stored texts, in UTF-16 code units. */
  readonly lengths: Uint16Array | Uint32Array;
  readonly marks: Uint16Array;
  /** Some text contains a line break itself. */
  readonly hasBreaks: boolean;
};

/** Returns the texts of a chunk. Free if it is packed. */
export const chunkTextOf = (chunk: Chunk): ChunkText => {
  if (chunk.kind === 'packed') {
    const {texts, lengths, marks, hasBreaks} = chunk.packed;
    return {text: texts, lengths, marks, hasBreaks};
  }
  const texts = chunk.entries.map(entry => (entry.kind === 'line' ? textOf(entry) : ''));
  return {
    text: texts.join(separator),
    lengths: Uint32Array.from(texts, ({length}) => length),
    marks: Uint16Array.from(chunk.entries, ({kind}) => (kind === 'line' ? wholeTextMark : markerMark)),
    hasBreaks: texts.some(text => text.includes(separator)),
  };
};

/** A line of which only the text is stored. */
const wholeTextMark = canonicalBit | 1;

/** Returns the stored texts as one string. */
export const decodeChunkText = ({text}: ChunkText): string => (typeof text === 'string' ? text : decodeTexts(text));

/** Returns the text of each line of a chunk after its timestamp, as received; undefined for a marker. */
export const textsOf = (chunk: Chunk): readonly (string | undefined)[] => {
  if (chunk.kind === 'open') {
    return chunk.entries.map(entry => (entry.kind === 'line' ? textOf(entry) : undefined));
  }
  const {lengths, marks} = chunk.packed;
  const joined = decodeTexts(chunk.packed.texts);
  let start = 0;
  return Array.from(lengths, (length, offset) => {
    const end = start + length;
    const textStart = textStartOf(marks[offset] ?? 0);
    const text = textStart === undefined ? undefined : joined.slice(start + textStart, end);
    start = end + separator.length;
    return text;
  });
};

/** Returns where the text begins in the stored form of an entry; undefined for a marker, which has no text. */
export const textStartOf = (mark: number): number | undefined =>
  mark === markerMark ? undefined : (mark & canonicalBit) === 0 ? mark & textIndexMax : 0;
