/** Which part of a cluster is served as which sites. From the config file, or from the flags of `branchlog kube`. */
export type KubeSettings = {
  readonly sites: readonly KubeSiteSettings[];
};

export type KubeSiteSettings = {
  readonly id: string;
  readonly namespace: string;
  /** Label selector of the workloads; undefined: all of the namespace. */
  readonly selector: string | undefined;
  /** Each value of this label is a branch; undefined: each workload is one. */
  readonly branchLabel: string | undefined;
  /** For branches without settings of their own. */
  readonly containers: ContainerChoice;
  /** Names of environment variables whose literal values may be shown in `deploymentConfig`. */
  readonly shownVariables: readonly string[];
  /** Settings of single branches, and branches that the label does not give. */
  readonly branches: readonly KubeBranchSettings[];
};

/** With `only`, those and no others. Init and ephemeral containers are read only where `only` names them. */
export type ContainerChoice = {
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[];
};

export type KubeBranchSettings = {
  readonly id: string;
  readonly name: string;
  /** Undefined: the workload that the site's rule gives for this name. */
  readonly workload: {readonly kind: 'deployment' | 'statefulset'; readonly name: string} | undefined;
  /** Label selector of the pods; undefined: that of the workload. */
  readonly selector: string | undefined;
  readonly containers: ContainerChoice | undefined;
  /** The containers whose images are the application's and the web server's. */
  readonly appserver: string | undefined;
  readonly webserver: string | undefined;
  /** Fields of the branch record. They win over what the cluster says. */
  readonly fields: Readonly<Record<string, unknown>>;
};
