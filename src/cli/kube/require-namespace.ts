import {type KindNames, workloadKinds} from '#base/workload-kinds.ts';
import {explainCallError} from '#cli/connection/explain-call-error.ts';
import {NotFoundError} from '#cli/io/not-found-error.ts';
import {isRefusal} from '#service/backend/errors.ts';
import {type KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';

/** No object has this name: the API server checks the right before it looks for the object. */
export const absentName = 'branchlog-asks-for-what-does-not-exist';

export type NamespaceNeed = {
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
