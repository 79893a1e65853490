/**
 * Memory that grows in place and returns what it no longer needs to the system at once. Memory allocated for each body
 * of megabytes would wait for the garbage collector, which is in no hurry, and leave holes that nothing else fits into.
 */
export type ElasticMemory = {
  readonly byteCount: number;
  /**
   * Resizes to `byteCount` bytes, at most `bytesMax`, and keeps the content. Buffers returned earlier stay valid until
   * the memory shrinks.
   */
  resize(byteCount: number): Buffer;
};

/**
 * Reserves `bytesMax` of address space. Uses only as much memory as its current size, rounded up to a page, and only
 * pages that were written to.
 */
export const createElasticMemory = (bytesMax: number): ElasticMemory => {
  const memory = new ArrayBuffer(0, {maxByteLength: bytesMax});
  return {
    get byteCount() {
      return memory.byteLength;
    },
    resize: byteCount => {
      memory.resize(byteCount);
      return Buffer.from(memory);
    },
  };
};
