import type {Branch} from '../api/branch.ts';
import {describeStatus} from './describe-status.ts';
import {matchesFilter} from './picker.ts';
import type {BranchesState} from './state.ts';

/** The branches that filter and choice leave, in the service's order, those that are not built out last. */
export const listBranches = ({branches, picker, deployedOnly}: BranchesState): readonly Branch[] => {
  const found = branches.filter(
    branch =>
      matchesFilter(picker.filter, [branch.name, branch._id, branch.status, describeStatus(branch.status).words]) &&
      (!deployedOnly || describeStatus(branch.status).isDeployed),
  );
  return [...found.filter(branch => branch.status !== null), ...found.filter(branch => branch.status === null)];
};

/** A branch by its id or, where no id fits, by its name. */
export const findBranch = (branches: readonly Branch[], idOrName: string): Branch | undefined =>
  branches.find(branch => branch._id === idOrName) ?? branches.find(branch => branch.name === idOrName);
