import {isRefusal} from '../client/is-refusal.ts';
import type {KubeClient} from '../client/kube-client.ts';
import {decodeIngress, type Ingress} from '../objects/decode-ingress.ts';
import {decodePod, type KubePod} from '../objects/decode-pod.ts';
import {decodeReplicaSet, type ReplicaSet} from '../objects/decode-replica-set.ts';
import {createWorkloadDecoder, type Workload} from '../objects/decode-workload.ts';
import type {WatchedObject} from '../watch/known-objects.ts';
import {type Reflector, startReflector, type WatchSeconds} from '../watch/reflector.ts';
import {createMissedPods} from './missed-pods.ts';

/** A pod that nobody knows of is not read: its watch must not be half-open for long. */
const podWatchSeconds: WatchSeconds = [10, 15];
/** How often the pods are compared with the counts of their workloads, milliseconds. */
const compareMs = 2_000;

export type NamespaceWatchOptions = {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly onChange: () => void;
  /** Milliseconds on a monotonic clock. */
  readonly monotonicMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly warn: (message: string) => void;
};

/** What is known of one namespace. All sites of the namespace share it. */
export type NamespaceWatch = {
  /** Resolves when everything was listed or could not be. */
  readonly settled: Promise<unknown>;
  /** Why the branches of the namespace are not known, as a sentence; undefined if they are. */
  problem(): string | undefined;
  /** Why pods that have come by now would not be known, as a sentence; undefined if they would. */
  outage(): string | undefined;
  workloads(): readonly Workload[];
  /** Also those deleted since `noteShown`: a pod may have come and gone since, and its lines with it. */
  pods(): Iterable<KubePod>;
  /** What there is was shown. Returns whether pods go with that. */
  noteShown(): boolean;
  /** Counts the spells in which pods may have come and gone without a trace. */
  lostSpells(): number;
  replicaSets(): Iterable<ReplicaSet>;
  ingresses(): readonly Ingress[];
  isSeenFromStart(uid: string): boolean;
  close(): void;
};

/** Starts to watch a namespace. */
export const watchNamespace = ({warn, namespace, ...options}: NamespaceWatchOptions): NamespaceWatch => {
  const watchResource = <Item extends WatchedObject>(
    group: string,
    resource: string,
    decode: (object: unknown) => Item | undefined,
    warnOf: (message: string) => void,
    watchSeconds?: WatchSeconds,
  ): Reflector<Item> =>
    startReflector({
      ...options,
      path: `/${group}/namespaces/${encodeURIComponent(namespace)}/${resource}`,
      name: `${resource} of namespace ${namespace}`,
      decode,
      warn: warnOf,
      ...(watchSeconds && {watchSeconds}),
    });
  // Only a few fields of the record come from these, so they may be forbidden.
  const ignore = (): void => undefined;
  const pods = watchResource('api/v1', 'pods', decodePod, warn, podWatchSeconds);
  const deployments = watchResource('apis/apps/v1', 'deployments', createWorkloadDecoder('deployment'), warn);
  const statefulSets = watchResource('apis/apps/v1', 'statefulsets', createWorkloadDecoder('statefulset'), warn);
  const replicaSets = watchResource('apis/apps/v1', 'replicasets', decodeReplicaSet, ignore);
  const ingresses = watchResource('apis/networking.k8s.io/v1', 'ingresses', decodeIngress, ignore);
  const all = [pods, deployments, statefulSets, replicaSets, ingresses];

  const workloads = () => [...deployments.items().values(), ...statefulSets.items().values()];
  const missedPods = createMissedPods(options.monotonicMs);
  const timer = setInterval(() => {
    if (pods.isListed() && missedPods.isListDue(workloads(), [...pods.items().values()])) {
      pods.listAgain();
    }
  }, compareMs).unref();

  const findProblem = (reflector: Reflector<unknown>, resource: string): string | undefined => {
    const failure = reflector.failure();
    // A watch that broke leaves what was known last; a permission that was taken away does not.
    if (reflector.isListed() && !(failure && isRefusal(failure))) {
      return undefined;
    }
    return failure
      ? `The ${resource} of namespace ${namespace} cannot be listed. ${failure.message}`
      : `The ${resource} of namespace ${namespace} are not known yet: ask again in a moment.`;
  };
  /** One of the two kinds may be forbidden from the start: the branches are then those of the other. */
  const isForbiddenFromStart = (reflector: Reflector<unknown>): boolean => {
    const failure = reflector.failure();
    return !reflector.isListed() && failure !== undefined && isRefusal(failure);
  };

  return {
    settled: Promise.all(all.map(({settled}) => settled)),
    problem: () => {
      const [first, second] = [findProblem(deployments, 'deployments'), findProblem(statefulSets, 'statefulsets')];
      const needed = [
        ...(isForbiddenFromStart(deployments) && second === undefined ? [] : [first]),
        ...(isForbiddenFromStart(statefulSets) && first === undefined ? [] : [second]),
      ];
      return findProblem(pods, 'pods') ?? needed.find(problem => problem !== undefined);
    },
    outage: () => {
      const failure = pods.outage();
      return failure && `The pods of namespace ${namespace} cannot be watched. ${failure.message}`;
    },
    workloads,
    pods: () => {
      const names = new Set([...pods.items().values()].map(({name}) => name));
      // The log of a name is that of the newest pod.
      const leaving = [...pods.leaving()].filter(({name}) => !names.has(name));
      return [...pods.items().values(), ...leaving];
    },
    noteShown: () => {
      const hadPods = pods.noteShown();
      for (const reflector of all) {
        reflector.noteShown();
      }
      return hadPods;
    },
    lostSpells: pods.lostSpells,
    replicaSets: () => replicaSets.items().values(),
    ingresses: () => [...ingresses.items().values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    isSeenFromStart: pods.isSeenFromStart,
    close: () => {
      clearInterval(timer);
      for (const reflector of all) {
        reflector.close();
      }
    },
  };
};
