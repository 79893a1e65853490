/** Large pieces of memory for text: many small ones would leave holes behind that nothing else fits into. The first ones are smaller, for short logs. */
const slabBytesMin = 1024 * 1024;
const slabBytesMax = 16 * 1024 * 1024;

/** A character takes at most three bytes of UTF-8 for each of its UTF-16 code units. */
const bytesPerCodeUnitMax = 3;

/** Memory that other threads read too, so that a search looks through the lines where they are. */
type SharedBytes = Uint8Array<SharedArrayBuffer>;

const allocate = (bytes: number): SharedBytes => new Uint8Array(new SharedArrayBuffer(bytes));

/** Where text goes next. It is only ever added to, so whatever was written stays as it is, and may be read while more is written. */
export type SlabWriter = {slab: SharedBytes; usedBytes: number};

export const createSlabWriter = (): SlabWriter => ({slab: allocate(0), usedBytes: 0});

const encoder = new TextEncoder();

/** Numbers need to lie at a multiple of their size. */
const alignment = 8;

/** So many bytes of the slab, of a new one where the old is used up. */
const reserve = (writer: SlabWriter, bytesMax: number): SharedBytes => {
  writer.usedBytes = Math.ceil(writer.usedBytes / alignment) * alignment;
  if (writer.slab.length - writer.usedBytes < bytesMax) {
    writer.slab = allocate(Math.min(slabBytesMax, Math.max(slabBytesMin, 2 * writer.slab.length, 2 * bytesMax)));
    writer.usedBytes = 0;
  }
  return writer.slab.subarray(writer.usedBytes, writer.usedBytes + bytesMax);
};

/**
 * Writes well-formed text as UTF-8 and answers its bytes. A slab is let go of by the collector when nothing that was written
 * to it is held any more; as the oldest lines leave first, whole slabs do.
 */
export const writeText = (writer: SlabWriter, text: string): SharedBytes => {
  const bytesMax = text.length * bytesPerCodeUnitMax;
  if (bytesMax > slabBytesMax / 4) {
    // Very long lines get memory of their own instead of leaving a good part of a slab empty.
    const encoded = encoder.encode(text);
    const own = allocate(encoded.length);
    own.set(encoded);
    return own;
  }
  const place = reserve(writer, bytesMax);
  const {written} = encoder.encodeInto(text, place);
  writer.usedBytes += written;
  return place.subarray(0, written);
};

type NumberArrayType<A, N> = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A & {set(values: ArrayLike<N>): void};
};

/** Writes numbers and answers them as an array. */
export const takeArray = <A, N>(writer: SlabWriter, type: NumberArrayType<A, N>, values: ArrayLike<N>): A => {
  const place = reserve(writer, type.BYTES_PER_ELEMENT * values.length);
  writer.usedBytes += place.length;
  const array = new type(place.buffer, place.byteOffset, values.length);
  array.set(values);
  return array;
};
