import type {ErrorWithDetail} from '../errors/operator-words.ts';

/**
 * `status`: an answer other than 2xx; `auth`: no credentials could be had; `connection`: no answer, or one that broke
 * off; `timeout`; `body`: an answer that cannot be read.
 */
export type CallErrorKind = 'status' | 'auth' | 'connection' | 'timeout' | 'body';

/**
 * A failed call of another service that has the logs. The message is a sentence without secrets; it may quote the
 * server, unsanitised.
 */
export class CallError extends Error implements ErrorWithDetail {
  override readonly name: string = 'CallError';
  readonly kind: CallErrorKind;
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** The `reason` of a Status object of Kubernetes, such as `Expired` or `Forbidden`. */
  readonly reason: string | undefined;
  /** The `message` of the answer: foreign text, not sanitised. */
  readonly serverMessage: string | undefined;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly operatorDetail: string | undefined;

  constructor(
    kind: CallErrorKind,
    message: string,
    details: ErrorOptions &
      Partial<Pick<CallError, 'status' | 'reason' | 'serverMessage' | 'retryAfterMs' | 'operatorDetail'>> = {},
  ) {
    super(message, {cause: details.cause});
    this.kind = kind;
    this.status = details.status;
    this.reason = details.reason;
    this.serverMessage = details.serverMessage;
    this.retryAfterMs = details.retryAfterMs;
    this.operatorDetail = details.operatorDetail;
  }
}
