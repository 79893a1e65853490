/** Memory for bodies, used again: a body of megabytes every second in memory of its own leaves more garbage than is ever held. */
export type BodyPool = {
  /** A body to be filled. */
  take(): GrowingBody;
};

export type GrowingBody = {
  readonly byteCount: number;
  add(bytes: Buffer): void;
  /** What was added, valid until `giveBack`. */
  bytes(): Buffer;
  /** Its memory goes to the next body. */
  giveBack(): void;
};

const bytesMin = 64 * 1024;
/** Memory that is more than this many times what a body needed is not kept. */
const spareFactorMax = 8;
/** As many as logs are watched at once. */
const keptMax = 8;

export const createBodyPool = (): BodyPool => {
  const kept: Buffer[] = [];
  return {
    take: () => {
      // Not from Node's shared pool, which would hold small bodies for as long as any piece of it.
      let memory = kept.pop() ?? Buffer.allocUnsafeSlow(bytesMin);
      let byteCount = 0;
      let isGivenBack = false;
      return {
        get byteCount() {
          return byteCount;
        },
        add: bytes => {
          if (byteCount + bytes.length > memory.length) {
            const larger = Buffer.allocUnsafeSlow(Math.max(2 * memory.length, byteCount + bytes.length));
            memory.copy(larger, 0, 0, byteCount);
            memory = larger;
          }
          bytes.copy(memory, byteCount);
          byteCount += bytes.length;
        },
        bytes: () => memory.subarray(0, byteCount),
        giveBack: () => {
          if (
            !isGivenBack &&
            kept.length < keptMax &&
            memory.length <= Math.max(bytesMin, spareFactorMax * byteCount)
          ) {
            kept.push(memory);
          }
          isGivenBack = true;
        },
      };
    },
  };
};
