import {type KindNames, meansWorkload, type WorkloadKind, workloadKinds} from '#base/workload-kinds.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {type CallError, isRefusal, isSignedOut, toCallError, UnavailableError} from '#service/backend/errors.ts';
import {createOpenQueue, type OpenQueue} from '#service/containers/open-queue.ts';
import {listField, textField} from '#service/link/object-fields.ts';
import {type KubeClient, KubeError} from '../kube-client.ts';
import {decodePod, type KubePod} from '../objects/decode-pod.ts';
import {
  createWorkloadDecoder,
  decodeIngress,
  decodeReplicaSet,
  type Ingress,
  type ReplicaSet,
  type Workload,
} from '../objects/decode-workload.ts';
import {matchesLabels} from '../objects/label-selector.ts';
import type {WatchedObject} from '../watch/known-objects.ts';
import {type Reflector, type ReflectorOptions, startReflector, type WatchSeconds} from '../watch/reflector.ts';
import {isAway} from '../watch/reflector-step.ts';

/** The API of a custom resource, such as `/apis/argoproj.io/v1alpha1`, and the resource, in the path of a list. */
const listPath = /^(\/apis\/[^/]+\/[^/]+)\/namespaces\/[^/]+\/([^/]+)$/;

/**
 * Returns a client for resources that a cluster may not have: it lists them only if the cluster's discovery names them,
 * which is asked once per API. Other tools may have the same API group. If discovery is refused, the list tells.
 */
export const addOnClientOf: (client: KubeClient) => KubeClient = once(createWeakCache(), client => {
  const known = new Map<string, Promise<ReadonlySet<string> | undefined>>();

  const discover = async (api: string): Promise<ReadonlySet<string> | undefined> => {
    try {
      const found = listField(await client.get(api), 'resources').map(resource => textField(resource, 'name') ?? '');
      return new Set(found);
    } catch (error) {
      const {status} = toCallError(error);
      if (status === 404) {
        return new Set();
      }
      if (status !== 403) {
        known.delete(api);
      }
      return undefined;
    }
  };

  return {
    ...client,
    get: async (path, options) => {
      const [, api = '', resource = ''] = listPath.exec(path) ?? [];
      const found = known.get(api) ?? discover(api);
      known.set(api, found);
      if ((await found)?.has(resource) === false) {
        throw new KubeError('status', `${client.address} has no ${resource} in ${api}.`, {
          status: 404,
          reason: 'NotFound',
        });
      }
      return client.get(path, options);
    },
  };
});

/**
 * Lists at once: all of one namespace. More are answered no sooner, and those that wait too long fail: of 1,000 lists
 * for 200 namespaces, those of 20 did.
 */
const listsAtOnceMax = 10;
/** How long a list keeps its place, milliseconds: one that hangs or is large must not hold up the other namespaces. */
const listPlaceMsMax = 10_000;

/** Returns the queue of a client's lists: namespace by namespace, in the order in which they were opened. */
const listQueueOf: (client: KubeClient) => OpenQueue = once(createWeakCache(), () =>
  createOpenQueue({openingMax: listsAtOnceMax, placeMsMax: listPlaceMsMax}),
);

/** Pods and the counts of their workload come by watches of their own: they differ for a moment, milliseconds. */
const differMsMax = 10_000;
/** A list that brought nothing new is not repeated at once, but ever more rarely, milliseconds. */
const [pauseMsMin, pauseMsMax] = [60_000, 600_000];

const hasPod = (workload: Workload, {owner, labels}: KubePod): boolean =>
  owner === undefined
    ? workload.selector !== undefined && matchesLabels(labels, workload.selector)
    : meansWorkload(owner, workload);

/** The count depends on the kind: see `workload-state.ts`. A CronJob counts no pods, its Jobs do. */
const lacksPods = (workload: Workload, pods: readonly KubePod[]): boolean => {
  const {existing = 0} = workload.state;
  return (
    existing > 0 &&
    pods.filter(pod => pod.phase !== 'Succeeded' && pod.phase !== 'Failed' && hasPod(workload, pod)).length < existing
  );
};

