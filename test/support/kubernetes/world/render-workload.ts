import type {KubeLabels, KubeObject} from '../kube-object.ts';
import type {ContainerSpec, Pod} from './pod-model.ts';
import {makeCondition, ownerOf} from './pods.ts';
import {phaseOf} from './render-pod.ts';
import {formatSecond} from './stamps.ts';

export type Revision = {
  readonly number: number;
  readonly name: string;
  readonly uid: string;
  readonly createdNs: bigint;
  readonly containers: readonly ContainerSpec[];
  readonly hash: string;
  readonly pods: Pod[];
};

/** A workload as its controller knows it. */
export type WorkloadState = {
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: KubeLabels;
  /** Of the newest revision first, as long as they have not been removed. */
  pods(): readonly Pod[];
  annotations: KubeLabels;
  readonly createdNs: bigint;
  replicas: number;
  generation: number;
  observedGeneration: number;
  readonly revisions: Revision[];
  progress: {readonly isTrue: boolean; readonly reason: string; readonly message: string; readonly atNs: bigint};
  availableSinceNs: bigint;
  /** The message of a condition ReplicaFailure; undefined without one. */
  replicaFailure: string | undefined;
};

/** Of its pods; each workload's own name is among them, for its selector. */
export const labelsOf = (workload: WorkloadState): KubeLabels => ({app: workload.name, ...workload.labels});

const templateOf = (workload: WorkloadState, revision: Revision): Readonly<Record<string, unknown>> => {
  const ofKind = (isInit: boolean) =>
    revision.containers
      .filter(({kind = 'container'}) => (kind === 'init' || kind === 'sidecar') === isInit && kind !== 'ephemeral')
      .map(({name, image = `registry.example.com/${name}:1.0`, kind, env, extra}) => ({
        name,
        image,
        ...(env === undefined ? {} : {env: Object.entries(env).map(([envName, value]) => ({name: envName, value}))}),
        resources: {},
        ...(kind === 'sidecar' ? {restartPolicy: 'Always'} : {}),
        imagePullPolicy: 'IfNotPresent',
        ...extra,
      }));
  return {
    metadata: {
      creationTimestamp: null,
      labels: {
        ...labelsOf(workload),
        ...(workload.kind === 'Deployment' ? {'pod-template-hash': revision.hash} : {}),
      },
    },
    spec: {
      ...(ofKind(true).length === 0 ? {} : {initContainers: ofKind(true)}),
      containers: ofKind(false),
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
    },
  };
};

const isAvailable = (pod: Pod): boolean => phaseOf(pod) === 'Running' && pod.isReady && pod.deletedNs === undefined;

export const livePods = (revision: Revision): readonly Pod[] => revision.pods.filter(({isGone}) => !isGone);

const metaOf = (workload: WorkloadState): KubeObject['metadata'] => ({
  name: workload.name,
  namespace: workload.namespace,
  uid: workload.uid,
  generation: workload.generation,
  creationTimestamp: formatSecond(workload.createdNs),
  labels: workload.labels,
  annotations: {
    'deployment.kubernetes.io/revision': String(workload.revisions[0]?.number ?? 1),
    ...workload.annotations,
  },
  managedFields: [
    {
      manager: 'kubectl-client-side-apply',
      operation: 'Update',
      apiVersion: 'apps/v1',
      time: formatSecond(workload.createdNs),
      fieldsType: 'FieldsV1',
      fieldsV1: {'f:spec': {'f:replicas': {}, 'f:template': {}}},
    },
  ],
});

