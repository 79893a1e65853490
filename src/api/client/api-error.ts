/**
 * The kinds of `ApiError`, the client's only error. `message` says what failed, at which host, and what to do; it
 * contains no secret and no part of a body, and fits on a status line. `kind` decides how polling continues and which
 * exit code a command returns.
 */
export const apiErrorKinds = [
  /** The token is missing, unreadable or malformed: no request was sent. */
  'token',
  /** An id that cannot be part of an address (empty, `.`, `..`): no request was sent. */
  'badId',
  /** A setting cannot be used, such as an unreadable `ca_file`: no request was sent. */
  'setting',
  /** 401 */
  'unauthorised',
  /** 403 */
  'forbidden',
  /** 404 */
  'notFound',
  /** 429 */
  'tooManyRequests',
  /** 5xx */
  'server',
  /** Name not found, refused, unreachable, reset or cut short: no complete answer arrived. */
  'network',
  /** A time limit expired. */
  'timeout',
  /** The certificate was not accepted. */
  'tls',
  /** 3xx: never followed, because `tenant` and `auth-mode` would be sent along. */
  'redirect',
  /** A complete answer that does not match the interface: not JSON, HTML, missing fields, or any other status. */
  'notInterface',
  /** More decoded bytes than `bodyBytesMax`. */
  'tooLarge',
  /** Cancelled by its signal; not reported to the user. */
  'cancelled',
  /** The recording being replayed has no more answers. */
  'ended',
] as const;

export type ApiErrorKind = (typeof apiErrorKinds)[number];

/** Returns the message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unexpected fault');

/** Checks whether a new token is what helps. */
export const helpsNewToken = (kind: ApiErrorKind): boolean => kind === 'unauthorised' || kind === 'token';

/** A failed request, or one that could not be sent. `kind` says which; `message` is fit to be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly status: number | undefined;
  /** How long the service asked to wait (`Retry-After`), clamped to 1 s to 10 min. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ApiErrorKind,
    message: string,
    details: {status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown} = {},
  ) {
    super(message, details.cause === undefined ? undefined : {cause: details.cause});
    this.kind = kind;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}
