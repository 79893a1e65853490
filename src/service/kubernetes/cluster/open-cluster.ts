import {ServiceError} from '../../errors/service-error.ts';
import {type ClockedKubeClient, createKubeClient} from '../client/create-kube-client.ts';
import {KubeError} from '../client/kube-client.ts';
import type {FoundConnection} from './found-connection.ts';
import {connectByKubeconfig, findKubeconfigs, type WantedConnection} from './kubeconfig-connection.ts';
import {connectByServiceAccount, isInPod} from './service-account.ts';

export type ClusterChoice = WantedConnection & {
  /**
   * The kubeconfig files, absolute. Undefined: KUBECONFIG if it is set; else in a pod its ServiceAccount, unless
   * `context` asks for a kubeconfig; else `~/.kube/config`.
   */
  readonly kubeconfigs?: readonly string[] | undefined;
  readonly homeFolder: string | undefined;
  /** Where a pod finds its ServiceAccount's files, if not where Kubernetes puts them. */
  readonly serviceAccountFolder?: string;
};

export type Cluster = Omit<FoundConnection, 'connection'> & {
  readonly client: ClockedKubeClient;
  /** Names the credentials, such as `user "dev" of /home/dev/.kube/config`. */
  readonly accessName: string;
  /** The user that we act as, if that is another one than who is logged in. */
  readonly actsAs: string | undefined;
  /** Nobody checks who answers for the cluster, as `insecure-skip-tls-verify` asks for. */
  readonly isUnverified: boolean;
};

/**
 * Finds out which cluster is meant and who we are there. Nothing is sent yet, and no plugin runs.
 * Throws a `ServiceError` that names file and key.
 */
export const openCluster = async (choice: ClusterChoice): Promise<Cluster> => {
  try {
    const {connection, ...found} = await findConnection(choice);
    const {access, impersonation, isUnverified} = connection;
    return {
      ...found,
      accessName: access.name,
      actsAs: impersonation?.user,
      isUnverified,
      client: createKubeClient(connection),
    };
  } catch (error) {
    throw error instanceof KubeError ? new ServiceError(error.message, {cause: error}) : error;
  }
};

const findConnection = (choice: ClusterChoice): Promise<FoundConnection> => {
  const {kubeconfigs, context, env, homeFolder} = choice;
  return kubeconfigs === undefined && context === undefined && !env.KUBECONFIG && isInPod(env)
    ? connectByServiceAccount(choice, choice.serviceAccountFolder)
    : connectByKubeconfig(kubeconfigs ?? findKubeconfigs(env, homeFolder), choice);
};