/** A Deployment's revision as the API server sends it. */
export const renderReplicaSet = (workload: WorkloadState, revision: Revision): KubeObject => {
  const count = livePods(revision).length;
  const ready = livePods(revision).filter(isAvailable).length;
  const wanted = revision === workload.revisions[0] ? workload.replicas : count;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: revision.name,
      namespace: workload.namespace,
      uid: revision.uid,
      generation: 1,
      creationTimestamp: formatSecond(revision.createdNs),
      labels: {...labelsOf(workload), 'pod-template-hash': revision.hash},
      annotations: {
        'deployment.kubernetes.io/desired-replicas': String(workload.replicas),
        'deployment.kubernetes.io/revision': String(revision.number),
        ...(workload.annotations['kubernetes.io/change-cause'] === undefined
          ? {}
          : {'kubernetes.io/change-cause': workload.annotations['kubernetes.io/change-cause']}),
      },
      ownerReferences: [ownerOf('Deployment', workload.name, workload.uid)],
    },
    spec: {
      replicas: wanted,
      selector: {matchLabels: {app: labelsOf(workload).app, 'pod-template-hash': revision.hash}},
      template: templateOf(workload, revision),
    },
    status: {
      replicas: count,
      ...(count === 0 ? {} : {fullyLabeledReplicas: count}),
      ...(ready === 0 ? {} : {readyReplicas: ready, availableReplicas: ready}),
      observedGeneration: 1,
    },
  };
};

const statusOf = (workload: WorkloadState): Readonly<Record<string, unknown>> => {
  // A failed pod is not counted any more, nor is one that is about to go.
  const isCounted = ({deletedNs, failure}: Pod): boolean => deletedNs === undefined && failure === undefined;
  const all = workload.revisions.flatMap(livePods).filter(isCounted);
  const updated = workload.revisions.slice(0, 1).flatMap(livePods).filter(isCounted).length;
  const available = all.filter(isAvailable).length;
  const counts = {
    replicas: all.length,
    ...(updated === 0 ? {} : {updatedReplicas: updated}),
    ...(available === 0 ? {} : {readyReplicas: available, availableReplicas: available}),
  };
  if (workload.kind === 'StatefulSet') {
    const revision = workload.revisions[0]?.hash ?? '';
    return {
      observedGeneration: workload.observedGeneration,
      ...counts,
      currentReplicas: updated,
      currentRevision: `${workload.name}-${revision}`,
      updateRevision: `${workload.name}-${revision}`,
      collisionCount: 0,
    };
  }
  const missing = workload.replicas - available;
  const hasMinimum = available >= workload.replicas - Math.floor(workload.replicas * 0.25);
  const {progress, replicaFailure: failure} = workload;
  return {
    observedGeneration: workload.observedGeneration,
    ...counts,
    ...(missing > 0 ? {unavailableReplicas: missing} : {}),
    conditions: [
      makeCondition(
        'Available',
        hasMinimum,
        hasMinimum ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
        hasMinimum ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
        workload.availableSinceNs,
      ),
      makeCondition('Progressing', progress.isTrue, progress.reason, progress.message, progress.atNs),
      ...(failure === undefined ? [] : [makeCondition('ReplicaFailure', true, 'FailedCreate', failure, progress.atNs)]),
    ],
  };
};

/** A Deployment or StatefulSet as the API server sends it. */
export const renderWorkload = (workload: WorkloadState): KubeObject => {
  const [newest] = workload.revisions;
  const selector = {matchLabels: {app: labelsOf(workload).app}};
  const template = newest === undefined ? {} : templateOf(workload, newest);
  return {
    apiVersion: 'apps/v1',
    kind: workload.kind,
    metadata: metaOf(workload),
    spec:
      workload.kind === 'Deployment'
        ? {
            replicas: workload.replicas,
            selector,
            template,
            strategy: {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: '25%', maxSurge: '25%'}},
            revisionHistoryLimit: 10,
            progressDeadlineSeconds: 600,
          }
        : {
            replicas: workload.replicas,
            selector,
            template,
            serviceName: workload.name,
            podManagementPolicy: 'OrderedReady',
            updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 0}},
            revisionHistoryLimit: 10,
          },
    status: statusOf(workload),
  };
};
