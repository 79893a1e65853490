import type {Instant} from '#log/line/instant.ts';

/** What a part of the service gets of the world around it: clocks, chance, and where warnings go. */
export type Surroundings = {
  readonly now: () => Instant;
  /** Milliseconds on a monotonic clock, for waits. */
  readonly monotonicMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Warns the operator. In the end, each message is given once. */
  readonly warn: (message: string) => void;
};
