import type {BranchSetting} from './plans.ts';
import {type Release, releaseBefore} from './releases.ts';

/** Where a branch stands at a moment. */
export type BranchStatus = {
  readonly status: string | null;
  /** When it came to stand there, milliseconds since the demo's start. */
  readonly sinceMs: number;
  /** The release that made it so; undefined where that was before the demo's. */
  readonly release: Release | undefined;
};

/** The status of a branch at a moment, `demoMs` milliseconds after the demo's start (interface specification, section 3). */
export const branchStatusAt = (setting: BranchSetting, demoMs: number): BranchStatus => {
  const {course, changedAgoMs} = setting.branch;
  const release = releaseBefore(setting, demoMs);
  if (!release) {
    const status = course.kind === 'settled' ? course.status : 'DEPLOY_APPLICATION_SUCCESS';
    return {status: course.kind === 'unbuilt' ? null : status, sinceMs: -changedAgoMs, release};
  }
  if (demoMs < release.builtMs) {
    return {status: 'BUILD_APPLICATION_RUNNING', sinceMs: release.startMs, release};
  }
  if (demoMs < release.endMs) {
    return {status: 'DEPLOY_APPLICATION_RUNNING', sinceMs: release.builtMs, release};
  }
  const status = release.succeeds ? 'DEPLOY_APPLICATION_SUCCESS' : 'DEPLOY_APPLICATION_FAILED';
  return {status, sinceMs: release.endMs, release};
};
