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
