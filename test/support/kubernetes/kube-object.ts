/** A JSON object of the Kubernetes API, as sent. */
export type KubeObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
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
export type ResourceName = 'namespaces' | 'pods' | 'deployments' | 'replicasets' | 'statefulsets' | 'ingresses';

type Resource = {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly isNamespaced: boolean;
};

/** Groups, kinds and short names as the API reference lists them; all are of version v1. */
export const kubeResources: Readonly<Record<ResourceName, Resource>> = {
  namespaces: {group: '', kind: 'Namespace', shortNames: ['ns'], isNamespaced: false},
  pods: {group: '', kind: 'Pod', shortNames: ['po'], isNamespaced: true},
  deployments: {group: 'apps', kind: 'Deployment', shortNames: ['deploy'], isNamespaced: true},
  replicasets: {group: 'apps', kind: 'ReplicaSet', shortNames: ['rs'], isNamespaced: true},
  statefulsets: {group: 'apps', kind: 'StatefulSet', shortNames: ['sts'], isNamespaced: true},
  ingresses: {group: 'networking.k8s.io', kind: 'Ingress', shortNames: ['ing'], isNamespaced: true},
};

/** `deployments.apps`, as error texts name a resource. */
export const qualifiedName = (resource: string, group: string): string =>
  group === '' ? resource : `${resource}.${group}`;
