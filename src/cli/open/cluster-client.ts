import type {Client} from '#api/client/client.ts';
import type {CommandInput} from '#cli/arguments/args.ts';
import {type AskedService, serviceInside} from '#cli/connection/asked-service.ts';
import {backendReading, type ContainerReading, createBackendClient} from '#cli/connection/backend-client.ts';
import {explainCallError} from '#cli/connection/explain-call-error.ts';
import {keepBranchNames} from '#cli/connection/label-branches.ts';
import type {Io} from '#cli/io/io.ts';
import type {Backend} from '#service/backend/backend.ts';
import {createOnDemandBackend, joinBackends} from '#service/backend/join-backends.ts';
import type {KubeSiteSettings} from '#service/kubernetes/kube-settings.ts';
import type {Cluster} from '#service/kubernetes/open-cluster.ts';
import {busyMsMax, createClusterBackend} from './kube/cluster-backend.ts';

/** A client of parts of a cluster. */
export type ClusterClient = {
  readonly client: Client;
  readonly service: AskedService;
  /** Closes the streams and the connections. */
  stop(): Promise<void>;
};

/** Read of a branch at first, unless more is asked for: as many lines as a window of `branchlog serve` has. */
const firstLines = 1_000;
/** The longest wait for what was asked for by name, milliseconds: files may have 10 MB, and many come at once. */
const patientMs = 30_000;

/** Contexts that are named in the header; of more, their number is. */
const namedMax = 3;

/** Options for reading a cluster's logs. */
export type ClusterReading = ContainerReading & {
  /** Only the instance of each container before the newest one. */
  readonly isPrevious: boolean;
};

type ClusterSurroundings = {
  readonly io: Io;
  readonly warn: (message: string) => void;
  readonly atEnd?: CommandInput['atEnd'];
};

/** A cluster, and what is shown of it. */
export type ClusterSites = {readonly cluster: Cluster; readonly sites: readonly KubeSiteSettings[]};

/**
 * Opens namespaces of clusters as sites, inside this program. Takes over the clients of the clusters: `stop` closes
 * them, and so does a failure. Of several clusters, each is asked when a site of it is opened, so that none keeps the
 * others from being read. Throws an `ApiError` if a single one cannot be asked.
 */
export const openClusterClient = async (
  parts: readonly ClusterSites[],
  reading: ClusterReading,
  {io, warn, atEnd}: ClusterSurroundings,
): Promise<ClusterClient> => {
  const {clock, random} = io;
  const open = ({cluster, sites}: ClusterSites): Backend => {
    // Closed below, after all sites.
    const shared = {...cluster.client, close: async () => {}};
    return createOnDemandBackend(
      sites.map(({id}) => id),
      siteId =>
        createClusterBackend({
          client: shared,
          sites: sites.filter(({id}) => id === siteId),
          windowLines: firstLines,
          windowPerPod: false,
          ...backendReading(reading, patientMs),
          startMs: busyMsMax,
          isPrevious: reading.isPrevious,
          clock,
          random,
          warn: parts.length === 1 ? warn : message => warn(`${cluster.contextName}: ${message}`),
        }),
    );
  };
  const backend = joinBackends(parts.map(open));
  const stop = async (): Promise<void> => {
    await backend.close();
    await Promise.all(parts.map(({cluster}) => cluster.client.close()));
  };
  const [first, ...others] = parts.map(({cluster}) => cluster);
  try {
    if (others.length === 0) {
      await backend.start();
    }
  } catch (error) {
    await stop();
    throw explainCallError(error);
  }
  const name =
    parts.length > namedMax
      ? `${parts.length} contexts`
      : parts.map(({cluster}) => cluster.contextName ?? 'this cluster').join(', ');
  return {
    client: keepBranchNames(createBackendClient({backend, name, clock}), name, io, atEnd),
    service: serviceInside(
      name,
      first && others.length === 0 ? new URL(first.client.address).host : `${parts.length} clusters`,
      parts.flatMap(({sites}) => sites.map(({id}) => id)),
    ),
    stop,
  };
};
