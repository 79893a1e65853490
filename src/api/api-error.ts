/**
 * The one error of the client. `message` says what, to whom and what to do, holds no secret and no piece of a body,
 * and fits on a status line; `kind` decides how the pace goes on and which exit code a command ends with.
 */
export type ApiErrorKind =
  /** The token is missing, unreadable or malformed: no request was sent. */
  | 'token'
  /** An id that no address can be made of (empty, `.`, `..`): no request was sent. */
  | 'badId'
  /** 401 */
  | 'unauthorised'
  /** 403 */
  | 'forbidden'
  /** 404 */
  | 'notFound'
  /** 429 */
  | 'tooManyRequests'
  /** 5xx */
  | 'server'
  /** Name not found, refused, unreachable, reset, cut short: no whole answer came. */
  | 'network'
  /** A time limit ran out. */
  | 'timeout'
  /** The certificate was not accepted. */
  | 'tls'
  /** 3xx: never followed, since `tenant` and `auth-mode` would travel with it. */
  | 'redirect'
  /** A whole answer came and is not the interface: not JSON, HTML, fields missing, any other status. */
  | 'notInterface'
  /** More decoded bytes than `bodyBytesMax`. */
  | 'tooLarge'
  /** Cancelled by its signal; nobody is told. */
  | 'cancelled'
  /** A recording that is played has no further answer. */
  | 'ended';

/** Every kind, for reading one that was written down. */
export const apiErrorKinds: readonly ApiErrorKind[] = [
  'token',
  'badId',
  'unauthorised',
  'forbidden',
  'notFound',
  'tooManyRequests',
  'server',
  'network',
  'timeout',
  'tls',
  'redirect',
  'notInterface',
  'tooLarge',
  'cancelled',
  'ended',
];

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly status: number | undefined;
  /** How long the service asked to wait (Retry-After), clamped to 1 s to 10 min. */
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
