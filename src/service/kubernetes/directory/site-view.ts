import type {BranchRecord, PodRecord} from '../../backend.ts';
import type {DirectoryBranch} from '../../directory.ts';
import type {ContainerPlace} from '../container-place.ts';
import type {KubeSiteSettings} from '../kube-settings.ts';
import {type KubePod, makeKubePodRecord} from '../objects/decode-pod.ts';
import {findNewestVersions} from '../objects/decode-replica-set.ts';
import {type ClusterBranch, findBranchesOfPod, findClusterBranches} from './cluster-branches.ts';
import {makeClusterRecord} from './cluster-record.ts';
import {listPlaces} from './container-places.ts';
import type {NamespaceWatch} from './namespace-watch.ts';

/** A site as its directory shows it. */
export type SiteBranches = {
  readonly records: readonly BranchRecord[];
  readonly deployed: readonly BranchRecord[];
  /** By id. */
  readonly branches: ReadonlyMap<string, DirectoryBranch<ContainerPlace>>;
  /** For each pod of two branches, a sentence that says so. */
  readonly doubles: readonly string[];
};

export type SiteView = {
  /** Returns the branches of the site. `changes` grows with each change of the namespace. */
  read(watch: NamespaceObjects, changes: number): SiteBranches;
};

export type NamespaceObjects = Pick<
  NamespaceWatch,
  'workloads' | 'pods' | 'replicaSets' | 'ingresses' | 'isSeenFromStart'
>;

/** The part of a branch that depends on its pods alone. */
type PodsPart = {
  readonly pods: readonly KubePod[];
  readonly running: () => readonly PodRecord[];
  readonly places: readonly ContainerPlace[];
};

const isSameList = (one: readonly KubePod[], other: readonly KubePod[]): boolean =>
  one.length === other.length && one.every((pod, index) => pod === other[index]);

/** Creates the view of a site. It is worked out when it is asked for, and after changes again as far as needed. */
export const createSiteView = ({
  site,
  makeBranchId,
  startedMs,
  warn,
}: {
  readonly site: KubeSiteSettings;
  readonly makeBranchId: (siteId: string, name: string) => string;
  /** For a branch that the cluster does not know, milliseconds since 1970. */
  readonly startedMs: number;
  readonly warn: (message: string) => void;
}): SiteView => {
  /** Made when first asked for: parsing costs more than all else. */
  const podRecords = new WeakMap<KubePod, PodRecord>();
  let last: {readonly changes: number; readonly branches: SiteBranches} | undefined;
  /** By branch id. */
  let parts = new Map<string, PodsPart>();
  /** The ids of a pod's branches, while their selectors stay the same. */
  let assigned = {selectors: '', idsOf: new WeakMap<KubePod, readonly string[]>()};

  const recordOf = (pod: KubePod): PodRecord => {
    const record = podRecords.get(pod) ?? makeKubePodRecord(pod);
    podRecords.set(pod, record);
    return record;
  };

  const assignPods = (branches: readonly ClusterBranch[], pods: readonly KubePod[]) => {
    const selectors = JSON.stringify(branches.map(branch => [branch.id, branch.selectors]));
    if (selectors !== assigned.selectors) {
      assigned = {selectors, idsOf: new WeakMap()};
    }
    const names = new Map(branches.map(({id, name}) => [id, name]));
    const podsOf = new Map<string, KubePod[]>(branches.map(({id}) => [id, []]));
    const doubles: string[] = [];
    for (const pod of pods) {
      const ids = assigned.idsOf.get(pod) ?? findBranchesOfPod(branches, pod).map(({id}) => id);
      assigned.idsOf.set(pod, ids);
      const [first = '', second] = ids;
      podsOf.get(first)?.push(pod);
      if (second !== undefined) {
        doubles.push(
          `Pod ${pod.name} of namespace ${pod.namespace} belongs to two branches of site ${site.id}, ${names.get(first)} and ${names.get(second)}: give one of them a narrower selector.`,
        );
      }
    }
    return {podsOf, doubles};
  };

  const makePart = (branch: ClusterBranch, pods: readonly KubePod[], {isSeenFromStart}: NamespaceObjects): PodsPart => {
    const choice = branch.settings?.containers ?? site.containers;
    let records: readonly PodRecord[] | undefined;
    return {
      pods,
      running: () => {
        records ??= pods.filter(({phase}) => phase === 'Running').map(recordOf);
        return records;
      },
      places: pods.flatMap(pod => listPlaces(pod, choice, isSeenFromStart(pod.uid))),
    };
  };

  const make = (objects: NamespaceObjects): SiteBranches => {
    const found = findClusterBranches(site, objects.workloads(), makeBranchId);
    const {podsOf, doubles} = assignPods(found, objects.pods());
    doubles.forEach(warn);
    const versions = findNewestVersions(objects.replicaSets());
    const ingresses = objects.ingresses();
    const made = found.map(branch => ({branch, ...makeClusterRecord({site, branch, versions, ingresses, startedMs})}));
    const before = parts;
    parts = new Map();
    const branches = new Map<string, DirectoryBranch<ContainerPlace>>();
    for (const {branch, record} of made) {
      const pods = podsOf.get(branch.id) ?? [];
      const known = before.get(branch.id);
      const part = known && isSameList(known.pods, pods) ? known : makePart(branch, pods, objects);
      parts.set(branch.id, part);
      branches.set(branch.id, {
        record,
        get pods() {
          return part.running();
        },
        places: part.places,
      });
    }
    return {
      records: made.map(({record}) => record),
      deployed: made.filter(({isDeployed}) => isDeployed).map(({record}) => record),
      branches,
      doubles,
    };
  };

  return {
    read: (objects, changes) => {
      if (last?.changes !== changes) {
        last = {changes, branches: make(objects)};
      }
      return last.branches;
    },
  };
};
