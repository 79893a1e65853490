import {createSoakBranch, type SoakBranch, type SoakBranchOptions} from './soak-branch.ts';
import {createSoakCluster} from './soak-cluster.ts';

export type OpenSoakBranchOptions = SoakBranchOptions & {
  /** So many branches of one are served by a random cluster. */
  readonly clusterShare: number;
};

/**
 * A branch of one kind or the other. What left a buffer that is bounded nobody can judge by what a cluster knows. The
 * clusters give each line its number: of others something is left, which `npm run false-gaps` counts.
 */
export const openSoakBranch = ({clusterShare, ...options}: OpenSoakBranchOptions): SoakBranch => {
  const {random, property, checksEachStep} = options;
  const mayBeCluster = clusterShare > 0 && property.allowed.bufferBytesMax === undefined;
  return mayBeCluster && random.chance(clusterShare)
    ? createSoakCluster({random, family: 'numbered', checksEachStep})
    : createSoakBranch(options);
};
