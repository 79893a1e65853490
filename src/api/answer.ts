/** What every good answer tells beside its value: the poll inspector, the clock and the pace live from it. */
export type Answer<T> = {
  readonly value: T;
  /** HTTP status, 200 to 299. */
  readonly status: number;
  /** Milliseconds from the request to the last byte, by a monotonic clock. */
  readonly durationMs: number;
  /** Decoded bytes of the body. */
  readonly bodyBytes: number;
  /** The service's own clock, milliseconds since 1970, where its `date` header can be read. */
  readonly serviceTimeMs: number | undefined;
  /** Items that were skipped because they were not of the interface, each with its path: `[3].name: expected a string, got null`. */
  readonly skipped: readonly string[];
  /** A word about the token that was sent: its file is gone and it came from memory, or its group may read it. */
  readonly notice?: string;
};
