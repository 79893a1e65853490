import {minuteMs, secondMs} from '../seed/durations.ts';
import type {BranchSetting} from '../world/plan/plans.ts';
import {createRandom} from '../world/seed/random.ts';

/** The phase of an incident: first slow, then failing; `second` counts the failing seconds from 0. */
export type Incident = {readonly kind: 'slow'} | {readonly kind: 'failing'; readonly second: number};

const slowSeconds = 30;
const failingSeconds = 10;
/** How long before the demo's start the first one happens: in the first window, and well before the first release. */
const leadMs = 3 * minuteMs;
/** Incidents do not keep to the clock. */
const delaySecondsMax = 40;

/**
 * Returns the incident of a branch at a moment, in milliseconds since the demo's start; undefined if there is none. One
 * happens every `everyMs`, which is longer than an incident and its delay, 80 s; 0 for never.
 */
export const incidentAt = (
  {seed, branchId}: Pick<BranchSetting, 'seed' | 'branchId'>,
  everyMs: number,
  demoMs: number,
): Incident | undefined => {
  if (everyMs === 0) {
    return undefined;
  }
  const number = Math.floor((demoMs + leadMs) / everyMs);
  const delayMs = createRandom(seed, branchId, 'incident', number).integer(0, delaySecondsMax) * secondMs;
  const second = Math.floor((demoMs + leadMs - number * everyMs - delayMs) / secondMs);
  if (second < 0 || second >= slowSeconds + failingSeconds) {
    return undefined;
  }
  return second < slowSeconds ? {kind: 'slow'} : {kind: 'failing', second: second - slowSeconds};
};
