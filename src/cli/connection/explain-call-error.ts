import {ApiError, type ApiErrorKind} from '#api/client/api-error.ts';
import {isPathRefused} from '#base/system/open-regular.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {CallError, operatorWords, ServiceError, UnavailableError} from '#service/backend/errors.ts';
import {KubeError, readRefusedImpersonation} from '#service/kubernetes/kube-client.ts';

const kindOf = ({kind, status = 0}: CallError): ApiErrorKind => {
  if (kind === 'auth' || status === 401) {
    return 'unauthorised';
  }
  if (kind !== 'status') {
    return kind === 'connection' ? 'network' : kind === 'timeout' ? 'timeout' : 'notInterface';
  }
  switch (status) {
    case 403:
      return 'forbidden';
    case 404:
      return 'notFound';
    case 429:
      return 'tooManyRequests';
    default:
      return status >= 500 ? 'server' : 'notInterface';
  }
};

/**
 * Returns the error of a command for a failed call to a cluster or an engine: an `ApiError`, so that its exit code is
 * that of the same failure of a service; a `UsageError` for what the user has written. Returns other errors as they
 * are.
 */
export const explainCallError = (error: unknown): unknown => {
  const call = error instanceof CallError ? error : error instanceof ServiceError ? error.cause : undefined;
  if (call instanceof CallError) {
    const isRight = call instanceof KubeError && call.status === 403 && !readRefusedImpersonation(call.serverMessage);
    const help = isRight ? ' branchlog doctor --kube prints the Role.' : '';
    // A file or a program that others may write to is corrected before anything is asked.
    return call.status === 400 || isPathRefused(call)
      ? new UsageError(operatorWords(call), {cause: error})
      : new ApiError(kindOf(call), `${operatorWords(call)}${help}`, {status: call.status, cause: error});
  }
  if (error instanceof UnavailableError) {
    return new ApiError('server', operatorWords(error), {cause: error});
  }
  return error instanceof ServiceError ? new UsageError(error.message, {cause: error}) : error;
};
