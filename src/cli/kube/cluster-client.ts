import type {Client} from '../../api/http/client.ts';
import {createOnDemandBackend} from '../../service/backends/on-demand-backend.ts';
import type {Cluster} from '../../service/kubernetes/cluster/open-cluster.ts';
import type {FirstRead} from '../../service/kubernetes/feed/followed-container.ts';
import type {KubeSiteSettings} from '../../service/kubernetes/kube-settings.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import type {AskedService} from '../client/asked-service.ts';
import {createBackendClient} from '../client/backend-client.ts';
import {keepBranchNames} from '../client/keep-branch-names.ts';
import {bytesPerMb} from '../io/bytes-per-mb.ts';
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

/** Read of a branch at first, unless more is asked for: as many lines as a window of `branchlog serve` has. */
const firstLines = 1_000;
/** What a line takes beside its text, in bytes, rounded up. */
const lineOverheadBytes = 200;
/** An answer with so many lines is taken without a pause that a key would notice; the rest comes with the next. */
const answerLinesMax = 20_000;
/** The longest wait for what was asked for by name, milliseconds: files may have 10 MB, and many come at once. */
const patientMs = 30_000;
/** How long a log that is only followed waits for more containers once the first lines are there, milliseconds. */
const firstLinesMs = 50;

/** What readers of a cluster's logs want of them. */
export type ClusterReading = {
  /** Text of lines that a branch holds, in MB. */
  readonly bufferMb: number;
  /** How far back the log is read at first; undefined: some lines will do, and the sooner the better. */
  readonly firstRead: FirstRead | undefined;
};

type ClusterSurroundings = {
  readonly io: Io;
  readonly warn: (message: string) => void;
  readonly atEnd?: CommandInput['atEnd'];
};

/**
 * Opens namespaces of a cluster as sites, inside this program. Takes over the cluster's client: `stop` closes it, and
 * so does a failure. Throws an `ApiError` if the cluster cannot be asked.
 */
export const openClusterClient = async (
  cluster: Cluster,
  sites: readonly KubeSiteSettings[],
  {bufferMb, firstRead}: ClusterReading,
  {io, warn, atEnd}: ClusterSurroundings,
): Promise<ClusterClient> => {
  // Closed below, after all sites.
  const shared = {...cluster.client, close: async () => {}};
  const {clock, random} = io;
  const bytesMax = bufferMb * bytesPerMb;
  const backend = createOnDemandBackend(
    sites.map(({id}) => id),
    siteId =>
      createClusterBackend({
        client: shared,
        sites: sites.filter(({id}) => id === siteId),
        windowLines: firstLines,
        windowPerPod: false,
        holds: {bytesMax, linesMax: Math.ceil(bytesMax / lineOverheadBytes), answerLinesMax},
        ...(firstRead ? {firstRead, firstReadMsMax: patientMs} : {firstLinesMs}),
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
