import type {ApiError} from '../../api/api-error.ts';

const backoffMsMax = 30_000;
/** What a person has to fix (a token, a setting, a permission, a branch that is gone) is retried twice a minute. */
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
