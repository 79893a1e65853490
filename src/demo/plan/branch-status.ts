import type {BranchSetting} from './plans.ts';
import {type Release, releaseBefore} from './releases.ts';

/** The status of a branch at a moment. */
export type BranchStatus = {
  readonly status: string | null;
  /** When it got this status, milliseconds since the demo's start. */
  readonly sinceMs: number;
  /** The release that caused it; undefined if that was before the demo's releases. */
  readonly release: Release | undefined;
};

/**
 * Returns the status of a branch at a moment, `demoMs` milliseconds after the demo's start (interface specification,
 * section 3).
 */
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
