import type {KubeBranchSettings, KubeSiteSettings} from '../kube-settings.ts';
import type {KubePod} from '../objects/decode-pod.ts';
import type {Workload} from '../objects/decode-workload.ts';
import {type LabelRequirement, matchesLabels, parseLabelSelector, readLabel} from '../objects/label-selector.ts';

/** A branch as configured, found in the cluster, or both. */
export type ClusterBranch = {
  readonly id: string;
  readonly name: string;
  readonly settings: KubeBranchSettings | undefined;
  /** Empty: the branch is not built out. */
  readonly workloads: readonly Workload[];
  /** The pods of the branch match at least one of these. */
  readonly selectors: readonly PodSelector[];
};

type PodSelector = {
  readonly requirements: readonly LabelRequirement[];
  /** Whose pods they are; undefined: anybody's. */
  readonly owner: KubePod['owner'];
};

/** Checks every selector of the settings. Throws a `ServiceError`. */
export const checkSelectors = ({selector, branches}: KubeSiteSettings): void => {
  parseLabelSelector(selector ?? '');
  for (const branch of branches) {
    parseLabelSelector(branch.selector ?? '');
  }
};

const makeSelectors = (
  settings: KubeBranchSettings | undefined,
  workloads: readonly Workload[],
): readonly PodSelector[] =>
  settings?.selector === undefined
    ? workloads.flatMap(({kind, name, selector}) =>
        selector === undefined ? [] : [{requirements: selector, owner: {kind, name}}],
      )
    : [{requirements: parseLabelSelector(settings.selector), owner: undefined}];

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
  const all = [...namespaceWorkloads].toSorted((a, b) => (nameWorkload(a) < nameWorkload(b) ? -1 : 1));
  const siteRequirements = parseLabelSelector(site.selector ?? '');
  const selected = all.filter(({labels}) => matchesLabels(labels, siteRequirements));

  const explicit = new Set(
    site.branches.flatMap(({workload}) =>
      workload ? all.filter(({kind, name}) => kind === workload.kind && name === workload.name) : [],
    ),
  );
  const free = selected.filter(workload => !explicit.has(workload));
  /** By branch name, according to the site's rule. */
  const found = new Map<string, Workload[]>();
  for (const workload of free) {
    // A Deployment and a StatefulSet may have the same name.
    const name =
      branchLabel !== undefined
        ? readLabel(workload.labels, branchLabel)
        : found.has(workload.name)
          ? nameWorkload(workload)
          : workload.name;
    if (name !== undefined) {
      found.set(name, [...(found.get(name) ?? []), workload]);
    }
  }

  const configured = site.branches.map((settings): ClusterBranch => {
    const {id, name, workload} = settings;
    const workloads = workload
      ? all.filter(each => each.kind === workload.kind && each.name === workload.name)
      : (found.get(name) ?? []);
    return {id, name, settings, workloads, selectors: makeSelectors(settings, workloads)};
  });
  const taken = new Set(site.branches.filter(({workload}) => !workload).map(({name}) => name));
  const configuredNames = new Set(site.branches.map(({name}) => name));
  const discovered = [...found]
    .filter(([name]) => !taken.has(name))
    .map(([foundName, workloads]): ClusterBranch => {
      const [first] = workloads;
      const name = configuredNames.has(foundName) && first ? nameWorkload(first) : foundName;
      const selectors = makeSelectors(undefined, workloads);
      return {id: makeBranchId(site.id, name), name, settings: undefined, workloads, selectors};
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [...configured, ...discovered];
};

/** As kubectl writes it: `deployment/shop`. */
export const nameWorkload = ({kind, name}: Pick<Workload, 'kind' | 'name'>): string => `${kind}/${name}`;

const selectsPod = ({selectors}: ClusterBranch, pod: KubePod): boolean =>
  selectors.some(
    ({requirements, owner}) =>
      matchesLabels(pod.labels, requirements) &&
      (owner === undefined ||
        pod.owner === undefined ||
        (owner.kind === pod.owner.kind && owner.name === pod.owner.name)),
  );

/** Returns the branches that a pod belongs to: more than one if selectors overlap. */
export const findBranchesOfPod = (branches: readonly ClusterBranch[], pod: KubePod): readonly ClusterBranch[] =>
  branches.filter(branch => selectsPod(branch, pod));
