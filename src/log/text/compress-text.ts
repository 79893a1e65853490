/** The fastest of zstd's ordinary levels; log lines shrink to a ninth and less, and higher ones gain little more. */
const level = 1;
/** Larger than what most texts shrink to: what is reserved waits for the garbage collector. */
const shrinkMin = 4;

/** Loaded on first use: the first screen shows no lines. */
const zlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib');

/** Compresses bytes. The result depends on nothing but them. */
export const compressText = (bytes: Uint8Array): Uint8Array => {
  const {constants, zstdCompressSync} = zlib();
  return zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    chunkSize: Math.max(constants.Z_MIN_CHUNK, Math.ceil(bytes.length / shrinkMin)),
    params: {[constants.ZSTD_c_compressionLevel]: level},
  });
};

/** Restores what `compressText` was given, `length` bytes. Throws for anything else. */
export const expandText = (compressed: Uint8Array, length: number): Buffer => {
  const {constants, zstdDecompressSync} = zlib();
  // Room for one byte more: into exactly enough, Node expands twice.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, length + 1);
  return zstdDecompressSync(compressed, {chunkSize, maxOutputLength: length});
};
