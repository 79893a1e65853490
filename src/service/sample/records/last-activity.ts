import type {BranchStatus} from '../plan/branch-status.ts';
import {environmentIdOf} from '../plan/environment.ts';
import {organisationId, userIdOf} from '../plan/people.ts';
import type {BranchSetting} from '../plan/plans.ts';
import {makeId, makeUuid} from '../seed/make-id.ts';

const activityStatusOf = (status: string | null): string => {
  if (status === 'DEPLOY_APPLICATION_SUCCESS') {
    return 'SUCCESS';
  }
  return status !== null && /FAIL|ERROR/.test(status) ? 'FAILED' : 'RUNNING';
};

/**
 * Creates the last activity on a branch (interface specification, section 2.3). A release is a `DEPLOY_APPLICATION`;
 * before the demo there was a change of configuration, the only action the specification names.
 */
export const makeLastActivity = (setting: BranchSetting, {status, sinceMs, release}: BranchStatus) => {
  const {branchId, siteId, startMs, branch} = setting;
  const deed = `activity ${release?.number ?? 'before'}`;
  const task = release ? 'deploy-application' : 'update-config-application';
  return {
    _id: makeId(deed, branchId),
    action: release ? 'DEPLOY_APPLICATION' : 'UPDATE_CONFIG_APPLICATION',
    createdBy: userIdOf(setting, deed),
    workspace: organisationId,
    project: siteId,
    application: branchId,
    environment: environmentIdOf(siteId),
    status: activityStatusOf(status),
    createdAt: new Date(startMs + (release?.startMs ?? -branch.changedAgoMs - 90_000)).toISOString(),
    updatedAt: new Date(startMs + sinceMs).toISOString(),
    lastResponse: {id: makeUuid(deed, branchId), status: activityStatusOf(status), payload: {}, task},
    taskName: release ? task : null,
  };
};
