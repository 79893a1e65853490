import {dayMs, hourMs} from '../../seed/durations.ts';
import type {Roster} from '../../seed/roster.ts';
import type {BranchPlan, BranchSetting, Course} from '../plan/plans.ts';
import type {LogShape} from '../seed/log-source.ts';
import {createTrafficSource} from '../traffic/traffic-source.ts';

/** Lines in a window of the demo: minutes of a busy branch. */
export const windowLinesMax = 1000;

/** A branch that stays in a status. */
export const settled = (status: string, podsRun = true): Course => ({kind: 'settled', status, podsRun});

/** A branch that is released again and again. Unless given, pods of an earlier release run, and none fails. */
export const released = (
  plan: Omit<Extract<Course, {kind: 'released'}>, 'kind' | 'podsRun' | 'failsEvery'> & {
    readonly podsRun?: boolean;
    readonly failsEvery?: number;
  },
): Course => ({kind: 'released', podsRun: true, failsEvery: 0, ...plan});

export const deployed = settled('DEPLOY_APPLICATION_SUCCESS');
export const unbuilt: Course = {kind: 'unbuilt'};

/**
 * Creates a log of a working day's traffic with this many events a second at its peak, and an incident at this
 * interval; 0 for never.
 */
export const trafficLog =
  (peakPerSecond: number, incidentEveryMs: number = 0) =>
  (setting: BranchSetting & {readonly roster: Roster}): LogShape => ({
    windowLinesMax,
    cutBySource: false,
    sources: [createTrafficSource({setting, roster: setting.roster, peakPerSecond, lateShare: 0.004, incidentEveryMs})],
  });

/** Plans an ordinary branch: a feature created from master some days ago, one pod, occasional visitors. */
export const planBranch = (plan: Pick<BranchPlan, 'name' | 'course'> & Partial<BranchPlan>): BranchPlan => ({
  branchType: 'FEATURE',
  originBranch: 'master',
  replicas: 1,
  madeAgoMs: 9 * dayMs,
  changedAgoMs: 3 * dayMs,
  customDomains: [],
  locked: false,
  editor: false,
  shapeLog: trafficLog(0.4),
  ...plan,
});

/** Plans a site's master: deployed, two pods, its own domains. */
export const planMaster = (plan: Partial<BranchPlan>): BranchPlan =>
  planBranch({
    name: 'master',
    branchType: 'MASTER',
    originBranch: '',
    course: deployed,
    replicas: 2,
    madeAgoMs: 412 * dayMs,
    changedAgoMs: 2 * hourMs,
    shapeLog: trafficLog(2),
    ...plan,
  });
