/**
 * Memory that grows where it lies and gives back at once what it needs no longer. Memory that is allocated anew for each body of megabytes would wait
 * for the garbage collector, which has no reason to hurry, and leave holes that nothing else fits into.
 */
export type ElasticMemory = {
  readonly byteCount: number;
  /**
   * Makes it so many bytes, at most `bytesMax`, and keeps those that it has. What was answered before is valid until it becomes smaller.
   */
  resize(byteCount: number): Buffer;
};

/** Takes `bytesMax` of the address space, and of memory what it was resized to, to a page, as far as it was written to. */
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
