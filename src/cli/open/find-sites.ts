import {ApiError, messageOf} from '#api/client/api-error.ts';
import type {ParsedArguments} from '#cli/arguments/args.ts';
import {explainCallError} from '#cli/connection/explain-call-error.ts';
import {NotFoundError} from '#cli/io/exit-codes.ts';
import type {Io, Say} from '#cli/io/io.ts';
import type {KubeClient} from '#service/kubernetes/kube-client.ts';
import {listNamespaces} from '#service/kubernetes/list-objects.ts';
import type {Cluster} from '#service/kubernetes/open-cluster.ts';
import type {ClusterSites} from './cluster-client.ts';
import {createPatientClient} from './kube/cluster-backend.ts';
import {namespaceSite, requireNamespace} from './kube-flags.ts';

/** How long one of several clusters is waited for, milliseconds: the others must not wait for it. */
const slowMs = 5_000;

export type FoundSites = {readonly parts: readonly ClusterSites[]; readonly notice: string | undefined};

type Namespaces = {readonly namespaces: readonly string[]; readonly notice?: string};

export type FindWishes = {
  readonly parsed: ParsedArguments;
  readonly io: Io;
  /** A namespace, of several clusters perhaps with its context: `prod-eu/shop`. Undefined: all. */
  readonly wanted: string | undefined;
  readonly say: Say;
  /** Events are among the lines. */
  readonly hasEvents: boolean;
  /** Gets what is wrong with one of several clusters. */
  readonly warn: Say;
};

/**
 * Returns the sites of clusters: the namespace that is wanted, or all; if those may not be listed, that of the context.
 * Of several clusters, a site is named by its context, too, and one that cannot be asked has one site, which says why.
 * Throws an `ApiError` or a `NotFoundError` if none can be asked.
 */
export const findSites = async (clusters: readonly Cluster[], wishes: FindWishes): Promise<FoundSites> => {
  const {parsed, io, wanted} = wishes;
  const [only, ...others] = clusters;
  const sitesOf = (cluster: Cluster, namespaces: readonly string[]): ClusterSites => {
    const idOf = (name: string): string => (others.length === 0 ? name : `${cluster.contextName}/${name}`);
    return {cluster, sites: namespaces.map(name => namespaceSite(parsed, name, wishes.hasEvents, idOf(name)))};
  };
  if (only && others.length === 0) {
    const {namespaces, notice} = await findNamespaces(only, wanted, wishes);
    return {parts: [sitesOf(only, namespaces)], notice};
  }
  const own = clusters.filter(({contextName}) => wanted?.startsWith(`${contextName}/`));
  const asked = own.length > 0 ? own : clusters;
  const results = await Promise.allSettled(
    asked.map(cluster => {
      const namespace = own.length > 0 ? wanted?.slice(`${cluster.contextName}/`.length) : wanted;
      return inTime(io, cluster, findNamespaces(cluster, namespace, wishes));
    }),
  );
  const parts: ClusterSites[] = [];
  const notices: string[] = [];
  const failures: unknown[] = [];
  for (const [index, result] of results.entries()) {
    const cluster = asked[index];
    if (cluster === undefined) {
      continue;
    }
    if (result.status === 'fulfilled') {
      parts.push(sitesOf(cluster, result.value.namespaces));
      notices.push(...(result.value.notice === undefined ? [] : [`${cluster.contextName}: ${result.value.notice}`]));
      continue;
    }
    failures.push(result.reason);
    // A namespace may well be in some of the clusters only.
    if (!(result.reason instanceof NotFoundError)) {
      const words = `${cluster.contextName}: ${messageOf(result.reason)}`;
      // At once on the first screen, and again at the end: a key may hide it before it is read.
      notices.push(words);
      wishes.warn(words);
      parts.push(sitesOf(cluster, [own.length === 0 && wanted !== undefined ? wanted : cluster.namespace]));
    }
  }
  if (failures.length === asked.length) {
    throw failures.find(failure => !(failure instanceof NotFoundError)) ?? failures[0];
  }
  return {parts, notice: notices.length === 0 ? undefined : notices.join('; ')};
};

const inTime = async <Value>(io: Io, cluster: Cluster, finding: Promise<Value>): Promise<Value> => {
  const over = new AbortController();
  const limit = io.clock.sleep(slowMs, over.signal).then(() => {
    throw new ApiError('timeout', `${cluster.client.address} did not answer within ${slowMs / 1000} s`);
  });
  try {
    return await Promise.race([finding, limit]);
  } finally {
    over.abort();
    limit.catch(() => undefined);
  }
};

const findNamespaces = async (
  cluster: Cluster,
  wanted: string | undefined,
  {parsed, io, say}: FindWishes,
): Promise<Namespaces> => {
  const client: KubeClient = createPatientClient(cluster.client, {...io, say});
  if (wanted !== undefined) {
    await requireNamespace(client, wanted, {needsLogs: false});
    return {namespaces: [wanted]};
  }
  const own = cluster.namespace;
  const all = await listNamespaces(client).catch((error: unknown) => {
    throw explainCallError(error);
  });
  if (all !== undefined) {
    return {namespaces: [...all.filter(name => name === own), ...all.filter(name => name !== own)]};
  }
  if (parsed.switches.has('all-namespaces')) {
    throw new ApiError('forbidden', 'namespaces cannot be listed (403): -n NAMESPACE opens one', {status: 403});
  }
  await requireNamespace(client, own, {needsLogs: false});
  return {
    namespaces: [own],
    notice: `namespaces cannot be listed (403): -n NAMESPACE opens another than ${own}`,
  };
};
