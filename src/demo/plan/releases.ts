import type {BranchSetting} from '../world/plan/plans.ts';
import {createRandom} from '../world/seed/random.ts';

/** One release of a branch; times in milliseconds since the demo's start. */
export type Release = {
  /** Counts from 0. */
  readonly number: number;
  readonly startMs: number;
  /** The image is built and the deployment begins. */
  readonly builtMs: number;
  readonly endMs: number;
  readonly succeeds: boolean;
};

// Releases start a little later than scheduled, as with people.
const delayShareMax = 1 / 8;

/** Returns the n-th release of a branch; undefined if its course has none. */
export const releaseNumber = (
  {branch: {course}, branchId, seed}: Pick<BranchSetting, 'branch' | 'branchId' | 'seed'>,
  number: number,
): Release | undefined => {
  if (course.kind !== 'released' || number < 0) {
    return undefined;
  }
  const {firstMs, everyMs, lengthMs, failsEvery} = course;
  const delay = number === 0 ? 0 : createRandom(seed, branchId, 'release', number).fraction() * delayShareMax;
  const startMs = Math.round(firstMs + (number + delay) * everyMs);
  return {
    number,
    startMs,
    builtMs: startMs + Math.round(lengthMs * 0.35),
    endMs: startMs + lengthMs,
    succeeds: failsEvery === 0 || number % failsEvery !== failsEvery - 1,
  };
};

/** Returns the latest release started at or before a moment; undefined if there is none. */
export const releaseBefore = (setting: BranchSetting, demoMs: number): Release | undefined => {
  const {course} = setting.branch;
  if (course.kind !== 'released') {
    return undefined;
  }
  const byClock = releaseNumber(setting, Math.floor((demoMs - course.firstMs) / course.everyMs));
  return byClock && byClock.startMs <= demoMs ? byClock : releaseNumber(setting, (byClock?.number ?? 0) - 1);
};
