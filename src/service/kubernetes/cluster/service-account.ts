import {join} from 'node:path';
import {chooseProxy} from '../transport/choose-proxy.ts';
import {createAccess} from './create-access.ts';
import type {FoundConnection} from './found-connection.ts';
import {createFileText} from './kept-text.ts';
import type {WantedConnection} from './kubeconfig-connection.ts';
import {readImpersonation} from './read-impersonation.ts';

/** Where Kubernetes puts the files of a pod's ServiceAccount. */
const usualFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether this runs in a pod, by what Kubernetes puts into the environment of each. */
export const isInPod = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT);

/**
 * Connects to the cluster that this pod runs in. Its token is replaced long before it ends, so its file is checked
 * before every request. Throws a `KubeError` of kind `auth` if one of the files cannot be used.
 */
export const connectByServiceAccount = async (
  {env, actAs}: Pick<WantedConnection, 'env' | 'actAs'>,
  folder: string = usualFolder,
): Promise<FoundConnection> => {
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const server = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${env.KUBERNETES_SERVICE_PORT}`);
  const title = `The ServiceAccount's`;
  const token = createFileText(`${title} token`, join(folder, 'token'));
  const access = createAccess("the pod's ServiceAccount", createFileText(`${title} ca.crt`, join(folder, 'ca.crt')), {
    titles: {token: token.title},
    read: async isForced => ({token: await token.read(isForced)}),
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