/**
 * Creates a function that notices pods of a namespace that the cluster counts and the watch did not report. It is
 * called every few seconds, and returns whether pods should be listed again.
 */
const createMissedPods = (monotonicMs: () => number) => {
  let sinceMs: number | undefined;
  let nextMs = Number.NEGATIVE_INFINITY;
  let pauseMs = pauseMsMin;
  return (workloads: readonly Workload[], pods: readonly KubePod[]): boolean => {
    const atMs = monotonicMs();
    if (!workloads.some(workload => lacksPods(workload, pods))) {
      sinceMs = undefined;
      pauseMs = pauseMsMin;
      return false;
    }
    sinceMs ??= atMs;
    if (atMs - sinceMs < differMsMax || atMs < nextMs) {
      return false;
    }
    nextMs = atMs + pauseMs;
    pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    return true;
  };
};

/** A pod that nobody knows of is not read: its watch must not be half-open for long. */
const podWatchSeconds: WatchSeconds = [10, 15];
/** How often the pods are compared with the counts of their workloads, milliseconds. */
const compareMs = 2_000;

type NamespaceWatchOptions = Pick<
  ReflectorOptions<WatchedObject>,
  'client' | 'onChange' | 'monotonicMs' | 'random' | 'warn'
> & {
  readonly namespace: string;
  /** Whether somebody asks for a workload of this kind by name. */
  readonly isNamed: (kind: WorkloadKind) => boolean;
};

/** The kinds that every namespace has. The others may be absent or forbidden without a word, unless they are named. */
const usualKinds: readonly WorkloadKind[] = ['deployment', 'statefulset'];
/** The API groups that every cluster has. */
const builtInGroups: readonly string[] = ['apps', 'batch'];

type WatchedWorkloads = Pick<KindNames, 'kind' | 'plural'> & {readonly reflector: Reflector<Workload>};

