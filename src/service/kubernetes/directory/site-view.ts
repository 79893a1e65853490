import {formatWorkload} from '#base/workload-kinds.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {BranchRecord, DirectoryBranch, PodRecord} from '#service/backend/backend.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';
import type {ContainerChoice, EventsPlace, KubePlace, KubeSiteSettings} from '../kube-settings.ts';
import {type KubePod, makeKubePodRecord, type PodContainer} from '../objects/decode-pod.ts';
import {findNewestVersions, type Ingress, type ReplicaSet, type Workload} from '../objects/decode-workload.ts';
import {type ClusterBranch, createPodFinder, findClusterBranches} from './cluster-branches.ts';
import {type ClusterRecord, findIngress, makeClusterRecord} from './cluster-record.ts';
import type {NamespaceWatch} from './namespace-watch.ts';
import {createOwnPods} from './own-pods.ts';

/**
 * The containers that Istio, Linkerd, Kuma and Consul add to a pod: their lines are not the application's. A proxy that
 * is an ordinary container is read like the others, as it always was.
 */
const meshContainers: ReadonlySet<string> = new Set([
  'istio-proxy',
  'istio-init',
  'istio-validation',
  'linkerd-proxy',
  'linkerd-init',
  'linkerd-network-validator',
  'kuma-sidecar',
  'kuma-init',
  'consul-dataplane',
  'consul-connect-inject-init',
]);

const isChosen = ({only, except, hasMesh = false}: ContainerChoice, {name, kind}: PodContainer): boolean =>
  only ? only.includes(name) : !except.includes(name) && (kind === 'app' || hasMesh || !meshContainers.has(name));

/**
 * Returns the containers of a pod whose logs are read. Those of a pod that has ended are among them until it is gone:
 * their last lines may not have been read.
 */
const listPlaces = (pod: KubePod, choice: ContainerChoice, isSeenFromStart: boolean): readonly ContainerPlace[] =>
  pod.containers
    .filter(container => isChosen(choice, container))
    .map(({name, kind, image: _, ...state}) => ({
      namespace: pod.namespace,
      podName: pod.name,
      podUid: pod.uid,
      container: name,
      containerKind: kind,
      ...state,
      podCreatedAtMs: pod.createdAtMs,
      isSeenFromStart,
    }));

/** A site as its directory shows it. */
export type SiteBranches = {
  readonly records: readonly BranchRecord[];
  readonly deployed: readonly BranchRecord[];
  /** By id. */
  readonly branches: ReadonlyMap<string, DirectoryBranch<KubePlace>>;
  /** Mistakes in the settings that only the cluster shows, as sentences. */
  readonly mistakes: readonly string[];
};

/** Returns the branches of the site. `changes` grows with each change of the namespace. */
export type SiteView = (watch: NamespaceObjects, changes: number) => SiteBranches;

export type NamespaceObjects = Pick<
  NamespaceWatch,
  'workloads' | 'pods' | 'replicaSets' | 'ingresses' | 'isSeenFromStart' | 'watchOutages' | 'outagesBefore'
>;

/** The part of a branch that depends on its pods alone. */
type PodsPart = {
  readonly pods: readonly KubePod[];
  readonly running: () => readonly PodRecord[];
  readonly events: EventsPlace | undefined;
  readonly places: readonly KubePlace[];
};

/** A branch's record, and what it was made of. */
type RecordPart = ClusterRecord & {readonly inputs: readonly unknown[]};

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

type SiteViewOptions = {
  readonly site: KubeSiteSettings;
  readonly makeBranchId: (siteId: string, name: string) => string;
  /** For a branch that the cluster does not know, milliseconds since 1970. */
  readonly startedMs: number;
  readonly warn: (message: string) => void;
};

/**
 * Creates the view of a site. It is worked out when it is asked for. After changes, only what depends on them is worked
 * out again: in a large namespace something changes several times a second.
 */
