import {type KindNames, workloadKinds} from '#base/workload-kinds.ts';
import {explainCallError} from '#cli/connection/explain-call-error.ts';
import {exitCodeOf, exitCodes} from '#cli/io/exit-codes.ts';
import {formatElapsed} from '#cli/io/format.ts';
import {unverifiedWords} from '#cli/open/cluster-remarks.ts';
import {absentName} from '#cli/open/kube-flags.ts';
import {operatorWords} from '#service/backend/errors.ts';
import type {ClockedKubeClient} from '#service/kubernetes/create-kube-client.ts';
import {KubeError, readRefusedImpersonation} from '#service/kubernetes/kube-client.ts';
import type {LinkQuery} from '#service/link/link.ts';
import {listField, tableField, textField} from '#service/link/object-fields.ts';
import {type ClusterRight, clusterRights, formatClusterRole, type RoleWanted} from './cluster-role.ts';
import {type Failure, type Finding, found} from './finding.ts';
import {checkClock} from './service-checks.ts';

export type ClusterCheck = {
  readonly client: ClockedKubeClient;
  /** Nobody checks who answers for the cluster. */
  readonly isUnverified: boolean;
  readonly namespace: string;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
};

/** Objects are counted up to this number: an exact larger one would not help. */
const countedMax = 500;

const actions: Readonly<Record<KubeError['kind'], string>> = {
  auth: 'do what it says, and try kubectl with the same context',
  connection: 'do what it says; if that is right, check the VPN, the proxy and the firewall',
  timeout: 'check the VPN, the proxy and the firewall; kubectl get --raw /version should answer',
  body: 'check the address in the kubeconfig: it must lead to the API server itself',
  status: 'run branchlog doctor again in a minute; if it still fails, ask whoever runs the cluster',
};

const describeKubeFailure = (subject: string, error: unknown): Failure => {
  if (!(error instanceof KubeError)) {
    throw error;
  }
  const {status, kind} = error;
  const action = readRefusedImpersonation(error.serverMessage)
    ? 'act as yourself, without --as or the "as" of the kubeconfig, or ask whoever runs the cluster'
    : status === 401
      ? 'log in the way your cluster requires; kubectl with this context shows when it works'
      : actions[kind];
  return found.fail(subject, operatorWords(error), action, exitCodeOf(explainCallError(error)));
};

const hasStatus = (error: unknown, status: number): boolean => error instanceof KubeError && error.status === status;

/**
 * Checks a cluster by reading only: the API server, the namespace, each right, what runs there, and a log.
 * Fills in `wanted`.
 */
export async function* checkCluster(check: ClusterCheck, wanted: RoleWanted): AsyncGenerator<Finding> {
  const {client, namespace, signal} = check;
  const isSecure = client.address.startsWith('https:');
  const where = `${client.address}, ${check.isUnverified ? 'certificate not checked' : isSecure ? 'certificate verified' : 'without TLS'}`;
  try {
    const version = textField(await client.get('/version', {signal}), 'gitVersion');
    yield found.ok('API server', `${where}, Kubernetes ${version ?? 'of unknown version'}`);
  } catch (error) {
    const isActing = error instanceof KubeError && readRefusedImpersonation(error.serverMessage) !== undefined;
    if (!hasStatus(error, 403) || isActing) {
      const isAuth = isActing || hasStatus(error, 401) || (error instanceof KubeError && error.kind === 'auth');
      yield describeKubeFailure(isAuth ? 'credentials' : 'API server', error);
      yield found.skip('the rest', 'needs an API server that answers');
      return;
    }
    yield found.ok('API server', `${where}, which hides its version from this user`);
  }
  if (check.isUnverified) {
    yield found.warn(
      'TLS',
      unverifiedWords(client.address),
      `remove insecure-skip-tls-verify, and put the authority's certificate into certificate-authority-data`,
    );
  }
  yield checkClock({serviceTimeMs: client.serverTimeMs()}, check.nowMs(), 'the API server');
  const missing = await client.get(basePath('', namespace), {signal}).then(
    () => false,
    (error: unknown) => hasStatus(error, 404),
  );
  if (missing) {
    yield found.fail(
      'namespace',
      `there is no namespace ${namespace}`,
      'name another one with -n; kubectl get namespaces lists them, if you are allowed to',
      exitCodes.notFound,
    );
    return;
  }
  let canRead = true;
  for (const finding of await checkRights(check, wanted)) {
    canRead &&= finding.status !== 'FAIL';
    yield finding;
  }
  if (!canRead) {
    yield found.skip('workloads', 'needs the permissions');
    return;
  }
  yield* checkWorkloads(check);
}

const basePath = (group: string, namespace: string, version = 'v1'): string =>
  `/${group === '' ? 'api' : `apis/${group}`}/${version}/namespaces/${encodeURIComponent(namespace)}`;

