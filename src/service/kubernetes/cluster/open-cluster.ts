import {ServiceError} from '../../errors/service-error.ts';
import {type ClockedKubeClient, createKubeClient} from '../client/create-kube-client.ts';
import {KubeError} from '../client/kube-client.ts';
import type {FoundConnection} from './found-connection.ts';
import {connectByKubeconfig, findKubeconfigs} from './kubeconfig-connection.ts';
import {connectByServiceAccount, isInPod} from './service-account.ts';

export type ClusterChoice = {
  /**
   * The kubeconfig files, absolute. Undefined: KUBECONFIG if it is set; else in a pod its ServiceAccount, unless
   * `context` asks for a kubeconfig; else `~/.kube/config`.
   */
  readonly kubeconfigs?: readonly string[] | undefined;
  /** A context of the kubeconfig; undefined: its current one. */
  readonly context?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly homeFolder: string | undefined;
  /** Where a pod finds its ServiceAccount's files, if not where Kubernetes puts them. */
  readonly serviceAccountFolder?: string;
};

export type Cluster = Omit<FoundConnection, 'connection'> & {
  readonly client: ClockedKubeClient;
  /** Names the credentials, such as `user "dev" of /home/dev/.kube/config`. */
  readonly accessName: string;
};

/**
 * Finds out which cluster is meant and who we are there. Nothing is sent yet, and no plugin runs.
 * Throws a `ServiceError` that names file and key.
 */
export const openCluster = async (choice: ClusterChoice): Promise<Cluster> => {
  try {
    const {connection, ...found} = await findConnection(choice);
    return {...found, accessName: connection.access.name, client: createKubeClient(connection)};
  } catch (error) {
    throw error instanceof KubeError ? new ServiceError(error.message, {cause: error}) : error;
  }
};

const findConnection = (choice: ClusterChoice): Promise<FoundConnection> => {
  const {kubeconfigs, context, env, homeFolder} = choice;
  return kubeconfigs === undefined && context === undefined && !env.KUBECONFIG && isInPod(env)
    ? connectByServiceAccount(env, choice.serviceAccountFolder)
    : connectByKubeconfig(kubeconfigs ?? findKubeconfigs(env, homeFolder), context, env);
};