export const createSiteView = ({site, makeBranchId, startedMs, warn}: SiteViewOptions): SiteView => {
  /** Made when first asked for: parsing costs more than all else. */
  const recordOf = once(createWeakCache<KubePod, PodRecord>(), makeKubePodRecord);
  let last: {readonly changes: number; readonly branches: SiteBranches} | undefined;
  const findOwnPods = createOwnPods(site);
  /** The workloads with objects of their own, and these with the pods that are branches of their own. */
  let watched: readonly Workload[] = [];
  let workloads: readonly Workload[] | undefined;
  let found: readonly ClusterBranch[] = [];
  /** The branches of each pod, while the selectors stay the same. */
  let selectors = '';
  let findBranchesOfPod = createPodFinder([]);
  let branchesOf = new WeakMap<KubePod, readonly ClusterBranch[]>();
  /** By branch id. */
  let podsParts = new Map<string, PodsPart>();
  let recordParts = new Map<string, RecordPart>();

  const findBranches = (given: readonly Workload[], pods: readonly KubePod[]): void => {
    watched = isSameList(given, watched) ? watched : given;
    const all = [...watched, ...findOwnPods(watched, pods)];
    if (workloads && isSameList(all, workloads)) {
      return;
    }
    workloads = all;
    found = findClusterBranches(site, all, makeBranchId);
    findBranchesOfPod = createPodFinder(found);
    const newSelectors = JSON.stringify(found.map(({id, owners, selectors: own}) => [id, owners, own]));
    if (newSelectors !== selectors) {
      selectors = newSelectors;
      branchesOf = new WeakMap();
    }
  };

  /** A workload that is named without its kind may be one of several. */
  const findAmbiguous = (): readonly string[] =>
    found
      .filter(({settings, workloads: its}) => settings?.workload !== undefined && its.length > 1)
      .map(
        ({name, settings, workloads: its}) =>
          `Branch ${name} of site ${site.id}: namespace ${site.namespace} has ${its.map(formatWorkload).join(' and ')}, so "${settings?.workload?.name}" is ambiguous: write one of them.`,
      );

  const assignPods = (pods: readonly KubePod[]) => {
    const podsOf = new Map<string, KubePod[]>(found.map(({id}) => [id, []]));
    const mistakes: string[] = [];
    for (const pod of pods) {
      const branches = branchesOf.get(pod) ?? findBranchesOfPod(pod);
      branchesOf.set(pod, branches);
      const [first, second] = branches;
      podsOf.get(first?.id ?? '')?.push(pod);
      if (first && second) {
        // Selectors of workloads are not the operator's, and such a pod may come at any time: it must not stop a start.
        const isMistake = [first, second].some(({settings}) => settings?.selector !== undefined);
        const end = isMistake ? 'give one of them a narrower selector' : `its lines are in ${first.name}`;
        const sentence = `Pod ${pod.name} of namespace ${pod.namespace} belongs to two branches of site ${site.id}, ${first.name} and ${second.name}: ${end}.`;
        warn(sentence);
        mistakes.push(...(isMistake ? [sentence] : []));
      }
    }
    return {podsOf, mistakes};
  };

  /** A pod that is known by its name has had the name all the time as long as it is the same pod. */
  const outagesOf = (
    {workloads: its, selectors: chosen, settings}: ClusterBranch,
    {watchOutages, outagesBefore}: NamespaceObjects,
  ): number => {
    const [pod, ...others] = its;
    const isNamed = site.branchLabel === undefined || settings?.workload !== undefined;
    return pod?.kind === 'pod' && isNamed && others.length + chosen.length === 0
      ? outagesBefore(pod.uid)
      : watchOutages();
  };

  const makePodsPart = (
    {id, settings, workloads: ownWorkloads}: ClusterBranch,
    unsorted: readonly KubePod[],
    {isSeenFromStart}: NamespaceObjects,
  ): PodsPart => {
    const pods = unsorted.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const known = podsParts.get(id);
    const names = ownWorkloads.map(formatWorkload);
    if (known && isSameList(known.pods, pods) && (!known.events || isSameList(known.events.workloads, names))) {
      return known;
    }
    const events = site.hasEvents ? {namespace: site.namespace, workloads: names} : undefined;
    const choice = settings?.containers ?? site.containers;
    let records: readonly PodRecord[] | undefined;
    return {
      pods,
      events,
      running: () => {
        records ??= pods.filter(({phase}) => phase === 'Running').map(recordOf);
        return records;
      },
      places: [...pods.flatMap(pod => listPlaces(pod, choice, isSeenFromStart(pod.uid))), ...(events ? [events] : [])],
    };
  };

  const makeRecordPart = (
    branch: ClusterBranch,
    versions: ReadonlyMap<string, ReplicaSet>,
    ingresses: readonly Ingress[],
    pods: readonly KubePod[],
  ): RecordPart => {
    const ingress = findIngress(site, branch, ingresses);
    const troubled = pods.filter(({troubles}) => troubles.length > 0);
    const inputs = [...branch.workloads, ...branch.workloads.map(({uid}) => versions.get(uid)), ingress, ...troubled];
    const known = recordParts.get(branch.id);
    return known && isSameList(known.inputs, inputs)
      ? known
      : {inputs, ...makeClusterRecord({site, branch, versions, ingress, pods: troubled, startedMs})};
  };

  const make = (objects: NamespaceObjects): SiteBranches => {
    const pods = [...objects.pods()];
    findBranches(objects.workloads(), pods);
    const {podsOf, mistakes} = assignPods(pods);
    const versions = findNewestVersions(objects.replicaSets());
    const ingresses = objects.ingresses();
    podsParts = new Map(found.map(branch => [branch.id, makePodsPart(branch, podsOf.get(branch.id) ?? [], objects)]));
    recordParts = new Map(
      found.map(branch => [
        branch.id,
        makeRecordPart(branch, versions, ingresses, podsParts.get(branch.id)?.pods ?? []),
      ]),
    );
    const branches = new Map<string, DirectoryBranch<KubePlace>>();
    for (const branch of found) {
      const [part, recordPart] = [podsParts.get(branch.id), recordParts.get(branch.id)];
      if (part && recordPart) {
        branches.set(branch.id, {
          record: recordPart.record,
          get pods() {
            return part.running();
          },
          places: part.places,
          watchOutages: outagesOf(branch, objects),
        });
      }
    }
    const parts = [...recordParts.values()];
    return {
      records: parts.map(({record}) => record),
      deployed: parts.filter(({isDeployed}) => isDeployed).map(({record}) => record),
      branches,
      mistakes: [...findAmbiguous(), ...mistakes],
    };
  };

  return (objects, changes) => {
    if (last?.changes !== changes) {
      last = {changes, branches: make(objects)};
    }
    return last.branches;
  };
};
