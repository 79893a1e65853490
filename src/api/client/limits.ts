/** Limits of a request. Times are in milliseconds; only tests use other values than the defaults. */
export type Limits = {
  /** For each of: name lookup, TCP connection (or a proxy's tunnel), TLS handshake. */
  readonly connectMs: number;
  /**
   * From sending the request to receiving the headers: the service assembles a long log before it sends the first byte.
   */
  readonly headersMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** The whole request: a body that trickles in never reaches the idle limit. */
  readonly requestMs: number;
  /** Decoded bytes of a body. A window is one to five megabytes; a gzip bomb expands a thousandfold. */
  readonly bodyBytesMax: number;
};

/** The limits of every request, unless the options of a client set others. */
export const defaultLimits: Limits = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  requestMs: 30_000,
  bodyBytesMax: 64 * 1024 * 1024,
};
