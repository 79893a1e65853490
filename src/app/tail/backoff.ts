import {type ApiError, type ApiErrorKind, helpsNewToken} from '#api/client/api-error.ts';

const backoffMsMax = 30_000;
/** Faults that a person must fix (a token, a setting, a permission, a deleted branch) are retried twice a minute. */
const slowPollMs = 30_000;

export type BackoffInput = {
  readonly error: Pick<ApiError, 'kind' | 'retryAfterMs'>;
  /** Failed polls since the last good one, including this one. */
  readonly attemptNumber: number;
  /** 0 to 1. */
  readonly random: number;
};

/**
 * Returns the delay after a failed poll, milliseconds: what the service asked for, otherwise a random half to whole of
 * a delay that doubles.
 */
export const backoffMs = ({error, attemptNumber, random}: BackoffInput): number => {
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs;
  }
  switch (error.kind) {
    case 'unauthorised':
    case 'forbidden':
    case 'notFound':
    case 'token':
    case 'setting':
    case 'tls':
    case 'tooLarge':
      return slowPollMs;
    default:
      return Math.min(backoffMsMax, 1000 * 2 ** (attemptNumber - 1)) * (0.5 + random / 2);
  }
};

/** A request that fails again and again. Times are milliseconds by a monotonic clock. */
export type LastingFailure = {
  readonly errorKind: ApiErrorKind;
  /** The fault in one sentence, without secrets. */
  readonly message: string;
  /** Starts over when the user is signed out after another failure, and the other way round. */
  readonly sinceMs: number;
  /** In the past while the try is under way. */
  readonly retryAtMs: number;
  /** Failures since the last good answer. */
  readonly attemptNumber: number;
};

/** Returns the failure after one more, and the delay of the next try; `before` is undefined for the first. */
export const failAgain = (
  before: LastingFailure | undefined,
  error: Pick<ApiError, 'kind' | 'message' | 'retryAfterMs'>,
  {nowMs, random}: {readonly nowMs: number; readonly random: number},
): {readonly failure: LastingFailure; readonly delayMs: number} => {
  const isSame = before !== undefined && helpsNewToken(before.errorKind) === helpsNewToken(error.kind);
  const attemptNumber = (before?.attemptNumber ?? 0) + 1;
  const delayMs = Math.round(backoffMs({error, attemptNumber, random}));
  return {
    failure: {
      errorKind: error.kind,
      message: error.message,
      sinceMs: isSame ? before.sinceMs : nowMs,
      retryAtMs: nowMs + delayMs,
      attemptNumber,
    },
    delayMs,
  };
};
