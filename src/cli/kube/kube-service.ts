import {randomBytes} from 'node:crypto';
import type {ContextSettings} from '../../config/client/settings.ts';
import {createOnDemandBackend} from '../../service/backends/on-demand-backend.ts';
import {createServer} from '../../service/http/server.ts';
import type {Cluster} from '../../service/kubernetes/cluster/open-cluster.ts';
import type {KubeSiteSettings} from '../../service/kubernetes/kube-settings.ts';
import type {Io} from '../io/io.ts';
import {createClusterBackend} from './cluster-backend.ts';
import {explainKubeError} from './explain-kube-error.ts';
import {busyMsMax} from './patient-client.ts';

/** The service over a cluster, inside this program, on a loopback port. */
export type KubeService = {
  /** Names the cluster's context, and this service as the one to ask. */
  readonly context: ContextSettings;
  /** The environment with the token of this service, which is in no file and not in that of this process. */
  readonly io: Io;
  stop(): Promise<void>;
};

const word = 'kube';
const tokenVariable = 'BRANCHLOG_KUBE';

/** As many lines as a window of `branchlog serve`, unless it is configured. */
const windowLines = 1_000;

/**
 * Serves namespaces of a cluster as sites. Takes over the cluster's client: `stop` closes it, and so does a failure.
 * Throws an `ApiError` if the cluster cannot be asked.
 */
export const startKubeService = async (
  {client, contextName}: Cluster,
  sites: readonly KubeSiteSettings[],
  io: Io,
  warn: (message: string) => void,
): Promise<KubeService> => {
  const token = randomBytes(24).toString('base64url');
  // Closed below, after all sites.
  const shared = {...client, close: async () => {}};
  const backend = createOnDemandBackend(
    sites.map(({id}) => id),
    siteId =>
      createClusterBackend({
        client: shared,
        sites: sites.filter(({id}) => id === siteId),
        windowLines,
        windowPerPod: false,
        startMs: busyMsMax,
        clock: io.clock,
        random: io.random,
        warn,
      }),
  );
  const server = createServer({
    backend: {
      ...backend,
      close: async () => {
        await backend.close();
        await client.close();
      },
    },
    tenant: word,
    authMode: word,
    token,
    host: '127.0.0.1',
    port: 0,
  });
  const {baseUrl} = await server.start().catch((error: unknown) => {
    throw explainKubeError(error);
  });
  return {
    context: {
      name: contextName ?? 'this cluster',
      baseUrl,
      tenant: word,
      authMode: word,
      token: {kind: 'environment', variable: tokenVariable},
      proxy: undefined,
      caFile: undefined,
      window: undefined,
      sources: undefined,
      sites: sites.map(({id}) => ({id, name: undefined})),
    },
    io: {...io, env: {...io.env, [tokenVariable]: token}},
    stop: () => server.stop(),
  };
};
