/** A JSON object of the Kubernetes API, as sent. */
export type KubeObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  /** Events have their fields beside the metadata. */
  readonly [field: string]: unknown;
};

export type KubeMeta = {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: KubeLabels;
  readonly annotations?: KubeLabels;
  readonly ownerReferences?: readonly KubeOwner[];
  readonly managedFields?: readonly unknown[];
  readonly [field: string]: unknown;
};

export type KubeLabels = Readonly<Record<string, string>>;

export type KubeOwner = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: true;
  readonly blockOwnerDeletion: true;
};

/** What the double serves, by its plural name. */
export type ResourceName =
  | 'namespaces'
  | 'pods'
  | 'events'
  | 'deployments'
  | 'replicasets'
  | 'statefulsets'
  | 'daemonsets'
  | 'jobs'
  | 'cronjobs'
  | 'rollouts'
  | 'ingresses';

type Resource = {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly isNamespaced: boolean;
};

/**
 * Groups, kinds and short names as the API reference lists them. Rollouts are a custom resource, of Argo Rollouts
 * (`pkg/apis/rollouts/v1alpha1/types.go`), which a cluster may not have.
 */
export const kubeResources: Readonly<Record<ResourceName, Resource>> = {
  namespaces: {group: '', version: 'v1', kind: 'Namespace', shortNames: ['ns'], isNamespaced: false},
  pods: {group: '', version: 'v1', kind: 'Pod', shortNames: ['po'], isNamespaced: true},
  events: {group: '', version: 'v1', kind: 'Event', shortNames: ['ev'], isNamespaced: true},
  deployments: {group: 'apps', version: 'v1', kind: 'Deployment', shortNames: ['deploy'], isNamespaced: true},
  replicasets: {group: 'apps', version: 'v1', kind: 'ReplicaSet', shortNames: ['rs'], isNamespaced: true},
  statefulsets: {group: 'apps', version: 'v1', kind: 'StatefulSet', shortNames: ['sts'], isNamespaced: true},
  daemonsets: {group: 'apps', version: 'v1', kind: 'DaemonSet', shortNames: ['ds'], isNamespaced: true},
  jobs: {group: 'batch', version: 'v1', kind: 'Job', shortNames: [], isNamespaced: true},
  cronjobs: {group: 'batch', version: 'v1', kind: 'CronJob', shortNames: ['cj'], isNamespaced: true},
  rollouts: {group: 'argoproj.io', version: 'v1alpha1', kind: 'Rollout', shortNames: ['ro'], isNamespaced: true},
  ingresses: {group: 'networking.k8s.io', version: 'v1', kind: 'Ingress', shortNames: ['ing'], isNamespaced: true},
};

/** `deployments.apps`, as error texts name a resource. */
export const qualifiedName = (resource: string, group: string): string =>
  group === '' ? resource : `${resource}.${group}`;
