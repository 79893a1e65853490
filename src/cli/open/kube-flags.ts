import {resolve} from 'node:path';
import {type KindNames, parseWorkload, workloadKinds} from '#base/workload-kinds.ts';
import {flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import {explainCallError} from '#cli/connection/explain-call-error.ts';
import {NotFoundError, UsageError} from '#cli/io/exit-codes.ts';
import type {Io} from '#cli/io/io.ts';
import {isRefusal, ServiceError} from '#service/backend/errors.ts';
import {type KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';
import type {KubeSiteSettings} from '#service/kubernetes/kube-settings.ts';
import type {Cluster, ClusterChoice} from '#service/kubernetes/open-cluster.ts';

/** No object has this name: the API server checks the right before it looks for the object. */
export const absentName = 'branchlog-asks-for-what-does-not-exist';

type NamespaceNeed = {
  /** Logs will be read, not only branches listed. */
  readonly needsLogs: boolean;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Checks that the cluster answers, that the namespace exists, and that it may be read, before anything is opened.
 * Throws an `ApiError`, or a `NotFoundError`.
 */
export const requireNamespace = async (
  client: KubeClient,
  namespace: string,
  {needsLogs, signal}: NamespaceNeed,
): Promise<void> => {
  const part = `namespaces/${encodeURIComponent(namespace)}`;
  const probe = async (path: string, as: 'json' | 'text' = 'json'): Promise<KubeError | undefined> => {
    try {
      await client.get(path, {query: {limit: 1}, as, ...(signal && {signal})});
      return undefined;
    } catch (error) {
      if (error instanceof KubeError) {
        return error;
      }
      throw error;
    }
  };
  /** One kind of workload is enough for branches. */
  const probeKinds = async (): Promise<KubeError | undefined> => {
    const probeKind = ({group, version, plural}: KindNames) => probe(`/apis/${group}/${version}/${part}/${plural}`);
    const [usual, others] = [workloadKinds.slice(0, 2), workloadKinds.slice(2).filter(({kind}) => kind !== 'pod')];
    const failures = await Promise.all(usual.map(probeKind));
    return failures.includes(undefined) || (await Promise.all(others.map(probeKind))).includes(undefined)
      ? undefined
      : failures[0];
  };
  const [site, pods, kinds, log] = await Promise.all([
    probe(`/api/v1/${part}`),
    probe(`/api/v1/${part}/pods`),
    probeKinds(),
    needsLogs ? probe(`/api/v1/${part}/pods/${absentName}/log`, 'text') : undefined,
  ]);
  // A missing namespace is known only if it may be read.
  const failure = pods ?? kinds ?? (log && isRefusal(log) ? log : undefined);
  if (failure) {
    throw explainCallError(failure);
  }
  if (site?.status === 404) {
    throw new NotFoundError(`${client.address} has no namespace "${namespace}"`);
  }
};

/** Flags that name a service; a cluster has nothing to do with it. `--context` is that of kubectl. */
const serviceFlags = ['base-url', 'tenant', 'auth-mode', 'token-file', 'replay'];

/** Returns the contexts of the kubeconfig that the flags name. With a cluster, `--context` has no other meaning. */
const chosenContexts = ({values}: ParsedArguments): readonly string[] => [
  ...new Set([...(values.get('kube-context') ?? []), ...(values.get('context') ?? [])]),
];

/** Returns the first of them. */
export const chosenContext = (parsed: ParsedArguments): string | undefined => chosenContexts(parsed)[0];

/** Reads the kubeconfig that the flags choose. Throws a `ServiceError`. */
export const readChosenKubeconfig = async (parsed: ParsedArguments, io: Pick<Io, 'env' | 'homeFolder'>) => {
  const file = flagValue(parsed, 'kubeconfig');
  const {findKubeconfigs} = await import('#service/kubernetes/kubeconfig-connection.ts');
  const {readKubeconfig} = await import('#service/kubernetes/read-kubeconfig.ts');
  return readKubeconfig(file === undefined ? findKubeconfigs(io.env, io.homeFolder) : [resolve(file)]);
};

const asUsageError = (error: unknown): unknown =>
  // Whatever is wrong with it, nothing was sent: it is a matter of the kubeconfig.
  error instanceof ServiceError ? new UsageError(error.message, {cause: error}) : error;

/**
 * Opens the cluster of a context, or the one that kubectl would use, as the flags say how. Sends nothing yet. Throws a
 * `UsageError`.
 */
export const openChosenCluster = async (
  parsed: ParsedArguments,
  io: Io,
  context: string | undefined = chosenContext(parsed),
): Promise<Cluster> => {
  const stray = serviceFlags.find(name => parsed.values.has(name));
  if (stray !== undefined) {
    throw new UsageError(`--${stray} cannot be combined with a Kubernetes cluster: leave it out`);
  }
  const file = flagValue(parsed, 'kubeconfig');
  const choice: ClusterChoice = {
    kubeconfigs: file === undefined ? undefined : [resolve(file)],
    context,
    actAs: {user: flagValue(parsed, 'as'), groups: parsed.values.get('as-group')},
    env: io.env,
    homeFolder: io.homeFolder,
  };
  // Loaded on demand: most commands ask no cluster.
  const {openCluster} = await import('#service/kubernetes/open-cluster.ts');
  return openCluster(choice).catch((error: unknown) => {
    throw asUsageError(error);
  });
};

/**
 * Opens all clusters that the flags choose; at least one. With `--all-contexts`, a context that cannot be used is left
 * out with a warning, if there are others. Throws a `UsageError`.
 */
export const openChosenClusters = async (
  parsed: ParsedArguments,
  io: Io,
  warn: (message: string) => void,
): Promise<readonly Cluster[]> => {
  const names = chosenContexts(parsed);
  const isAll = parsed.switches.has('all-contexts');
  if (isAll && names.length > 0) {
    throw new UsageError('--all-contexts and --context: leave one of them out');
  }
  const wanted = isAll
    ? await readChosenKubeconfig(parsed, io).then(
        ({contexts}) => [...contexts.keys()],
        (error: unknown) => {
          throw asUsageError(error);
        },
      )
    : names;
  const results = await Promise.allSettled(
    (wanted.length === 0 ? [undefined] : wanted).map(name => openChosenCluster(parsed, io, name)),
  );
  const clusters = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
  const [failure, ...others] = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
  if (failure !== undefined && (!isAll || clusters.length === 0)) {
    await Promise.all(clusters.map(({client}) => client.close()));
    throw failure;
  }
  for (const {message} of failure === undefined ? [] : [failure, ...others]) {
    warn(message);
  }
  return clusters;
};

/**
 * Returns a namespace as a site, as the flags and the branches on the command line say what a branch is. `hasEvents`:
 * events are among the lines.
 */
export const namespaceSite = (
  parsed: ParsedArguments,
  namespace: string,
  hasEvents: boolean,
  id = namespace,
): KubeSiteSettings => ({
  id,
  namespace,
  selector: flagValue(parsed, 'selector'),
  branchLabel: flagValue(parsed, 'branch-label'),
  // Whoever asks for containers by name may mean those.
  containers: {only: undefined, except: [], hasMesh: parsed.values.has('container')},
  hasEvents,
  shownVariables: [],
  branches: [],
  // Without its kind, a word may be anything; a namespace has no slash.
  named: parsed.operands
    .map(parseWorkload)
    .filter(word => word !== undefined)
    .filter(({kind}) => kind !== undefined),
});
