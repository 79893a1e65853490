/**
 * Large pieces of memory for text: many small ones would fragment memory. The first ones are smaller, for short logs.
 */
const slabBytesMin = 1024 * 1024;
const slabBytesMax = 16 * 1024 * 1024;

/** A character takes at most three bytes of UTF-8 per UTF-16 code unit. */
const bytesPerCodeUnitMax = 3;

/** Memory shared with other threads, so that a search reads the lines in place. */
type SharedBytes = Uint8Array<SharedArrayBuffer>;

const allocate = (bytes: number): SharedBytes => new Uint8Array(new SharedArrayBuffer(bytes));

/** Where the next text goes. Append-only: written text never changes and may be read while more is written. */
export type SlabWriter = {slab: SharedBytes; usedBytes: number};

export const createSlabWriter = (): SlabWriter => ({slab: allocate(0), usedBytes: 0});

const encoder = new TextEncoder();

/** Numbers must be aligned to a multiple of their size. */
const alignment = 8;

/** Reserves bytes in the slab, or in a new one if the current one is used up. */
const reserve = (writer: SlabWriter, bytesMax: number): SharedBytes => {
  writer.usedBytes = Math.ceil(writer.usedBytes / alignment) * alignment;
  if (writer.slab.length - writer.usedBytes < bytesMax) {
    writer.slab = allocate(Math.min(slabBytesMax, Math.max(slabBytesMin, 2 * writer.slab.length, 2 * bytesMax)));
    writer.usedBytes = 0;
  }
  return writer.slab.subarray(writer.usedBytes, writer.usedBytes + bytesMax);
};

/**
 * Writes well-formed text as UTF-8 and returns its bytes. The garbage collector frees a slab once nothing written to it
 * is held; since the oldest lines leave first, whole slabs are freed.
 */
export const writeText = (writer: SlabWriter, text: string): SharedBytes => {
  const bytesMax = text.length * bytesPerCodeUnitMax;
  if (bytesMax > slabBytesMax / 4) {
    // Very long lines get memory of their own, so as not to leave much of a slab empty.
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

/** Writes numbers and returns them as an array. */
export const takeArray = <A, N>(writer: SlabWriter, type: NumberArrayType<A, N>, values: ArrayLike<N>): A => {
  const place = reserve(writer, type.BYTES_PER_ELEMENT * values.length);
  writer.usedBytes += place.length;
  const array = new type(place.buffer, place.byteOffset, values.length);
  array.set(values);
  return array;
};
