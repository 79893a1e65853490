import {createElasticMemory, type ElasticMemory} from './elastic-memory.ts';

/** Memory for bodies, used again: a body of megabytes every second in memory of its own leaves more garbage than is ever held. */
export type BodyPool = {
  /** A body to be filled. */
  take(): GrowingBody;
};

export type GrowingBody = {
  /** Throws a `RangeError` where that is more than a body may have. */
  add(bytes: Buffer): void;
  /** What was added, valid until `giveBack`. */
  bytes(): Buffer;
  /** Its memory goes to the next body, and until there is one to the system. */
  giveBack(): void;
};

const bytesMin = 64 * 1024;
/** As many as logs are watched at once. */
const keptMax = 8;

/** `bodyBytesMax`: decoded bytes of a body. */
export const createBodyPool = (bodyBytesMax: number): BodyPool => {
  const kept: ElasticMemory[] = [];
  return {
    take: () => {
      const memory = kept.pop() ?? createElasticMemory(bodyBytesMax);
      let place = memory.resize(Math.min(bytesMin, bodyBytesMax));
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
          // A page that is written to again costs less than a microsecond; held, a body is megabytes between two polls.
          memory.resize(0);
          if (kept.length < keptMax) {
            kept.push(memory);
          }
        },
      };
    },
  };
};
