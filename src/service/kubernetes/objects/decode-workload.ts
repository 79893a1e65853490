import {formatWorkload, type WorkloadName} from '#base/workload-kinds.ts';
import {flagField, listField, tableField, textField, textsField, timeField} from '#service/link/object-fields.ts';
import {
  type LabelRequirement,
  type Labels,
  type ObjectIdentity,
  readIdentity,
  readOwner,
  readSelectorObject,
} from './label-selector.ts';
import {readWorkloadState, type WatchedKind, type WorkloadState} from './workload-state.ts';

/** The release that an object was installed with, together with others. */
type InstalledRelease = {
  readonly name: string;
  /** The tool; undefined for a label that several tools set. */
  readonly tool: string | undefined;
};

type ReleaseMark = {
  readonly tool: string | undefined;
  readonly place: 'labels' | 'annotations';
  readonly key: string;
};

/**
 * Where tools write the name of a release, the most certain first. From the documents of Argo CD (Resource Tracking:
 * the annotation is `APP:GROUP/KIND:NAMESPACE/NAME`), Flux (labels of its kustomize and helm controllers), Helm 3, and
 * Kubernetes (Recommended Labels).
 */
const marks: readonly ReleaseMark[] = [
  {tool: 'Argo CD', place: 'labels', key: 'argocd.argoproj.io/instance'},
  {tool: 'Argo CD', place: 'annotations', key: 'argocd.argoproj.io/tracking-id'},
  {tool: 'Flux', place: 'labels', key: 'helm.toolkit.fluxcd.io/name'},
  {tool: 'Flux', place: 'labels', key: 'kustomize.toolkit.fluxcd.io/name'},
  {tool: 'Helm', place: 'annotations', key: 'meta.helm.sh/release-name'},
  {tool: undefined, place: 'labels', key: 'app.kubernetes.io/instance'},
];

/** Reads the marks of an object, by key, as if all were labels: those of Helm and Argo CD are annotations. */
export const readReleaseMarks = (metadata: unknown): Labels =>
  Object.fromEntries(
    marks.flatMap(({place, key}) => {
      const name = textField(textsField(metadata, place), key)?.split(':')[0] ?? '';
      return name === '' ? [] : [[key, name]];
    }),
  );

/** Reads from an object's metadata which release it is part of; undefined if it does not say. */
export const readRelease = (metadata: unknown): InstalledRelease | undefined => {
  const found = readReleaseMarks(metadata);
  const mark = marks.find(({key}) => Object.hasOwn(found, key));
  return mark && {name: found[mark.key] ?? '', tool: mark.tool};
};

/** The fields of a ReplicaSet that are needed: one version of a Deployment, or of a Rollout of Argo Rollouts. */
export type ReplicaSet = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly ownerUid: string | undefined;
  /** Grows with each roll-out; a roll-back gives the old version a new number. */
  readonly revision: number;
  readonly createdAtMs: number;
};

/** Returns undefined for an object that is not a ReplicaSet. */
export const decodeReplicaSet = (object: unknown): ReplicaSet | undefined => {
  const metadata = tableField(object, 'metadata');
  const uid = textField(metadata, 'uid');
  const createdAtMs = timeField(metadata, 'creationTimestamp');
  if (uid === undefined || createdAtMs === undefined) {
    return undefined;
  }
  const owner = listField(metadata, 'ownerReferences').find(each => flagField(each, 'controller'));
  const annotations = textsField(metadata, 'annotations');
  const revision = Number(
    annotations['deployment.kubernetes.io/revision'] ?? annotations['rollout.argoproj.io/revision'],
  );
  return {
    uid,
    resourceVersion: textField(metadata, 'resourceVersion') ?? '',
    ownerUid: textField(owner, 'uid'),
    revision: Number.isSafeInteger(revision) ? revision : 0,
    createdAtMs,
  };
};

/** Returns the version in use of each Deployment or Rollout, by its uid. */
export const findNewestVersions = (sets: Iterable<ReplicaSet>): ReadonlyMap<string, ReplicaSet> => {
  const newest = new Map<string, ReplicaSet>();
  for (const set of sets) {
    const known = set.ownerUid === undefined ? set : newest.get(set.ownerUid);
    if (set.ownerUid !== undefined && (known === undefined || set.revision > known.revision)) {
      newest.set(set.ownerUid, set);
    }
  }
  return newest;
};

/** The fields of an Ingress that are needed: under which name the outside reaches which services. */
export type Ingress = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly name: string;
  readonly labels: Labels;
  readonly hosts: readonly string[];
  readonly services: ReadonlySet<string>;
  /** Hostname or address of the load balancer. */
  readonly address: string | undefined;
};

