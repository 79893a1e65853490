import {type Entry, type LineEntry, type Marker, type SourceName, textOf} from '#log/line/entry.ts';
import {canonicalStampLength, formatInstant} from '#log/line/instant.ts';
import {compressText, expandText} from '#log/text/compress-text.ts';

/**
 * Pieces of memory large enough not to fragment it, and small enough that a short log, or what has left a bounded one,
 * takes little: 16 MB of lines are some 2 MB here. The first ones are smaller still.
 */
const slabBytesMin = 256 * 1024;
const slabBytesMax = 2 * 1024 * 1024;

/** Memory shared with other threads, so that a search reads the lines in place. */
type SharedBytes = Uint8Array<SharedArrayBuffer>;

const allocate = (bytes: number): SharedBytes => new Uint8Array(new SharedArrayBuffer(bytes));

/** Where the next text goes. Append-only: written text never changes and may be read while more is written. */
export type SlabWriter = {slab: SharedBytes; usedBytes: number};

export const createSlabWriter = (): SlabWriter => ({slab: allocate(0), usedBytes: 0});

/** Numbers must be aligned to a multiple of their size. */
const alignment = 8;

/** Reserves bytes in the slab, or in a new one if the current one is used up. */
const reserve = (writer: SlabWriter, bytes: number): SharedBytes => {
  let start = Math.ceil(writer.usedBytes / alignment) * alignment;
  if (writer.slab.length - start < bytes) {
    writer.slab = allocate(Math.min(slabBytesMax, Math.max(slabBytesMin, 2 * writer.slab.length, 2 * bytes)));
    start = 0;
  }
  writer.usedBytes = start + bytes;
  return writer.slab.subarray(start, start + bytes);
};

/**
 * Copies bytes into a slab and returns them there. The garbage collector frees a slab once nothing written to it is
 * held; since the oldest lines leave first, whole slabs are freed.
 */
export const writeBytes = (writer: SlabWriter, bytes: Uint8Array): SharedBytes => {
  // Very long lines get memory of their own, so as not to leave much of a slab empty.
  const place = bytes.length > slabBytesMax / 4 ? allocate(bytes.length) : reserve(writer, bytes.length);
  place.set(bytes);
  return place;
};

type NumberArrayType<A> = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
};

/** Returns an array in a slab, to be filled at once. */
export const reserveArray = <A>(writer: SlabWriter, type: NumberArrayType<A>, length: number): A => {
  const place = reserve(writer, type.BYTES_PER_ELEMENT * length);
  return new type(place.buffer, place.byteOffset, length);
};

/** Writes numbers and returns them as an array. */
export const takeArray = <A extends {set(values: ArrayLike<number>): void}>(
  writer: SlabWriter,
  type: NumberArrayType<A>,
  values: ArrayLike<number>,
): A => {
  const array = reserveArray(writer, type, values.length);
  array.set(values);
  return array;
};

/** Entries with their lines as one compressed text in a slab. */
export type Packed = {
  readonly times: BigInt64Array;
  /** Length of each text in UTF-16 code units: two bytes each, or four if one is too long for that. */
  readonly lengths: Uint16Array | Uint32Array;
  readonly marks: Uint16Array;
  /** The id of the first entry if they count up from it, as they do unless lines came late; else all of them. */
  readonly ids: number | Float64Array;
  readonly markers: ReadonlyMap<number, Marker>;
  readonly sources: PackedSources;
  readonly texts: PackedTexts;
  /** Some text contains a line break itself. */
  readonly hasBreaks: boolean;
};

/** The sources of the lines. */
type PackedSources = {
  /** Those that occur, each once; `undefined` stands for lines whose source is not known, and for markers. */
  readonly table: readonly (SourceName | undefined)[];
  /** For each entry an index into the table; left out if the table has one row. */
  readonly indexes: Uint16Array | undefined;
};

/** The stored texts with separators between them, as UTF-8, in memory that threads share. */
export type PackedTexts = {
  /** Compressed; as they are if that is no shorter. */
  readonly bytes: Uint8Array;
  /** Length of the UTF-8 in bytes. */
  readonly length: number;
  readonly isAscii: boolean;
};

/** Layout of a mark: the low 14 bits are where the text begins, up to 0x3fff; the two highest bits are flags. */
const lateBit = 0x8000;
/** Its timestamp is in the form that the interface describes, so it is rebuilt from the time and not stored. */
export const canonicalBit = 0x4000;
export const textIndexMax = 0x3fff;
/** No line has this mark: after a timestamp that isn't stored, the text never begins at 0. */
export const markerMark = 0x4000;

/** Separates the stored texts, so that all of them can be searched as one. */
export const separator = '\n';

/** Returns the part of a line that is stored as text. */
const storedText = (entry: LineEntry, isCanonical: boolean): string => (isCanonical ? textOf(entry) : entry.raw);

/**
 * Checks only the letters that set the canonical form apart from other readable ones. A leap second is excluded, as it
 * would be rebuilt as the second after it.
 */
const isCanonicalLine = ({raw, textIndex}: LineEntry): boolean =>
  textIndex === canonicalStampLength + 1 && raw[10] === 'T' && raw[17] !== '6' && raw[canonicalStampLength - 1] === 'Z';

/**
 * Packs entries: a fraction of the memory of objects, and nothing for the garbage collector to traverse. Returns
 * undefined if packing would change a line: UTF-8 has no lone surrogates.
 */
