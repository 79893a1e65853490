import type {WorkloadWord} from '#base/workload-kinds.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';

/** Events of a branch's objects, as a source of lines beside its containers. */
export type EventsPlace = {
  readonly namespace: string;
  /** As kubectl writes them: `deployment/web`. Events of their pods, and of what else they make, belong to them. */
  readonly workloads: readonly string[];
};

/** Where lines of a branch come from: the `Place` of the Kubernetes source. */
export type KubePlace = ContainerPlace | EventsPlace;

export const isEventsPlace = (place: KubePlace): place is EventsPlace => 'workloads' in place;

/** Which part of a cluster is served as which sites. From the config file, or from the flags of `branchlog kube`. */
export type KubeSettings = {
  readonly sites: readonly KubeSiteSettings[];
};

export type KubeSiteSettings = {
  readonly id: string;
  readonly namespace: string;
  /** Label selector of the workloads, by their labels and those of their pods; undefined: all of the namespace. */
  readonly selector: string | undefined;
  /** Each value of this label is a branch; undefined: each workload is one. */
  readonly branchLabel: string | undefined;
  /** For branches without settings of their own. */
  readonly containers: ContainerChoice;
  /** Events of a branch's objects are lines of its log. */
  readonly hasEvents?: boolean;
  /** Names of environment variables whose literal values may be shown in `deploymentConfig`. */
  readonly shownVariables: readonly string[];
  /** Settings of single branches, and branches that the label does not give. */
  readonly branches: readonly KubeBranchSettings[];
  /** Workloads that somebody asks for by name, beside those of `branches`: a pod among them is a branch of its own. */
  readonly named?: readonly WorkloadWord[];
};

/** Returns the workloads that the settings of a site name. */
export const listNamed = ({named = [], branches}: KubeSiteSettings): readonly WorkloadWord[] => [
  ...named,
  ...branches.flatMap(({workload}) => (workload === undefined ? [] : [workload])),
];

/** With `only`, those and no others. */
export type ContainerChoice = {
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[];
  /** The proxies of a service mesh are read, too, where they are init containers or sidecars. */
  readonly hasMesh?: boolean;
};

export type KubeBranchSettings = {
  readonly id: string;
  readonly name: string;
  /** Undefined: the workload that the site's rule gives for this name. */
  readonly workload: WorkloadWord | undefined;
  /** Label selector of the pods; undefined: that of the workload. */
  readonly selector: string | undefined;
  readonly containers: ContainerChoice | undefined;
  /** The containers whose images are the application's and the web server's. */
  readonly appserver: string | undefined;
  readonly webserver: string | undefined;
  /** Fields of the branch record. They win over what the cluster says. */
  readonly fields: Readonly<Record<string, unknown>>;
};
