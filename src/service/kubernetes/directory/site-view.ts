import type {BranchRecord, PodRecord} from '../../backend.ts';
import type {DirectoryBranch} from '../../directory.ts';
import type {ContainerPlace} from '../container-place.ts';
import type {KubeSiteSettings} from '../kube-settings.ts';
import type {Ingress} from '../objects/decode-ingress.ts';
import {type KubePod, makeKubePodRecord} from '../objects/decode-pod.ts';
import {findNewestVersions, type ReplicaSet} from '../objects/decode-replica-set.ts';
import type {Workload} from '../objects/decode-workload.ts';
import {type ClusterBranch, findBranchesOfPod, findClusterBranches} from './cluster-branches.ts';
import {type ClusterRecord, findIngress, makeClusterRecord} from './cluster-record.ts';
import {listPlaces} from './container-places.ts';
import type {NamespaceWatch} from './namespace-watch.ts';

/** A site as its directory shows it. */
export type SiteBranches = {
  readonly records: readonly BranchRecord[];
  readonly deployed: readonly BranchRecord[];
  /** By id. */
  readonly branches: ReadonlyMap<string, DirectoryBranch<ContainerPlace>>;
  /** For each pod of two branches of which the settings select one, a sentence that says so. */
  readonly mistakes: readonly string[];
};

export type SiteView = {
  /** Returns the branches of the site. `changes` grows with each change of the namespace. */
  read(watch: NamespaceObjects, changes: number): SiteBranches;
};

export type NamespaceObjects = Pick<
  NamespaceWatch,
  'workloads' | 'pods' | 'replicaSets' | 'ingresses' | 'isSeenFromStart' | 'lostSpells'
>;

/** The part of a branch that depends on its pods alone. */
type PodsPart = {
  readonly pods: readonly KubePod[];
  readonly running: () => readonly PodRecord[];
  readonly places: readonly ContainerPlace[];
};

/** A branch's record, and what it was made of. */
type RecordPart = ClusterRecord & {readonly inputs: readonly unknown[]};

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

/**
 * Creates the view of a site. It is worked out when it is asked for. After changes, only what depends on them is worked
 * out again: in a large namespace something changes several times a second.
 */
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
  let workloads: readonly Workload[] | undefined;
  let found: readonly ClusterBranch[] = [];
  /** The branches of each pod, while the selectors stay the same. */
  let selectors = '';
  let branchesOf = new WeakMap<KubePod, readonly ClusterBranch[]>();
  /** By branch id. */
  let podsParts = new Map<string, PodsPart>();
  let recordParts = new Map<string, RecordPart>();

  const recordOf = (pod: KubePod): PodRecord => {
    const record = podRecords.get(pod) ?? makeKubePodRecord(pod);
    podRecords.set(pod, record);
    return record;
  };

  const findBranches = (given: readonly Workload[]): void => {
    if (workloads && isSameList(given, workloads)) {
      return;
    }
    workloads = given;
    found = findClusterBranches(site, given, makeBranchId);
    const newSelectors = JSON.stringify(found.map(branch => [branch.id, branch.selectors]));
    if (newSelectors !== selectors) {
      selectors = newSelectors;
      branchesOf = new WeakMap();
    }
  };

  const assignPods = (pods: Iterable<KubePod>) => {
    const podsOf = new Map<string, KubePod[]>(found.map(({id}) => [id, []]));
    const mistakes: string[] = [];
    for (const pod of pods) {
      const branches = branchesOf.get(pod) ?? findBranchesOfPod(found, pod);
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

  const makePodsPart = (
    {id, settings}: ClusterBranch,
    unsorted: readonly KubePod[],
    {isSeenFromStart}: NamespaceObjects,
  ): PodsPart => {
    const pods = unsorted.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const known = podsParts.get(id);
    if (known && isSameList(known.pods, pods)) {
      return known;
    }
    const choice = settings?.containers ?? site.containers;
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
    findBranches(objects.workloads());
    const {podsOf, mistakes} = assignPods(objects.pods());
    const versions = findNewestVersions(objects.replicaSets());
    const ingresses = objects.ingresses();
    podsParts = new Map(found.map(branch => [branch.id, makePodsPart(branch, podsOf.get(branch.id) ?? [], objects)]));
    recordParts = new Map(
      found.map(branch => [
        branch.id,
        makeRecordPart(branch, versions, ingresses, podsParts.get(branch.id)?.pods ?? []),
      ]),
    );
    const branches = new Map<string, DirectoryBranch<ContainerPlace>>();
    for (const [id, {record}] of recordParts) {
      const part = podsParts.get(id);
      if (part) {
        branches.set(id, {
          record,
          get pods() {
            return part.running();
          },
          places: part.places,
          lostSpells: objects.lostSpells(),
        });
      }
    }
    const parts = [...recordParts.values()];
    return {
      records: parts.map(({record}) => record),
      deployed: parts.filter(({isDeployed}) => isDeployed).map(({record}) => record),
      branches,
      mistakes,
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
