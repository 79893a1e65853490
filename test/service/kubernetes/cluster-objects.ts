/** Objects as the API sends them, with only what a test gives and what every object has. */

type Fields = Readonly<Record<string, unknown>>;

let versionNumber = 100;
const nextVersion = (): string => {
  versionNumber += 1;
  return String(versionNumber);
};

export const conditions = (...each: readonly (readonly [type: string, status: string, reason: string])[]) =>
  each.map(([type, status, reason]) => ({type, status, reason, lastUpdateTime: '2026-11-22T10:05:00Z'}));

/** The status of a Deployment with all pods of its newest version available. */
export const doneStatus = (replicas: number) => ({
  observedGeneration: 1,
  // Kubernetes leaves zeros out.
  ...(replicas > 0 && {replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas}),
  conditions: conditions(
    ['Available', 'True', 'MinimumReplicasAvailable'],
    ['Progressing', 'True', 'NewReplicaSetAvailable'],
  ),
});

export const makeDeployment = (
  name: string,
  {
    replicas = 1,
    status = doneStatus(replicas),
    labels = {},
    annotations,
    containers = [],
    generation = 1,
    selector,
  }: {
    readonly replicas?: number;
    readonly status?: Fields;
    readonly labels?: Fields;
    readonly annotations?: Fields;
    readonly containers?: readonly Fields[];
    readonly generation?: number;
    readonly selector?: Fields;
  } = {},
) => ({
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-deployment-${name}`,
    resourceVersion: nextVersion(),
    generation,
    creationTimestamp: '2026-11-20T08:00:00Z',
    labels,
    ...(annotations && {annotations}),
  },
  spec: {
    replicas,
    selector: selector ?? {matchLabels: {app: name}},
    template: {metadata: {labels: {app: name}}, spec: {containers}},
  },
  status,
});

export const makeStatefulSet = (name: string, {replicas = 1, status}: {replicas?: number; status?: Fields} = {}) => ({
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-statefulset-${name}`,
    resourceVersion: nextVersion(),
    generation: 1,
    creationTimestamp: '2026-11-20T08:00:00Z',
  },
  spec: {
    replicas,
    selector: {matchLabels: {app: name}},
    updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 0}},
    template: {spec: {containers: [{name: 'main', image: `${name}:1`}]}},
  },
  status: status ?? {
    observedGeneration: 1,
    replicas,
    readyReplicas: replicas,
    updatedReplicas: replicas,
    currentRevision: `${name}-1`,
    updateRevision: `${name}-1`,
  },
});

export const makeReplicaSet = (deployment: string, revision: number, createdAt: string) => ({
  metadata: {
    name: `${deployment}-r${revision}`,
    namespace: 'shop',
    uid: `uid-replicaset-${deployment}-${createdAt}`,
    resourceVersion: nextVersion(),
    creationTimestamp: createdAt,
    annotations: {'deployment.kubernetes.io/revision': String(revision)},
    ownerReferences: [{kind: 'Deployment', name: deployment, uid: `uid-deployment-${deployment}`, controller: true}],
  },
});

export const runningContainer = (name: string, restartCount = 0) => ({
  name,
  restartCount,
  containerID: `containerd://${name}-${restartCount}`,
  state: {running: {startedAt: '2026-11-22T10:00:00Z'}},
});

/** A pod of a Deployment, or of anything with `metadata`. */
export const makePod = (
  name: string,
  {
    app = 'shop-master',
    uid = `uid-pod-${name}`,
    phase = 'Running',
    containers = ['php'],
    statuses = containers.map(each => runningContainer(each)),
    metadata = {},
    spec = {},
    status = {},
  }: {
    readonly app?: string;
    readonly uid?: string;
    readonly phase?: string;
    readonly containers?: readonly string[];
    readonly statuses?: readonly Fields[];
    readonly metadata?: Fields;
    readonly spec?: Fields;
    readonly status?: Fields;
  } = {},
) => ({
  metadata: {
    name,
    namespace: 'shop',
    uid,
    resourceVersion: nextVersion(),
    creationTimestamp: '2026-11-22T10:00:00Z',
    labels: {app},
    ...metadata,
  },
  spec: {containers: containers.map(each => ({name: each})), ...spec},
  status: {phase, containerStatuses: statuses, ...status},
});
