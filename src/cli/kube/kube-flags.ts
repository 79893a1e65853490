import {resolve} from 'node:path';
import {ServiceError} from '../../service/errors/service-error.ts';
import type {Cluster, ClusterChoice} from '../../service/kubernetes/cluster/open-cluster.ts';
import type {KubeSiteSettings} from '../../service/kubernetes/kube-settings.ts';
import {flagValue, type ParsedArguments} from '../arguments/args.ts';
import type {Io} from '../io/io.ts';
import {UsageError} from '../io/usage-error.ts';

/** Flags that name a service; a cluster has nothing to do with it. `--context` is that of kubectl. */
const serviceFlags = ['base-url', 'tenant', 'auth-mode', 'token-file', 'replay'];

/** Returns the context of the kubeconfig that the flags choose. With a cluster, `--context` has no other meaning. */
export const chosenContext = (parsed: ParsedArguments): string | undefined =>
  flagValue(parsed, 'kube-context') ?? flagValue(parsed, 'context');

/** Opens the cluster that the flags choose. Sends nothing yet. Throws a `UsageError`. */
export const openChosenCluster = async (parsed: ParsedArguments, io: Io): Promise<Cluster> => {
  const stray = serviceFlags.find(name => parsed.values.has(name));
  if (stray !== undefined) {
    throw new UsageError(`--${stray} does not go with a Kubernetes cluster: leave it out`);
  }
  const file = flagValue(parsed, 'kubeconfig');
  const choice: ClusterChoice = {
    kubeconfigs: file === undefined ? undefined : [resolve(file)],
    context: chosenContext(parsed),
    env: io.env,
    homeFolder: io.homeFolder,
  };
  // Loaded on demand: most commands ask no cluster.
  const {openCluster} = await import('../../service/kubernetes/cluster/open-cluster.ts');
  try {
    return await openCluster(choice);
  } catch (error) {
    // Whatever is wrong with it, nothing was sent: it is a matter of the kubeconfig.
    throw error instanceof ServiceError ? new UsageError(error.message, {cause: error}) : error;
  }
};

/** Returns a namespace as a site, as the flags say what a branch is. */
export const namespaceSite = (parsed: ParsedArguments, namespace: string): KubeSiteSettings => ({
  id: namespace,
  namespace,
  selector: flagValue(parsed, 'selector'),
  branchLabel: flagValue(parsed, 'branch-label'),
  containers: {only: undefined, except: []},
  shownVariables: [],
  branches: [],
});
