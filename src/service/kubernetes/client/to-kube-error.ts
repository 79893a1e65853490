import {describeError} from '../../errors/describe-fault.ts';
import {KubeError} from './kube-client.ts';

/** Returns whatever a call of the client threw as a `KubeError`, so that it is retried and reported like one. */
export const toKubeError = (error: unknown): KubeError =>
  error instanceof KubeError ? error : new KubeError('body', `${describeError(error)}.`, {cause: error});
