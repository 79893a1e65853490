import {setNewest} from '#base/bounds.ts';
import {errorCodeOf} from '#base/error-code.ts';
import {PathError} from '#base/system/open-regular.ts';

/** Checks whether a file system error has one of these codes, such as `ENOENT`. */
export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(errorCodeOf(error));

/** Returns the error's words without Node's prefix of code and suffix of call: `permission denied`. */
export const describeError = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? message;
};

/** Continues a sentence that ends with the path of a file that could not be read. */
export const describeUnread = (path: string, error: unknown): string =>
  error instanceof PathError ? `${path} ${error.message}` : `${path} cannot be read: ${describeError(error)}.`;

/** An error that knows more than its message tells. */
type ErrorWithDetail = {
  /** A sentence for whoever runs this, but not for readers of what is served. Safe to print. */
  readonly operatorDetail: string | undefined;
};

const hasDetail = (error: unknown): error is ErrorWithDetail =>
  error instanceof Error && 'operatorDetail' in error && typeof error.operatorDetail === 'string';

const findDetail = (error: unknown): string | undefined =>
  hasDetail(error) ? error.operatorDetail : error instanceof Error ? findDetail(error.cause) : undefined;

/** Returns an error's message as the operator may read it, with the detail of what caused it. */
export const operatorWords = (error: Error): string => {
  const detail = findDetail(error);
  return detail === undefined || error.message.includes(detail) ? error.message : `${error.message} ${detail}`;
};

/** A failure that the operator can fix: its message is one whole sentence, shown unchanged, without a stack trace. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
}

/** A fault of the config, or of a file that it names: starting again changes nothing until somebody mends it. */
export class SettingError extends ServiceError {
  override readonly name = 'SettingError';
}

/**
 * `busy`: another process has it; `unwritable`: its folder or disk takes no write; `damaged`: what is there is no state
 * that this version can read.
 */
type StateFault = 'busy' | 'unwritable' | 'damaged';

/** Why a service's state cannot be used. The message fits into parentheses; where it is `busy`, it is a sentence. */
export class StateError extends ServiceError {
  override readonly name = 'StateError';
  readonly fault: StateFault;

  constructor(fault: StateFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

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

/**
 * Says why an answer cannot be given now, though it may be later, as a sentence for the reader of the answer, who gets
 * status 503.
 */
export class UnavailableError extends ServiceError {
  override readonly name = 'UnavailableError';
}

/** Says in a sentence what does not exist of what was asked for, though the branch does. */
export class AbsentError extends ServiceError {
  override readonly name = 'AbsentError';
}

/** Returns whatever a call threw as a `CallError`, so that it is retried and reported like one. */
export const toCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : new CallError('body', `${describeError(error)}.`, {cause: error});

type Failure = Pick<CallError, 'kind' | 'status'>;

/** Checks whether there are no credentials that the cluster accepts: somebody has to log in again. */
export const isSignedOut = (failure: Failure | undefined): boolean =>
  failure?.kind === 'auth' || failure?.status === 401;

/** Checks whether the cluster refuses the call: a person has to change credentials or permissions. */
export const isRefusal = (failure: Failure): boolean => isSignedOut(failure) || failure.status === 403;

/** Distinct messages remembered: about 200 KB. Past this the oldest is forgotten, and may be given again. */
const rememberedMax = 1_000;

/** Gives each warning once, however often its cause comes back. */
export const createWarnOnce = (warn: (message: string) => void) => {
  const given = new Map<string, true>();
  return {
    warn: (message: string): void => {
      if (!given.has(message)) {
        setNewest(given, message, true, rememberedMax);
        warn(message);
      }
    },
    /** Every message may be given again: the operator has changed something. */
    forget: (): void => given.clear(),
  };
};