/** Tries a right. Returns the refusal; undefined if it is there. Throws a `KubeError` for any other failure. */
const tryRight = async (
  {client, namespace, signal}: ClusterCheck,
  {group, version, resource, verb}: ClusterRight,
): Promise<KubeError | undefined> => {
  const [plural = '', part] = resource.split('/');
  const path = `${basePath(group, namespace, version)}/${plural}`;
  try {
    if (verb === 'get') {
      await client.get(`${path}/${absentName}${part === undefined ? '' : `/${part}`}`, {signal});
    } else if (verb === 'list') {
      await client.get(path, {query: {limit: 1}, signal});
    } else {
      const query: LinkQuery = {watch: true, timeoutSeconds: 1, resourceVersion: '0'};
      const stream = await client.open(path, {query, signal, onData: () => {}, onEnd: () => {}});
      stream.close();
    }
  } catch (error) {
    if (error instanceof KubeError && error.status === 403) {
      return error;
    }
    // The API server checks the right before it answers 404, 410 or the like.
    const {status = 500} = error instanceof KubeError ? error : {};
    if (status >= 500 || status === 401 || status === 429) {
      throw error;
    }
  }
  return undefined;
};

/** `list and watch pods; get pods/log`. */
const formatRights = (rights: readonly ClusterRight[]): string => {
  const byVerbs = Map.groupBy(
    Map.groupBy(rights, ({resource}) => resource),
    ([, each]) => each.map(({verb}) => verb).join(' and '),
  );
  return [...byVerbs].map(([verbs, resources]) => `${verbs} ${resources.map(([name]) => name).join(', ')}`).join('; ');
};

const checkRights = async (check: ClusterCheck, wanted: RoleWanted): Promise<readonly Finding[]> => {
  const refused: ClusterRight[] = [];
  let user: string | undefined;
  for (const right of clusterRights) {
    try {
      const refusal = await tryRight(check, right);
      if (refusal) {
        refused.push(right);
        user ??= /\bUser "([^"]+)" cannot\b/.exec(refusal.serverMessage ?? '')?.[1];
      }
    } catch (error) {
      return [describeKubeFailure('permissions', error)];
    }
  }
  const needed = refused.filter(({without}) => without === undefined);
  const who = user === undefined ? '' : `, as ${user}`;
  wanted.role = formatClusterRole(check.namespace, user);
  wanted.isMissing = needed.length > 0;
  if (wanted.isMissing) {
    return [
      found.fail(
        'permissions',
        `missing in namespace ${check.namespace}${who}: ${formatRights(needed)}`,
        `ask someone who may grant rights to apply the Role; --format role prints it alone`,
        exitCodes.notAuthorised,
      ),
    ];
  }
  const rights = clusterRights.filter(right => !refused.includes(right));
  const lacks = new Set(refused.map(({resource, without}) => `; without ${resource}, ${without}`));
  return [found.ok('permissions', `${formatRights(rights)}${[...lacks].join('')}`)];
};

const plural = (count: number, word: string): string =>
  `${count}${count === countedMax ? ' or more' : ''} ${word}${count === 1 ? '' : 's'}`;

async function* checkWorkloads(check: ClusterCheck): AsyncGenerator<Finding> {
  const {client, namespace, signal} = check;
  const list = async ({group, version, plural: resource}: KindNames): Promise<readonly unknown[]> =>
    listField(
      await client.get(`${basePath(group, namespace, version)}/${resource}`, {query: {limit: countedMax}, signal}),
      'items',
    );
  try {
    const counts: string[] = [];
    let pods: readonly unknown[] = [];
    for (const names of workloadKinds) {
      // A kind that is absent or refused has been told with the permissions.
      const found = await list(names).catch((error: unknown) => {
        if (hasStatus(error, 403) || hasStatus(error, 404)) {
          return [];
        }
        throw error;
      });
      pods = names.kind === 'pod' ? found : pods;
      if (found.length > 0) {
        counts.push(plural(found.length, names.title));
      }
    }
    const words = `namespace ${namespace}: ${counts.length === 0 ? 'no pods' : counts.join(', ')}`;
    yield counts.length > 0
      ? found.ok('workloads', words)
      : found.warn('workloads', words, 'check the name of the namespace: it has no workload and no pod');
    yield await checkPodLog(check, pods);
  } catch (error) {
    yield describeKubeFailure('workloads', error);
  }
}

/** Reads one line of a running container, which takes the way to its node. */
const checkPodLog = async (
  {client, namespace, nowMs, signal}: ClusterCheck,
  pods: readonly unknown[],
): Promise<Finding> => {
  const pod = pods.find(each => textField(tableField(each, 'status'), 'phase') === 'Running');
  const podName = textField(tableField(pod, 'metadata'), 'name');
  const container = textField(listField(tableField(pod, 'spec'), 'containers')[0], 'name');
  if (podName === undefined || container === undefined) {
    return found.skip('log', 'no pod is running, so no log was requested');
  }
  const where = `container ${container} of pod ${podName}`;
  try {
    const text = await client.get(`${basePath('', namespace)}/pods/${encodeURIComponent(podName)}/log`, {
      query: {container, tailLines: 1, timestamps: true},
      as: 'text',
      signal,
    });
    const writtenMs = Date.parse(String(text).split(' ')[0] ?? '');
    const age = Number.isNaN(writtenMs) ? 'has no lines yet' : describeAge(nowMs() - writtenMs);
    return found.ok('log', `${where} ${age}`);
  } catch (error) {
    return {
      ...describeKubeFailure('log', error),
      action: `check the node of the pod: kubectl logs -n ${namespace} ${podName} -c ${container} makes the same request`,
    };
  }
};

const describeAge = (ms: number): string =>
  ms < 0
    ? `wrote its last line ${formatElapsed(-ms)} from now, by this machine's clock`
    : `wrote its last line ${formatElapsed(ms)} ago`;
