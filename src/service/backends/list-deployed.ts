import type {Backend, BranchRecord} from '../backend/backend.ts';

const deployedStatus = 'DEPLOY_APPLICATION_SUCCESS';

/** Returns the deployed branches of a site: those that the backend counts as such, otherwise by their status. */
export const listDeployed = async (backend: Backend, siteId: string): Promise<readonly BranchRecord[] | undefined> =>
  backend.listDeployed
    ? await backend.listDeployed(siteId)
    : (await backend.listBranches(siteId))?.filter(({status}) => status === deployedStatus);
