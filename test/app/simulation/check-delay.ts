import type {ApiError} from '#api/client/api-error.ts';
import {intervalMsMax, intervalMsMin} from '#log/ingest/pace.ts';
import {assert} from './soak-branch.ts';

/** After 429 the interval is at most so many times as long. */
const slowDownMax = 16;
const backoffMsMin = 500;
const backoffMsMax = 30_000;

/** The next poll comes never sooner than the pace allows, and never later than it or the backoff promises. Milliseconds. */
export const checkDelay = (delayMs: number, fault: ApiError | undefined, wantedMs: number): void => {
  const {least, most} = boundsOf(fault, wantedMs);
  assert(
    least <= delayMs && delayMs <= most,
    () => `the next poll is put off by ${delayMs} ms, not ${least} to ${most}`,
  );
};

const boundsOf = (fault: ApiError | undefined, wantedMs: number): {readonly least: number; readonly most: number} => {
  if (fault === undefined) {
    return {least: intervalMsMin, most: Math.max(intervalMsMax, wantedMs) * slowDownMax};
  }
  return fault.retryAfterMs === undefined
    ? {least: backoffMsMin, most: backoffMsMax}
    : {least: fault.retryAfterMs, most: fault.retryAfterMs};
};