/** Starts to watch a namespace. */
export const watchNamespace = ({warn, namespace, isNamed, ...options}: NamespaceWatchOptions) => {
  const queue = listQueueOf(options.client);
  const watchResource = <Item extends WatchedObject>(
    api: string,
    resource: string,
    decode: (object: unknown) => Item | undefined,
    others: Partial<ReflectorOptions<Item>> = {},
  ): Reflector<Item> =>
    startReflector({
      ...options,
      path: `/${api}/namespaces/${encodeURIComponent(namespace)}/${resource}`,
      name: `${resource} of namespace ${namespace}`,
      decode,
      queue,
      warn,
      ...others,
    });
  const watchKind = ({kind, plural, group, version}: KindNames): WatchedWorkloads | undefined =>
    kind === 'pod'
      ? undefined
      : {
          kind,
          plural,
          reflector: watchResource(`apis/${group}/${version}`, plural, createWorkloadDecoder(kind), {
            isNeeded: () => usualKinds.includes(kind) || isNamed(kind),
            ...(!builtInGroups.includes(group) && {client: addOnClientOf(options.client)}),
          }),
        };
  const pods = watchResource('api/v1', 'pods', decodePod, {watchSeconds: podWatchSeconds});
  const kinds = workloadKinds.map(watchKind).filter(each => each !== undefined);
  // Only a few fields of the record come from these, so they may be forbidden.
  const ignored = {warn: () => undefined};
  const replicaSets = watchResource('apis/apps/v1', 'replicasets', decodeReplicaSet, ignored);
  const ingresses = watchResource('apis/networking.k8s.io/v1', 'ingresses', decodeIngress, ignored);
  const all = [pods, ...kinds.map(({reflector}) => reflector), replicaSets, ingresses];

  /** Not what was known before a right was taken away; refused credentials take none away. */
  const workloads = () =>
    kinds.flatMap(({reflector}) => {
      const failure = reflector.failure();
      return failure && isAway(failure) && !isSignedOut(failure) ? [] : [...reflector.items().values()];
    });
  const isListDue = createMissedPods(options.monotonicMs);
  const timer = setInterval(() => {
    if (pods.isListed() && isListDue(workloads(), [...pods.items().values()])) {
      pods.listAgain();
    }
  }, compareMs).unref();

  const findProblem = (reflector: Reflector<WatchedObject>, resource: string): UnavailableError | undefined => {
    const failure = reflector.failure();
    // A watch that broke leaves what was known last; a permission that was taken away does not.
    if (reflector.isListed() && !(failure && isRefusal(failure))) {
      return undefined;
    }
    const name = `The ${resource} of namespace ${namespace}`;
    return failure
      ? new UnavailableError(`${name} cannot be listed. ${failure.message}`, {cause: failure})
      : new UnavailableError(`${name} are not known yet: ask again in a moment.`);
  };
  /**
   * Kinds may be forbidden from the start, as long as one is not. An unusual one does not keep the others from being
   * shown, whatever is wrong with it.
   */
  const isLeftOut = ({kind, reflector}: WatchedWorkloads): boolean => {
    const failure = reflector.failure();
    return (
      failure !== undefined &&
      (usualKinds.includes(kind)
        ? !reflector.isListed() && isRefusal(failure)
        : !reflector.isListed() || isAway(failure))
    );
  };
  const findKindProblem = (): UnavailableError | undefined => {
    const needed = kinds.filter(each => !isLeftOut(each));
    return (needed.length === 0 ? kinds.slice(0, 1) : needed)
      .map(({reflector, plural}) => findProblem(reflector, plural))
      .find(problem => problem !== undefined);
  };

  /** Credentials that are refused end no stream, but rights that were taken away are to be respected. */
  const findSignedOut = (): CallError | undefined => {
    const listed = [pods, ...kinds.filter(each => !isLeftOut(each)).map(({reflector}) => reflector)];
    const failures = listed.map(reflector => reflector.failure()).filter(failure => failure !== undefined);
    const isKnown = listed.every(reflector => reflector.isListed()) && failures.every(isSignedOut);
    return isKnown ? failures[0] : undefined;
  };

  return {
    /** Resolves when everything was listed or could not be. */
    settled: Promise.all(all.map(({settled}) => settled)),
    /**
     * Why the branches of the namespace are not known; undefined if they are. `mayBeOld`: what was known before the
     * credentials were refused will do, as for streams that outlive them.
     */
    problem: (mayBeOld?: boolean): UnavailableError | undefined =>
      mayBeOld && findSignedOut() ? undefined : (findProblem(pods, 'pods') ?? findKindProblem()),
    /** Why pods that have come by now would not be known; undefined if they would. */
    outage: (): UnavailableError | undefined => {
      const failure = findSignedOut() ?? pods.outage();
      const words = `The pods of namespace ${namespace} cannot be watched.`;
      return failure && new UnavailableError(`${words} ${failure.message}`, {cause: failure});
    },
    workloads,
    /** Also those deleted since `noteShown`: a pod may have come and gone since, and its lines with it. */
    pods: (): Iterable<KubePod> => {
      const names = new Set([...pods.items().values()].map(({name}) => name));
      // The log of a name is that of the newest pod.
      const leaving = [...pods.leaving()].filter(({name}) => !names.has(name));
      return [...pods.items().values(), ...leaving];
    },
    /** Notes that everything was shown. Returns whether pods go with that. */
    noteShown: (): boolean => {
      const hadPods = pods.noteShown();
      for (const reflector of all) {
        reflector.noteShown();
      }
      return hadPods;
    },
    /** Counts the outages in which pods may have come and gone without a trace. */
    watchOutages: pods.watchOutages,
    /** The same, in which another pod may have had the name of this one. */
    outagesBefore: pods.outagesBefore,
    replicaSets: (): Iterable<ReplicaSet> => replicaSets.items().values(),
    ingresses: (): readonly Ingress[] => [...ingresses.items().values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    isSeenFromStart: pods.isSeenFromStart,
    close: (): void => {
      clearInterval(timer);
      for (const reflector of all) {
        reflector.close();
      }
    },
  };
};

/** The objects of one namespace, watched. All its sites share them. */
export type NamespaceWatch = ReturnType<typeof watchNamespace>;
