import type {PodRecord} from '../../backend.ts';
import {flagField, listField, numberField, tableField, textField, textsField, timeField} from './object-fields.ts';
import {type ObjectIdentity, readIdentity} from './object-identity.ts';
import {readPodTroubles, type Trouble} from './pod-troubles.ts';

/** What is needed of a pod. The rest of it, several kilobytes, is kept as text until a record is asked for. */
export type KubePod = ObjectIdentity & {
  readonly phase: string;
  /** The Deployment or StatefulSet that made the pod; undefined if another kind did, or nothing. */
  readonly owner: {readonly kind: 'deployment' | 'statefulset'; readonly name: string} | undefined;
  readonly containers: readonly PodContainer[];
  /** Why it does not work; empty if it does. */
  readonly troubles: readonly Trouble[];
  /** The pod's metadata as received, as JSON. */
  readonly metadataText: string;
};

export type PodContainer = {
  readonly name: string;
  /** Sidecars are init containers that go on running. */
  readonly isOrdinary: boolean;
  readonly instanceId: string | undefined;
  readonly restartCount: number;
  readonly state: 'waiting' | 'running' | 'terminated';
  readonly finishedAtMs: number | undefined;
};

const readOwner = (metadata: unknown): KubePod['owner'] => {
  const owner = listField(metadata, 'ownerReferences').find(each => flagField(each, 'controller'));
  const name = textField(owner, 'name');
  const kind = textField(owner, 'kind');
  if (name === undefined) {
    return undefined;
  }
  if (kind === 'StatefulSet') {
    return {kind: 'statefulset', name};
  }
  // A Deployment's ReplicaSet is named after both: that needs no permission to read ReplicaSets.
  const hash = textsField(metadata, 'labels')['pod-template-hash'];
  return kind === 'ReplicaSet' && hash !== undefined && name.endsWith(`-${hash}`)
    ? {kind: 'deployment', name: name.slice(0, -hash.length - 1)}
    : undefined;
};

const readContainer = (name: string, isOrdinary: boolean, status: unknown, hasEnded: boolean): PodContainer => {
  const state = tableField(status, 'state');
  const lastEnd = tableField(tableField(status, 'lastState'), 'terminated');
  const end = tableField(state, 'terminated');
  const isRunning = Object.hasOwn(state, 'running');
  return {
    name,
    isOrdinary,
    instanceId: textField(status, 'containerID') ?? textField(end, 'containerID') ?? textField(lastEnd, 'containerID'),
    restartCount: numberField(status, 'restartCount') ?? 0,
    state: isRunning ? 'running' : hasEnded || Object.hasOwn(state, 'terminated') ? 'terminated' : 'waiting',
    finishedAtMs: isRunning ? undefined : (timeField(end, 'finishedAt') ?? timeField(lastEnd, 'finishedAt')),
  };
};

const readContainers = (pod: unknown, phase: string): readonly PodContainer[] => {
  const [spec, status] = [tableField(pod, 'spec'), tableField(pod, 'status')];
  const hasEnded = phase === 'Succeeded' || phase === 'Failed';
  const readAll = (specKey: string, statusKey: string, isOrdinary: boolean): readonly PodContainer[] => {
    const statuses = new Map(listField(status, statusKey).map(each => [textField(each, 'name'), each]));
    return listField(spec, specKey)
      .map(container => textField(container, 'name'))
      .filter(name => name !== undefined)
      .map(name => readContainer(name, isOrdinary, statuses.get(name), hasEnded));
  };
  return [
    ...readAll('containers', 'containerStatuses', true),
    ...readAll('initContainers', 'initContainerStatuses', false),
    ...readAll('ephemeralContainers', 'ephemeralContainerStatuses', false),
  ];
};

/** Returns undefined for an object that is not a pod. */
export const decodePod = (object: unknown): KubePod | undefined => {
  const identity = readIdentity(object);
  if (!identity) {
    return undefined;
  }
  const metadata = tableField(object, 'metadata');
  const phase = textField(tableField(object, 'status'), 'phase') ?? 'Unknown';
  return {
    ...identity,
    phase,
    owner: readOwner(metadata),
    containers: readContainers(object, phase),
    troubles: readPodTroubles(object, phase),
    metadataText: JSON.stringify(metadata),
  };
};

/** Returns the pod's record, interface specification section 2.5: its metadata as received, and what it must have. */
export const makeKubePodRecord = ({name, namespace, resourceVersion, metadataText}: KubePod): PodRecord => {
  const metadata = tableField({metadata: JSON.parse(metadataText)}, 'metadata');
  return {
    name,
    resourceVersion,
    metadata: {
      annotations: {},
      labels: {},
      ...metadata,
      // Gone from Kubernetes since 1.20.
      selfLink:
        textField(metadata, 'selfLink') ??
        `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`,
    },
  };
};
