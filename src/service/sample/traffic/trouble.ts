import type {BranchSetting} from '../plan/plans.ts';
import {releaseBefore} from '../plan/releases.ts';
import {secondMs} from '../seed/durations.ts';

const calm = 0.004;
/** New pods that are not warmed up fail this share of requests, between these times after the first of them started. */
const rollout = {share: 0.6, fromMs: 2 * secondMs, untilMs: 12 * secondMs};
/** A branch whose deployment failed has recurring failures: its pod starts, and crashes again. */
const broken = {share: 0.35, everyMs: 55 * secondMs, lengthMs: 14 * secondMs, otherwise: 0.02};

/** Returns the share of requests that fail on a branch at a moment, 0 to 1. */
export const troubleAt = (setting: BranchSetting, demoMs: number): number => {
  const {course} = setting.branch;
  if (course.kind === 'settled' && course.status !== 'DEPLOY_APPLICATION_SUCCESS') {
    const withinMs = ((demoMs % broken.everyMs) + broken.everyMs) % broken.everyMs;
    return withinMs >= broken.everyMs - broken.lengthMs ? broken.share : broken.otherwise;
  }
  const release = releaseBefore(setting, demoMs);
  const sinceComingMs = release ? demoMs - release.builtMs : -1;
  return sinceComingMs >= rollout.fromMs && sinceComingMs < rollout.untilMs ? rollout.share : calm;
};
