import {join} from 'node:path';
import {ServiceError} from '#service/backend/errors.ts';
import {createAccess} from './cluster/create-access.ts';
import {createFileText} from './cluster/kept-text.ts';
import {readImpersonation} from './cluster/read-impersonation.ts';
import {type ClockedKubeClient, createKubeClient} from './create-kube-client.ts';
import {KubeError} from './kube-client.ts';
import {
  connectByKubeconfig,
  type FoundConnection,
  findKubeconfigs,
  type WantedConnection,
} from './kubeconfig-connection.ts';
import {chooseProxy} from './transport/choose-proxy.ts';

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

/** Where Kubernetes puts the files of a pod's ServiceAccount. */
const usualFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether this runs in a pod, by what Kubernetes puts into the environment of each. */
const isInPod = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT);

/**
 * Connects to the cluster that this pod runs in. Its token is replaced long before it ends, so its file is checked
 * before every request. Throws a `KubeError` of kind `auth` if one of the files cannot be used.
 */
const connectByServiceAccount = async (
  {env, actAs}: Pick<WantedConnection, 'env' | 'actAs'>,
  folder: string = usualFolder,
): Promise<FoundConnection> => {
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const server = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${env.KUBERNETES_SERVICE_PORT}`);
  const title = `The ServiceAccount's`;
  const token = createFileText(`${title} token`, join(folder, 'token'));
  const ca = createFileText(`${title} ca.crt`, join(folder, 'ca.crt'));
  const access = createAccess("the pod's ServiceAccount", {
    titles: {token: token.title, ca: ca.title},
    read: async isForced => ({token: await token.read(isForced), ca: await ca.read(isForced)}),
  });
  await access.read();
  const namespace = await createFileText(`${title} namespace`, join(folder, 'namespace')).read(false);
  return {
    connection: {
      server,
      access,
      serverName: undefined,
      isUnverified: false,
      impersonation: readImpersonation(undefined, actAs),
      proxy: chooseProxy(server, undefined, env),
    },
    origin: 'service account',
    contextName: undefined,
    namespace: namespace.trim() || 'default',
  };
};
