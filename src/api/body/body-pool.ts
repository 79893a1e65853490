import {createElasticMemory, type ElasticMemory} from './elastic-memory.ts';

/**
 * Reusable memory for bodies. Allocating megabytes for a new body every second would leave more garbage than is ever in
 * use.
 */
export type BodyPool = {
  /** Returns an empty body to fill. */
  take(): GrowingBody;
};

export type GrowingBody = {
  /** Throws a `RangeError` if the body would exceed its limit. */
  add(bytes: Buffer): void;
  /** Returns what was added; valid until `giveBack`. */
  bytes(): Buffer;
  /** Returns most of the memory to the system; its address range is kept for the next body. */
  giveBack(): void;
};

const bytesMin = 64 * 1024;
/** What stays in memory between polls: in a virtual machine, writing to a page anew can take some 20 µs. */
const keptBytesMax = 8 * 1024 * 1024;
/** The number of logs that are watched at once. */
const keptMax = 8;

/** Creates the pool. `bodyBytesMax`: the limit of a body's decoded bytes. */
export const createBodyPool = (bodyBytesMax: number): BodyPool => {
  const kept: ElasticMemory[] = [];
  return {
    take: () => {
      const memory = kept.pop() ?? createElasticMemory(bodyBytesMax);
      let place = memory.resize(Math.min(Math.max(bytesMin, memory.byteCount), bodyBytesMax));
      let byteCount = 0;
      let isGivenBack = false;
      return {
        add: bytes => {
          const needed = byteCount + bytes.length;
          if (needed > place.length) {
            place = memory.resize(Math.max(needed, Math.min(2 * place.length, bodyBytesMax)));
          }
          bytes.copy(place, byteCount);
          byteCount = needed;
        },
        bytes: () => place.subarray(0, byteCount),
        giveBack: () => {
          if (isGivenBack) {
            return;
          }
          isGivenBack = true;
          const freeBytes = keptBytesMax - kept.reduce((sum, {byteCount}) => sum + byteCount, 0);
          memory.resize(Math.min(memory.byteCount, Math.max(freeBytes, 0)));
          if (kept.length < keptMax) {
            kept.push(memory);
          }
        },
      };
    },
  };
};
