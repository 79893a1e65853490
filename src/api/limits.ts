/** What bounds a request. Times in milliseconds; only tests choose other values. */
export type Limits = {
  /** For each of name lookup, TCP connection (or a proxy's tunnel) and TLS handshake. */
  readonly connectMs: number;
  /** From the request sent to the answer's headers: a log of many lines is put together before the first byte. */
  readonly headersMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** The whole request: a body that drips stays below the idle limit for ever. */
  readonly requestMs: number;
  /** Decoded bytes of a body. A window is one to five megabytes; a gzip bomb is a thousand times its own size. */
  readonly bodyBytesMax: number;
};

export const defaultLimits: Limits = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  requestMs: 30_000,
  bodyBytesMax: 64 * 1024 * 1024,
};
