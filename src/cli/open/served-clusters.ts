import {processIo} from '#cli/io/io.ts';
import type {ChosenCluster, ServedKubeSite} from '#config/serve/kube-site.ts';
import type {ServeSettings} from '#config/serve/serve-settings.ts';
import type {Backend} from '#service/backend/backend.ts';
import {operatorWords, UnavailableError} from '#service/backend/errors.ts';
import {joinBackends} from '#service/backend/join-backends.ts';
import type {KubeBackend} from '#service/kubernetes/kube-backend.ts';
import type {PreparedReload} from '#service/kubernetes/kube-directory.ts';
import {openCluster} from '#service/kubernetes/open-cluster.ts';
import {unverifiedWords} from './cluster-remarks.ts';
import {createClusterBackend} from './kube/cluster-backend.ts';

type ClusterContent = Pick<ServeSettings<unknown>, 'kubernetes' | 'kubeSites' | 'windowLines' | 'windowPerPod'>;

/** The sites of the config that are those of clusters. */
export type ServedClusters = Backend & {
  /**
   * Prepares to serve this content; nothing changes before `apply`. Branches of a cluster that stays are read on.
   * Throws a `ServiceError` for a content that cannot be served.
   */
  prepareReload(content: ClusterContent): Promise<PreparedReload>;
};

/** One cluster's part of a content. */
type ClusterPart = Omit<ClusterContent, 'kubernetes'> & {readonly cluster: ChosenCluster};

/** A site that names a context has it from the service's kubeconfig, unless it names a file, too. */
const clusterOf = ({cluster}: ServedKubeSite, usual: ChosenCluster): ChosenCluster =>
  cluster ? {...cluster, kubeconfig: cluster.kubeconfig ?? usual.kubeconfig} : usual;

/** By what cannot change while a cluster is open. */
const partsOf = ({
  kubernetes,
  kubeSites,
  windowLines,
  windowPerPod,
}: ClusterContent): ReadonlyMap<string, ClusterPart> => {
  const parts = new Map<string, ClusterPart>();
  for (const site of kubeSites) {
    const cluster = clusterOf(site, kubernetes);
    const key = JSON.stringify([cluster, windowLines, windowPerPod]);
    const others = parts.get(key)?.kubeSites ?? [];
    parts.set(key, {cluster, windowLines, windowPerPod, kubeSites: [...others, site]});
  }
  return parts;
};

/**
 * Opens the clusters of the config, which has none if no site is one of a cluster; then a reload may bring some. Throws
 * a `ServiceError` for a kubeconfig that cannot be used.
 */
export const openServedClusters = async (
  content: ClusterContent,
  warn: (message: string) => void,
): Promise<ServedClusters> => {
  const {clock, random, env, homeFolder} = processIo();
  const open = async ({cluster, kubeSites, windowLines, windowPerPod}: ClusterPart): Promise<KubeBackend> => {
    const {kubeconfig, context} = cluster;
    const kubeconfigs = kubeconfig === undefined ? undefined : [kubeconfig];
    const {client, isUnverified} = await openCluster({kubeconfigs, context, env, homeFolder});
    if (isUnverified) {
      warn(`${unverifiedWords(client.address)}.`);
    }
    return createClusterBackend({client, sites: kubeSites, windowLines, windowPerPod, clock, random, warn});
  };

  /** An unavailable cluster keeps trying, and says why in each answer. */
  const start = async (backend: KubeBackend): Promise<void> => {
    try {
      await backend.start();
    } catch (error) {
      if (!(error instanceof UnavailableError)) {
        throw error;
      }
      warn(operatorWords(error));
    }
  };

  const closeAll = async (backends: Iterable<KubeBackend>): Promise<void> => {
    await Promise.all([...backends].map(backend => backend.close()));
  };

  /** Opens all of these, or none. */
  const openAll = async (parts: ReadonlyMap<string, ClusterPart>): Promise<ReadonlyMap<string, KubeBackend>> => {
    const opened = new Map<string, KubeBackend>();
    try {
      for (const [key, part] of parts) {
        opened.set(key, await open(part));
      }
      return opened;
    } catch (error) {
      await closeAll(opened.values());
      throw error;
    }
  };

  const startAll = async (backends: ReadonlyMap<string, KubeBackend>): Promise<void> => {
    const results = await Promise.allSettled([...backends.values()].map(start));
    const failed = results.find(({status}) => status === 'rejected');
    if (failed?.status === 'rejected') {
      await closeAll(backends.values());
      throw failed.reason;
    }
  };

  let current = await openAll(partsOf(content));
  const joined = (): Backend => joinBackends([...current.values()]);

  return {
    start: () => startAll(current),
    prepareReload: async next => {
      const parts = partsOf(next);
      const added = await openAll(new Map([...parts].filter(([key]) => !current.has(key))));
      await startAll(added);
      const prepared: PreparedReload[] = [];
      const discard = async (): Promise<void> => {
        await Promise.all([closeAll(added.values()), ...prepared.map(each => each.discard())]);
      };
      try {
        for (const [key, {kubeSites}] of parts) {
          const staying = current.get(key);
          prepared.push(...(staying ? [await staying.prepareReload({sites: kubeSites})] : []));
        }
      } catch (error) {
        await discard();
        throw error;
      }
      return {
        apply: async () => {
          const before = current;
          const backends = [...parts.keys()].map(key => [key, before.get(key) ?? added.get(key)] as const);
          current = new Map(backends.flatMap(([key, backend]) => (backend ? [[key, backend] as const] : [])));
          await Promise.all(prepared.map(each => each.apply()));
          await closeAll([...before].filter(([key]) => !current.has(key)).map(([, backend]) => backend));
        },
        discard,
      };
    },
    listBranches: siteId => joined().listBranches(siteId),
    listDeployed: async siteId => joined().listDeployed?.(siteId),
    readWindow: (siteId, branchId, after) => joined().readWindow(siteId, branchId, after),
    countErrors: async siteId => joined().countErrors?.(siteId),
    measure: () => joined().measure?.() ?? [],
    close: () => closeAll(current.values()),
  };
};
