import {isRefusal} from '#service/errors/is-refusal.ts';
import type {KubeError} from '../kube-client.ts';

const retryMsMin = 1_000;
const retryMsMax = 15_000;
/** What a person has to change, such as a permission. */
const refusedRetryMs = 30_000;

/** Whether the server asks to come again later. Nothing is wrong then. */
export const isAskedToWait = ({status, retryAfterMs}: Pick<KubeError, 'status' | 'retryAfterMs'>): boolean =>
  status === 429 || retryAfterMs !== undefined;

/**
 * Returns the delay before the next try, milliseconds, and the number of failures to count from. A server that is busy
 * (429) says itself how long to wait; that says nothing about other faults, so it does not count. `random` is 0 to 1.
 */
export const planRetry = (
  error: Pick<KubeError, 'kind' | 'status' | 'retryAfterMs'>,
  {failures, random}: {readonly failures: number; readonly random: number},
): {readonly delayMs: number; readonly failures: number} => {
  // An API that the cluster does not have yet may come with its next version.
  if (isRefusal(error) || error.status === 404) {
    return {delayMs: refusedRetryMs * (1 + random / 2), failures};
  }
  if (isAskedToWait(error)) {
    return {delayMs: (error.retryAfterMs ?? retryMsMin) + retryMsMin * random, failures};
  }
  return {delayMs: Math.min(retryMsMax, retryMsMin * 2 ** failures) * (0.5 + random / 2), failures: failures + 1};
};
