/** A successful answer: its value, plus what the poll inspector, the clock and the pace need. */
export type Answer<T> = {
  readonly value: T;
  /** HTTP status, 200 to 299. */
  readonly status: number;
  /** Milliseconds from the request to the last byte, by a monotonic clock. */
  readonly durationMs: number;
  /** Decoded bytes of the body. */
  readonly bodyBytes: number;
  /**
   * The service's clock from its `date` header, in milliseconds since 1970; undefined if the header is missing or
   * unreadable.
   */
  readonly serviceTimeMs: number | undefined;
  /**
   * Items that were skipped because they did not match the interface, each with its path: `[3].name: expected a string,
   * got null`.
   */
  readonly skipped: readonly string[];
  /** Records of a listing that have no id, so that nothing can be asked for; they are among the skipped. */
  readonly withoutId?: number | undefined;
  /**
   * A notice about the token that was sent: its file is gone and the token came from memory, or its group may read the
   * file.
   */
  readonly notice?: string;
};
