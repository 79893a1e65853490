import {formatWorkload, meansWorkload, type WorkloadName, workloadKinds} from '#base/workload-kinds.ts';
import type {KubeBranchSettings, KubeSiteSettings} from '../kube-settings.ts';
import type {KubePod} from '../objects/decode-pod.ts';
import {groupJobs, type Workload, type WorkloadWithJobs} from '../objects/decode-workload.ts';
import {type LabelRequirement, matchesLabels, parseLabelSelector, readLabel} from '../objects/label-selector.ts';

/** A branch as configured, found in the cluster, or both. */
export type ClusterBranch = {
  readonly id: string;
  readonly name: string;
  readonly settings: KubeBranchSettings | undefined;
  /** Empty: the branch is not built out. */
  readonly workloads: readonly WorkloadWithJobs[];
  /** The workloads that make its pods, such as `deployment/web`; empty if the settings have a selector of their own. */
  readonly owners: readonly string[];
  /** Pods without an owner, or anybody's with a selector of the settings, match at least one of these. */
  readonly selectors: readonly (readonly LabelRequirement[])[];
};

/** Checks every selector of the settings. Throws a `ServiceError`. */
export const checkSelectors = ({selector, branches}: KubeSiteSettings): void => {
  parseLabelSelector(selector ?? '');
  for (const branch of branches) {
    parseLabelSelector(branch.selector ?? '');
  }
};

const findItsPods = (
  settings: KubeBranchSettings | undefined,
  workloads: readonly WorkloadWithJobs[],
): Pick<ClusterBranch, 'owners' | 'selectors'> =>
  settings?.selector === undefined
    ? {
        owners: workloads.flatMap(workload => [workload, ...(workload.jobs ?? [])]).map(formatWorkload),
        selectors: workloads.flatMap(({selector}) => (selector === undefined ? [] : [selector])),
      }
    : {owners: [], selectors: [parseLabelSelector(settings.selector)]};

const rankOf = ({kind}: Workload): number => workloadKinds.findIndex(each => each.kind === kind);

/**
 * Returns the branches of a site, the configured ones first and then the others by name. What the configuration says of
 * a workload wins: no other branch has it.
 */
export const findClusterBranches = (
  site: KubeSiteSettings,
  namespaceWorkloads: Iterable<Workload>,
  makeBranchId: (siteId: string, name: string) => string,
): readonly ClusterBranch[] => {
  const {branchLabel} = site;
  const all = groupJobs([...namespaceWorkloads]).toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1),
  );
  const siteRequirements = parseLabelSelector(site.selector ?? '');
  const selected = all.filter(({labels}) => matchesLabels(labels, siteRequirements));

  const explicit = new Set(
    site.branches.flatMap(({workload}) => (workload ? all.filter(each => meansWorkload(workload, each)) : [])),
  );
  const free = selected.filter(workload => !explicit.has(workload));
  /** By branch name, according to the site's rule. */
  const found = new Map<string, WorkloadWithJobs[]>();
  for (const workload of free) {
    // Two workloads of different kinds may have the same name.
    const name =
      branchLabel !== undefined
        ? readLabel(workload.labels, branchLabel)
        : found.has(workload.name)
          ? formatWorkload(workload)
          : workload.name;
    if (name !== undefined) {
      found.set(name, [...(found.get(name) ?? []), workload]);
    }
  }

  const configured = site.branches.map((settings): ClusterBranch => {
    const {id, name, workload} = settings;
    const workloads = workload ? all.filter(each => meansWorkload(workload, each)) : (found.get(name) ?? []);
    return {id, name, settings, workloads, ...findItsPods(settings, workloads)};
  });
  const taken = new Set(site.branches.filter(({workload}) => !workload).map(({name}) => name));
  const configuredNames = new Set(site.branches.map(({name}) => name));
  const discovered = [...found]
    .filter(([name]) => !taken.has(name))
    .map(([foundName, workloads]): ClusterBranch => {
      const [first] = workloads;
      const name = configuredNames.has(foundName) && first ? formatWorkload(first) : foundName;
      return {
        id: makeBranchId(site.id, name),
        name,
        settings: undefined,
        workloads,
        ...findItsPods(undefined, workloads),
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [...configured, ...discovered];
};

/** Returns the branches that a pod belongs to: more than one if selectors overlap. */
type FindBranchesOfPod = (pod: KubePod) => readonly ClusterBranch[];

/** Creates a finder of the branches of pods. A pod is first of all its own, then its owner's, then a selector's. */
export const createPodFinder = (branches: readonly ClusterBranch[]): FindBranchesOfPod => {
  const owned = new Map<string, ClusterBranch[]>();
  const chosen = branches.filter(({settings}) => settings?.selector !== undefined);
  for (const branch of branches) {
    for (const owner of branch.owners) {
      owned.set(owner, [...(owned.get(owner) ?? []), branch]);
    }
  }

  /** A Job that is gone leaves its pods behind for a moment; its CronJob is in its name. */
  const findOwners = ({kind, name}: WorkloadName): readonly ClusterBranch[] =>
    owned.get(formatWorkload({kind, name})) ??
    (kind === 'job' ? owned.get(formatWorkload({kind: 'cronjob', name: name.replace(/-\d+$/, '')})) : undefined) ??
    [];

  return pod => {
    const itself = owned.get(formatWorkload({kind: 'pod', name: pod.name}));
    if (itself) {
      return itself;
    }
    const owners = pod.owner ? findOwners(pod.owner) : [];
    // Most pods have an owner, and there may be thousands of both.
    const candidates = pod.owner ? new Set([...chosen, ...owners]) : branches;
    return [...candidates].filter(
      branch => owners.includes(branch) || branch.selectors.some(each => matchesLabels(pod.labels, each)),
    );
  };
};
