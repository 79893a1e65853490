import type {CallError} from '../backend/errors.ts';

type Failure = Pick<CallError, 'kind' | 'status'>;

/** Checks whether there are no credentials that the cluster accepts: somebody has to log in again. */
export const isSignedOut = (failure: Failure | undefined): boolean =>
  failure?.kind === 'auth' || failure?.status === 401;

/** Checks whether the cluster refuses the call: a person has to change credentials or permissions. */
export const isRefusal = (failure: Failure): boolean => isSignedOut(failure) || failure.status === 403;