/** Returns undefined for an object that is not an Ingress. */
export const decodeIngress = (object: unknown): Ingress | undefined => {
  const metadata = tableField(object, 'metadata');
  const spec = tableField(object, 'spec');
  const [uid, name] = [textField(metadata, 'uid'), textField(metadata, 'name')];
  if (uid === undefined || name === undefined) {
    return undefined;
  }
  const rules = listField(spec, 'rules');
  const paths = rules.flatMap(rule => listField(tableField(rule, 'http'), 'paths'));
  const backends = [tableField(spec, 'defaultBackend'), ...paths.map(path => tableField(path, 'backend'))];
  const [balancer] = listField(tableField(tableField(object, 'status'), 'loadBalancer'), 'ingress');
  return {
    uid,
    resourceVersion: textField(metadata, 'resourceVersion') ?? '',
    name,
    labels: textsField(metadata, 'labels'),
    // `*.example.com` is a pattern, not a name that can be opened.
    hosts: rules.flatMap(rule => textField(rule, 'host') ?? []).filter(host => !host.startsWith('*')),
    services: new Set(backends.flatMap(backend => textField(tableField(backend, 'service'), 'name') ?? [])),
    address: textField(balancer, 'hostname') ?? textField(balancer, 'ip'),
  };
};

/**
 * The fields of a workload that are needed. Its labels are its own, the annotations by which tools name a release, and
 * the labels that it gives to its pods; of one that several have, the first counts.
 */
export type Workload = ObjectIdentity &
  WorkloadName & {
    /** The CronJob of a Job. */
    readonly owner: WorkloadName | undefined;
    readonly release: InstalledRelease | undefined;
    /** Selects its pods; undefined: they are known by their owner alone. */
    readonly selector: readonly LabelRequirement[] | undefined;
    /** The annotation `kubernetes.io/change-cause`. */
    readonly changeCause: string;
    readonly state: WorkloadState;
    readonly containers: readonly TemplateContainer[];
    /** The annotation `kubectl.kubernetes.io/default-container` of its pods. */
    readonly defaultContainer: string | undefined;
  };

export type TemplateContainer = {
  readonly name: string;
  readonly image: string;
  /** Variables with literal values. Values from elsewhere, such as from a Secret, are never looked up. */
  readonly variables: readonly {readonly name: string; readonly value: string}[];
};

const readContainer = (container: unknown): TemplateContainer => ({
  name: textField(container, 'name') ?? '',
  image: textField(container, 'image') ?? '',
  variables: listField(container, 'env').flatMap(variable => {
    const [name, value] = [textField(variable, 'name'), textField(variable, 'value')];
    return name === undefined || value === undefined ? [] : [{name, value}];
  }),
});

/** Where the template of its pods is; in its specification if nothing else is said. */
const templates: Partial<Record<WatchedKind, (object: unknown) => unknown>> = {
  cronjob: object => tableField(tableField(tableField(tableField(object, 'spec'), 'jobTemplate'), 'spec'), 'template'),
};

/** Creates the decoder of one kind. It returns undefined for an object that is not a workload. */
export const createWorkloadDecoder =
  (kind: WatchedKind) =>
  (object: unknown): Workload | undefined => {
    const identity = readIdentity(object);
    if (!identity) {
      return undefined;
    }
    const metadata = tableField(object, 'metadata');
    const spec = tableField(object, 'spec');
    const template = templates[kind]?.(object) ?? tableField(spec, 'template');
    const podMetadata = tableField(template, 'metadata');
    return {
      ...identity,
      labels: {...textsField(podMetadata, 'labels'), ...readReleaseMarks(metadata), ...identity.labels},
      kind,
      owner: readOwner(metadata),
      release: readRelease(metadata),
      selector: readSelectorObject(tableField(spec, 'selector')),
      changeCause: textsField(metadata, 'annotations')['kubernetes.io/change-cause'] ?? '',
      state: readWorkloadState(kind, object),
      containers: listField(tableField(template, 'spec'), 'containers').map(readContainer),
      defaultContainer: textsField(podMetadata, 'annotations')['kubectl.kubernetes.io/default-container'],
    };
  };

/** A workload, and for a CronJob the Jobs that it has made, the newest first. */
export type WorkloadWithJobs = Workload & {readonly jobs?: readonly Workload[]};

/** The last Job says how the CronJob does; no Job yet: it has done all that it should have. */
const addJobs = (cronJob: Workload, jobs: readonly Workload[]): WorkloadWithJobs => {
  const [newest] = jobs;
  return {...cronJob, jobs, ...(newest && {state: {...newest.state, isInUse: true, existing: undefined}})};
};

/** Times are whole seconds; the names of Jobs end with the minute that they were due. */
const newestFirst = (a: Workload, b: Workload): number => b.createdAtMs - a.createdAtMs || (a.name < b.name ? 1 : -1);

/** Puts the Jobs of each CronJob into it. A Job whose CronJob is not known stays as it is. */
export const groupJobs = (workloads: readonly Workload[]): readonly WorkloadWithJobs[] => {
  const cronJobs = new Set(workloads.filter(({kind}) => kind === 'cronjob').map(formatWorkload));
  const ownerName = ({owner}: Workload): string => (owner === undefined ? '' : formatWorkload(owner));
  const [made, others] = [
    workloads.filter(each => cronJobs.has(ownerName(each))),
    workloads.filter(each => !cronJobs.has(ownerName(each))),
  ];
  const jobsOf = Map.groupBy(made.toSorted(newestFirst), ownerName);
  return others.map(each => {
    const jobs = jobsOf.get(formatWorkload(each));
    return jobs === undefined ? each : addJobs(each, jobs);
  });
};
