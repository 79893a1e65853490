import type {Client} from '../../api/http/client.ts';
import {createOnDemandBackend} from '../../service/backends/on-demand-backend.ts';
import type {Cluster} from '../../service/kubernetes/cluster/open-cluster.ts';
import type {KubeSiteSettings} from '../../service/kubernetes/kube-settings.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import type {AskedService} from '../client/asked-service.ts';
import {createBackendClient} from '../client/backend-client.ts';
import {keepBranchNames} from '../client/keep-branch-names.ts';
import type {Io} from '../io/io.ts';
import {createClusterBackend} from './cluster-backend.ts';
import {explainKubeError} from './explain-kube-error.ts';
import {busyMsMax} from './patient-client.ts';

/** A client of parts of a cluster. */
export type ClusterClient = {
  readonly client: Client;
  readonly service: AskedService;
  /** Closes the streams and the connections. */
  stop(): Promise<void>;
};

/** As many lines as a window of `branchlog serve`, unless it is configured. */
const windowLines = 1_000;

/**
 * Opens namespaces of a cluster as sites, inside this program. Takes over the cluster's client: `stop` closes it, and
 * so does a failure. Throws an `ApiError` if the cluster cannot be asked.
 */
export const openClusterClient = async (
  cluster: Cluster,
  sites: readonly KubeSiteSettings[],
  io: Io,
  warn: (message: string) => void,
  atEnd?: CommandInput['atEnd'],
): Promise<ClusterClient> => {
  // Closed below, after all sites.
  const shared = {...cluster.client, close: async () => {}};
  const {clock, random} = io;
  const backend = createOnDemandBackend(
    sites.map(({id}) => id),
    siteId =>
      createClusterBackend({
        client: shared,
        sites: sites.filter(({id}) => id === siteId),
        windowLines,
        windowPerPod: false,
        startMs: busyMsMax,
        clock,
        random,
        warn,
      }),
  );
  const stop = async (): Promise<void> => {
    await backend.close();
    await cluster.client.close();
  };
  try {
    await backend.start();
  } catch (error) {
    await stop();
    throw explainKubeError(error);
  }
  const name = cluster.contextName ?? 'this cluster';
  return {
    client: keepBranchNames(createBackendClient({backend, name, clock}), name, io, atEnd),
    service: {
      name,
      host: new URL(cluster.client.address).host,
      tenant: undefined,
      window: undefined,
      sites: sites.map(({id}) => ({id, name: undefined})),
    },
    stop,
  };
};
