import type {WorkloadName} from '#base/workload-kinds.ts';
import type {PodRecord} from '#service/backend/backend.ts';
import type {ContainerKind, ContainerPlace} from '#service/containers/container-logs.ts';
import {listField, numberField, tableField, textField, timeField} from '#service/link/object-fields.ts';
import {type ObjectIdentity, readIdentity, readOwner} from './label-selector.ts';
import {readPodTroubles, type Trouble} from './pod-troubles.ts';

/** The fields of a pod that are needed. The rest, several kilobytes, is kept as text until a record is asked for. */
export type KubePod = ObjectIdentity & {
  readonly phase: string;
  /** It takes requests. */
  readonly isReady: boolean;
  /** The object that made the pod; undefined if one of another kind did, or none. */
  readonly owner: WorkloadName | undefined;
  readonly containers: readonly PodContainer[];
  /** Why it does not work; empty if it does. */
  readonly troubles: readonly Trouble[];
  /** The pod's metadata as received, as JSON. */
  readonly metadataText: string;
};

type ContainerState = Pick<
  ContainerPlace,
  'instanceId' | 'previousId' | 'restartCount' | 'state' | 'finishedAtMs' | 'isFinished'
>;

export type PodContainer = ContainerState & {
  readonly name: string;
  readonly image: string;
  readonly kind: ContainerKind;
};

const readContainer = (
  {name, image}: Pick<PodContainer, 'name' | 'image'>,
  kind: ContainerKind,
  status: unknown,
  hasEnded: boolean,
): PodContainer => {
  const state = tableField(status, 'state');
  const lastEnd = tableField(tableField(status, 'lastState'), 'terminated');
  const end = tableField(state, 'terminated');
  const isRunning = Object.hasOwn(state, 'running');
  return {
    name,
    image,
    kind,
    instanceId: textField(status, 'containerID') ?? textField(end, 'containerID') ?? textField(lastEnd, 'containerID'),
    previousId: textField(lastEnd, 'containerID'),
    restartCount: numberField(status, 'restartCount') ?? 0,
    state: isRunning ? 'running' : hasEnded || Object.hasOwn(state, 'terminated') ? 'terminated' : 'waiting',
    finishedAtMs: isRunning ? undefined : (timeField(end, 'finishedAt') ?? timeField(lastEnd, 'finishedAt')),
    isFinished: hasEnded || (kind === 'init' && numberField(end, 'exitCode') === 0),
  };
};

const readContainers = (pod: unknown, phase: string): readonly PodContainer[] => {
  const [spec, status] = [tableField(pod, 'spec'), tableField(pod, 'status')];
  const hasEnded = phase === 'Succeeded' || phase === 'Failed';
  const readAll = (specKey: string, statusKey: string, kind: ContainerKind): readonly PodContainer[] => {
    const statuses = new Map(listField(status, statusKey).map(each => [textField(each, 'name'), each]));
    return listField(spec, specKey)
      .map(container => ({
        name: textField(container, 'name') ?? '',
        image: textField(container, 'image') ?? '',
        restarts: textField(container, 'restartPolicy') === 'Always',
      }))
      .filter(({name}) => name !== '')
      .map(({restarts, ...container}) =>
        readContainer(
          container,
          kind === 'init' && restarts ? 'sidecar' : kind,
          statuses.get(container.name),
          hasEnded,
        ),
      );
  };
  return [
    ...readAll('containers', 'containerStatuses', 'app'),
    ...readAll('initContainers', 'initContainerStatuses', 'init'),
    ...readAll('ephemeralContainers', 'ephemeralContainerStatuses', 'ephemeral'),
  ];
};

/** Returns undefined for an object that is not a pod. */
export const decodePod = (object: unknown): KubePod | undefined => {
  const identity = readIdentity(object);
  if (!identity) {
    return undefined;
  }
  const metadata = tableField(object, 'metadata');
  const status = tableField(object, 'status');
  const phase = textField(status, 'phase') ?? 'Unknown';
  const ready = listField(status, 'conditions').find(condition => textField(condition, 'type') === 'Ready');
  return {
    ...identity,
    phase,
    isReady: textField(ready, 'status') === 'True',
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