export const packEntries = (entries: readonly Entry[], slabs: SlabWriter): Packed | undefined => {
  const texts: string[] = [];
  const lengths = new Uint32Array(entries.length);
  const marks = new Uint16Array(entries.length);
  const markers = new Map<number, Marker>();
  const firstId = entries[0]?.id ?? 0;
  let [areCountedUp, longest] = [true, 0];
  for (const [offset, entry] of entries.entries()) {
    areCountedUp &&= entry.id === firstId + offset;
    if (entry.kind !== 'line') {
      markers.set(offset, entry);
      marks[offset] = markerMark;
      texts.push('');
      continue;
    }
    const isCanonical = isCanonicalLine(entry);
    const stored = storedText(entry, isCanonical);
    texts.push(stored);
    lengths[offset] = stored.length;
    longest = Math.max(longest, stored.length);
    marks[offset] = entry.textIndex | (entry.late ? lateBit : 0) | (isCanonical ? canonicalBit : 0);
    if (entry.textIndex > textIndexMax) {
      return undefined;
    }
  }
  const text = texts.join(separator);
  if (!text.isWellFormed()) {
    return undefined;
  }
  const utf8 = Buffer.from(text);
  const compressed = compressText(utf8);
  const times = reserveArray(slabs, BigInt64Array, entries.length);
  for (const [offset, {at}] of entries.entries()) {
    times[offset] = at;
  }
  return {
    times,
    lengths: longest > 0xffff ? takeArray(slabs, Uint32Array, lengths) : takeArray(slabs, Uint16Array, lengths),
    marks: takeArray(slabs, Uint16Array, marks),
    ids: areCountedUp
      ? firstId
      : takeArray(
          slabs,
          Float64Array,
          entries.map(({id}) => id),
        ),
    markers,
    sources: packSources(entries, slabs),
    texts: {
      bytes: writeBytes(slabs, compressed.length < utf8.length ? compressed : utf8),
      length: utf8.length,
      isAscii: utf8.length === text.length,
    },
    hasBreaks: countSeparators(text) >= texts.length,
  };
};

const countSeparators = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
    count += 1;
  }
  return count;
};

const packSources = (entries: readonly Entry[], slabs: SlabWriter): PackedSources => {
  const rows = new Map<SourceName | undefined, number>();
  const indexes = new Uint16Array(entries.length);
  let last: {readonly source: SourceName | undefined; readonly row: number} | undefined;
  for (const [offset, entry] of entries.entries()) {
    const source = entry.kind === 'line' ? entry.source : undefined;
    if (last === undefined || last.source !== source) {
      const row = rows.get(source) ?? rows.size;
      rows.set(source, row);
      last = {source, row};
    }
    indexes[offset] = last.row;
  }
  return {table: [...rows.keys()], indexes: rows.size > 1 ? takeArray(slabs, Uint16Array, indexes) : undefined};
};

/** Returns the source of the line at an offset; undefined if it is not known. */
export const sourceIn = ({table, indexes}: PackedSources, offset: number): SourceName | undefined =>
  table[indexes?.[offset] ?? 0];

/** Returns the stored texts as one string. */
export const decodeTexts = (texts: PackedTexts): string =>
  expandTexts(texts).toString(texts.isAscii ? 'latin1' : 'utf8');

/** Returns the stored texts as UTF-8. */
export const expandTexts = ({bytes, length}: PackedTexts): Buffer =>
  bytes.length < length ? expandText(bytes, length) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Rebuilds the entries. */
export const unpackEntries = (packed: Packed): readonly Entry[] => {
  const {lengths} = packed;
  const text = decodeTexts(packed.texts);
  const entries: Entry[] = [];
  let start = 0;
  for (let offset = 0; offset < lengths.length; offset++) {
    const end = start + (lengths[offset] ?? 0);
    entries.push(entryFrom(packed, offset, text.slice(start, end)));
    start = end + separator.length;
  }
  return entries;
};

const entryFrom = ({times, ids, marks, markers, sources}: Packed, offset: number, stored: string): Entry => {
  const mark = marks[offset] ?? 0;
  const at = times[offset] ?? 0n;
  const source = sourceIn(sources, offset);
  return (
    markers.get(offset) ?? {
      kind: 'line',
      id: typeof ids === 'number' ? ids + offset : (ids[offset] ?? 0),
      at,
      raw: (mark & canonicalBit) === 0 ? stored : `${formatInstant(at)} ${stored}`,
      textIndex: mark & textIndexMax,
      late: (mark & lateBit) !== 0,
      ...(source && {source}),
    }
  );
};

/**
 * Rebuilds only the entries at the given ascending offsets of an ASCII chunk: one character is one byte, so the lengths
 * give each text's place. `utf8` is what `expandTexts` returns.
 */
export const readSingly = (packed: Packed, utf8: Buffer, offsets: Uint16Array): readonly Entry[] => {
  const {lengths} = packed;
  const found: Entry[] = [];
  let start = 0;
  let next = 0;
  for (const offset of offsets) {
    for (; next < offset; next++) {
      start += (lengths[next] ?? 0) + separator.length;
    }
    found.push(entryFrom(packed, offset, utf8.toString('latin1', start, start + (lengths[offset] ?? 0))));
  }
  return found;
};
