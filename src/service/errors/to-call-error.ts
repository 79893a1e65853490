import {CallError} from '../backend/errors.ts';
import {describeError} from './describe-fault.ts';

/** Returns whatever a call threw as a `CallError`, so that it is retried and reported like one. */
export const toCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : new CallError('body', `${describeError(error)}.`, {cause: error});
