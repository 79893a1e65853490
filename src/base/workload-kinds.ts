/**
 * The kinds of workload that make pods in a cluster, by kubectl's singular names. `pod` is one that none of the others
 * made.
 */
export type WorkloadKind = 'deployment' | 'statefulset' | 'daemonset' | 'rollout' | 'cronjob' | 'job' | 'pod';

export type KindNames = {
  readonly kind: WorkloadKind;
  readonly plural: string;
  /** The short name that kubectl knows, if there is one. */
  readonly shortName: string | undefined;
  /** As `kind` of an object, and in sentences. */
  readonly title: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
};

/**
 * All kinds, in the order in which they are listed; of two workloads with one name, the first has the branch that is
 * called so. From the API reference of Kubernetes and, for Rollouts, of Argo Rollouts.
 */
export const workloadKinds: readonly KindNames[] = [
  {kind: 'deployment', plural: 'deployments', shortName: 'deploy', title: 'Deployment', group: 'apps', version: 'v1'},
  {kind: 'statefulset', plural: 'statefulsets', shortName: 'sts', title: 'StatefulSet', group: 'apps', version: 'v1'},
  {kind: 'daemonset', plural: 'daemonsets', shortName: 'ds', title: 'DaemonSet', group: 'apps', version: 'v1'},
  {
    kind: 'rollout',
    plural: 'rollouts',
    shortName: 'ro',
    title: 'Rollout',
    group: 'argoproj.io',
    version: 'v1alpha1',
  },
  {kind: 'cronjob', plural: 'cronjobs', shortName: 'cj', title: 'CronJob', group: 'batch', version: 'v1'},
  {kind: 'job', plural: 'jobs', shortName: undefined, title: 'Job', group: 'batch', version: 'v1'},
  {kind: 'pod', plural: 'pods', shortName: 'po', title: 'Pod', group: '', version: 'v1'},
];

export type WorkloadName = {readonly kind: WorkloadKind; readonly name: string};

/** A workload as people write it: without a kind, whichever has the name. */
export type WorkloadWord = {readonly kind: WorkloadKind | undefined; readonly name: string};

/** A name as Kubernetes requires it of an object (RFC 1123, subdomain). */
const objectName = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * Parses `KIND/NAME` as kubectl takes it (`deployment/web`, `deploy/web`, `deployments.apps/web`), or a name alone.
 * Returns undefined for a kind that is not listed, and for what cannot be a name.
 */
export const parseWorkload = (text: string): WorkloadWord | undefined => {
  const [first = '', second, ...others] = text.split('/');
  const name = second ?? first;
  if (others.length > 0 || !objectName.test(name)) {
    return undefined;
  }
  if (second === undefined) {
    return {kind: undefined, name};
  }
  const [word = '', ...group] = first.toLowerCase().split('.');
  const found = workloadKinds.find(
    ({kind, plural, shortName, group: own}) =>
      [kind, plural, shortName].includes(word) && (group.length === 0 || group.join('.') === own),
  );
  return found && {kind: found.kind, name};
};

/** Checks whether a word means this workload. */
export const meansWorkload = (word: WorkloadWord, {kind, name}: WorkloadName): boolean =>
  word.name === name && (word.kind === undefined || word.kind === kind);

/** Returns `deployment/web`, as kubectl writes it, or a name alone. */
export const formatWorkload = ({kind, name}: WorkloadWord): string => (kind === undefined ? name : `${kind}/${name}`);
