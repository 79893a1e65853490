import {type Entry, type LineEntry, type Marker, textOf} from './entry.ts';
import {canonicalStampLength, formatInstant, type Instant} from './instant.ts';
import {type SlabWriter, takeArray, writeText} from './slab.ts';

type ChunkSize = {
  readonly entryCount: number;
  readonly lineCount: number;
  /** What it takes in memory, in bytes. */
  readonly bytes: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
};

/**
 * A run of entries: as objects, or packed, with its lines as text side by side in a slab. Chunks are never changed once a
 * buffer holds them, so buffers share them.
 */
export type Chunk = ChunkSize &
  ({readonly kind: 'open'; readonly entries: readonly Entry[]} | {readonly kind: 'packed'; readonly packed: Packed});

/** The entries of a chunk; of a packed one they are made anew, for as long as somebody looks at them. */
export const entriesOf = (chunk: Chunk): readonly Entry[] =>
  chunk.kind === 'open' ? chunk.entries : unpacked(chunk.packed);

/** The time of one entry. Costs no unpacking. */
export const timeAt = (chunk: Chunk, offset: number): Instant | undefined =>
  chunk.kind === 'open' ? chunk.entries[offset]?.at : chunk.packed.times[offset];

/** Beside the text: its time, its length, where it begins and whether it is late. */
export const entryOverheadBytes = 12;

/**
 * What an entry takes, in bytes; characters are counted as one byte each, which holds for log lines nearly always. Once packed it is less: a timestamp
 * in the usual form is not stored. */
export const entryBytes = (entry: Entry): number => entryOverheadBytes + (entry.kind === 'line' ? entry.raw.length : 0);

/** A chunk of ordinary objects. It takes over the list. */
export const openChunk = (entries: readonly Entry[]): Chunk => {
  let lineCount = 0;
  let bytes = 0;
  for (const entry of entries) {
    lineCount += entry.kind === 'line' ? 1 : 0;
    bytes += entryBytes(entry);
  }
  return {
    kind: 'open',
    entries,
    entryCount: entries.length,
    lineCount,
    bytes,
    firstAt: entries[0]?.at ?? 0n,
    lastAt: entries.at(-1)?.at ?? 0n,
  };
};

/** In a mark: where the text begins, up to 0x3fff, and in the two highest bits what is true of the line. */
const lateBit = 0x8000;
/** Its timestamp is as the interface describes it, so it is made anew from the time and not stored. */
const canonicalBit = 0x4000;
const textIndexMax = 0x3fff;

type Packed = {
  readonly times: BigInt64Array;
  /** Of each text, in UTF-16 code units: in two bytes, or in four where one is longer than that. */
  readonly lengths: Uint16Array | Uint32Array;
  readonly marks: Uint16Array;
  /** The id of the first entry where they count up from there, as they do but for late lines; else all of them. */
  readonly ids: number | Float64Array;
  readonly markers: ReadonlyMap<number, Marker>;
  readonly bytes: Uint8Array;
};

/** What of a line is stored as text. */
const storedText = (entry: LineEntry, isCanonical: boolean): string => (isCanonical ? textOf(entry) : entry.raw);

/** Told by the letters that set this form apart from the others that can be read; a leap second would be written as the second after it. */
const isCanonicalLine = ({raw, textIndex}: LineEntry): boolean =>
  textIndex === canonicalStampLength + 1 && raw[10] === 'T' && raw[17] !== '6' && raw[canonicalStampLength - 1] === 'Z';

/**
 * The same chunk with its lines as UTF-8 in a slab: a fraction of what objects take, and nothing for the garbage collector to walk
 * through. Answers the chunk itself where that would change a line: UTF-8 has no lone surrogates.
 */
export const packChunk = (chunk: Chunk, slabs: SlabWriter): Chunk => {
  const {entryCount} = chunk;
  const entries = entriesOf(chunk);
  const texts: string[] = [];
  const marks = new Uint16Array(entryCount);
  const markers = new Map<number, Marker>();
  for (const [offset, entry] of entries.entries()) {
    if (entry.kind !== 'line') {
      markers.set(offset, entry);
      texts.push('');
      continue;
    }
    const isCanonical = isCanonicalLine(entry);
    texts.push(storedText(entry, isCanonical));
    marks[offset] = entry.textIndex | (entry.late ? lateBit : 0) | (isCanonical ? canonicalBit : 0);
    if (entry.textIndex > textIndexMax) {
      return chunk;
    }
  }
  const text = texts.join('');
  if (!text.isWellFormed()) {
    return chunk;
  }
  const lengths = texts.map(({length}) => length);
  const firstId = entries[0]?.id ?? 0;
  const areCountedUp = entries.every((entry, offset) => entry.id === firstId + offset);
  const packed: Packed = {
    times: takeArray(
      slabs,
      BigInt64Array,
      entries.map(({at}) => at),
    ),
    lengths: texts.some(({length}) => length > 0xffff)
      ? takeArray(slabs, Uint32Array, lengths)
      : takeArray(slabs, Uint16Array, lengths),
    marks: takeArray(slabs, Uint16Array, marks),
    ids: areCountedUp
      ? firstId
      : takeArray(
          slabs,
          Float64Array,
          entries.map(({id}) => id),
        ),
    markers,
    bytes: writeText(slabs, text),
  };
  return {
    kind: 'packed',
    packed,
    entryCount,
    lineCount: chunk.lineCount,
    bytes: packed.bytes.length + entryOverheadBytes * entryCount,
    firstAt: chunk.firstAt,
    lastAt: chunk.lastAt,
  };
};

/** Chunks unpacked last: of each of eight branches on the screen the pane lies in two. */
const unpackedMax = 16;
const lastUnpacked: {packed: Packed; entries: readonly Entry[]}[] = [];
const decoder = new TextDecoder('utf-8', {ignoreBOM: true});

const unpacked = (packed: Packed): readonly Entry[] => {
  const index = lastUnpacked.findIndex(each => each.packed === packed);
  const found = lastUnpacked[index] ?? {packed, entries: unpack(packed)};
  if (index !== 0) {
    if (index > 0) {
      lastUnpacked.splice(index, 1);
    }
    lastUnpacked.unshift(found);
    lastUnpacked.length = Math.min(lastUnpacked.length, unpackedMax);
  }
  return found.entries;
};

const unpack = ({times, ids, lengths, marks, markers, bytes}: Packed): readonly Entry[] => {
  const text = decoder.decode(bytes);
  const entries: Entry[] = [];
  let start = 0;
  for (let offset = 0; offset < times.length; offset++) {
    const end = start + (lengths[offset] ?? 0);
    const mark = marks[offset] ?? 0;
    const at = times[offset] ?? 0n;
    const stored = text.slice(start, end);
    entries.push(
      markers.get(offset) ?? {
        kind: 'line',
        id: typeof ids === 'number' ? ids + offset : (ids[offset] ?? 0),
        at,
        raw: (mark & canonicalBit) === 0 ? stored : `${formatInstant(at)} ${stored}`,
        textIndex: mark & textIndexMax,
        late: (mark & lateBit) !== 0,
      },
    );
    start = end;
  }
  return entries;
};
