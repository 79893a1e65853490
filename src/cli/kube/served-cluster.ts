import type {ServeSettings} from '../../config/serve/serve-settings.ts';
import type {Backend} from '../../service/backend.ts';
import {UnavailableError} from '../../service/errors/unavailable-error.ts';
import type {KubeBackend} from '../../service/kubernetes/backend/kube-backend.ts';
import {openCluster} from '../../service/kubernetes/cluster/open-cluster.ts';
import type {PreparedReload} from '../../service/kubernetes/directory/kube-directory.ts';
import {processIo} from '../io/io.ts';
import {createClusterBackend} from './cluster-backend.ts';

type ClusterContent = Pick<ServeSettings<unknown>, 'kubernetes' | 'kubeSites' | 'windowLines' | 'windowPerPod'>;

/** The sites of the config that a cluster has. */
export type ServedCluster = Backend & {
  /**
   * Prepares to serve this content; nothing changes before `apply`. Branches that stay are read on, unless the cluster
   * is another one. Throws a `ServiceError` for a content that cannot be served.
   */
  prepareReload(content: ClusterContent): Promise<PreparedReload>;
};

type OpenCluster = {readonly backend: KubeBackend; readonly key: string};

/** What cannot change while a cluster is open. */
const keyOf = ({kubernetes, windowLines, windowPerPod}: ClusterContent): string =>
  JSON.stringify([kubernetes, windowLines, windowPerPod]);

/**
 * Opens the cluster of the config, which has none if no site is one of a cluster; then a reload may bring it. Throws a
 * `ServiceError` for a kubeconfig that cannot be used.
 */
export const openServedCluster = async (
  content: ClusterContent,
  warn: (message: string) => void,
): Promise<ServedCluster> => {
  const {clock, random, env, homeFolder} = processIo();
  const open = async ({kubernetes, kubeSites, windowLines, windowPerPod}: ClusterContent): Promise<KubeBackend> => {
    const {client} = await openCluster({
      kubeconfigs: kubernetes.kubeconfig === undefined ? undefined : [kubernetes.kubeconfig],
      context: kubernetes.context,
      env,
      homeFolder,
    });
    return createClusterBackend({client, sites: kubeSites, windowLines, windowPerPod, clock, random, warn});
  };

  /** What is unavailable goes on trying, and says why in each answer. */
  const start = async (backend: KubeBackend): Promise<void> => {
    try {
      await backend.start();
    } catch (error) {
      if (!(error instanceof UnavailableError)) {
        await backend.close();
        throw error;
      }
      warn(error.message);
    }
  };

  let current: OpenCluster | undefined =
    content.kubeSites.length === 0 ? undefined : {backend: await open(content), key: keyOf(content)};

  return {
    start: async () => current && start(current.backend),
    prepareReload: async next => {
      if (next.kubeSites.length > 0 && keyOf(next) === current?.key) {
        return current.backend.prepareReload({sites: next.kubeSites});
      }
      let opened: OpenCluster | undefined;
      if (next.kubeSites.length > 0) {
        opened = {backend: await open(next), key: keyOf(next)};
        await start(opened.backend);
      }
      return {
        apply: async () => {
          const before = current;
          current = opened;
          await before?.backend.close();
        },
        discard: async () => opened?.backend.close(),
      };
    },
    listBranches: async siteId => current?.backend.listBranches(siteId),
    listDeployed: async siteId => current?.backend.listDeployed?.(siteId),
    readWindow: async (siteId, branchId, after) => current?.backend.readWindow(siteId, branchId, after),
    close: async () => current?.backend.close(),
  };
};
