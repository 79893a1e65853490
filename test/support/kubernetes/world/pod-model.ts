import type {KubeLabels, KubeOwner} from '../kube-object.ts';
import {type ContainerLog, type ContainerLogOptions, createContainerLog} from '../kubelet/container-log.ts';
import type {InstanceTruth, TrueLine} from '../truth/truth.ts';

export type ContainerKind = 'container' | 'init' | 'sidecar' | 'ephemeral';

/** A container as a workload asks for it. */
export type ContainerSpec = {
  readonly name: string;
  readonly image?: string;
  readonly kind?: ContainerKind;
  /** Literal values of `env`. */
  readonly env?: KubeLabels;
  /** Further fields of the container's spec, as received. */
  readonly extra?: Readonly<Record<string, unknown>>;
};

/** One run of a container. */
export type Instance = {
  readonly id: string;
  readonly log: ContainerLog;
  readonly startedNs: bigint;
  finishedNs: bigint | undefined;
  exitCode: number;
  reason: string;
  /** The runtime threw it away, and its log with it. */
  isCollected: boolean;
  readonly truth: InstanceTruth & {readonly lines: TrueLine[]; linesWritten: number};
};

export type PodContainer = {
  readonly spec: ContainerSpec;
  restartCount: number;
  current: Instance | undefined;
  previous: Instance | undefined;
  /** Why no instance runs: `ContainerCreating`, `CrashLoopBackOff`, `ImagePullBackOff`; undefined while one runs or ended. */
  waitingReason: string | undefined;
};

export type Pod = {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: KubeLabels;
  readonly annotations: KubeLabels;
  readonly owner: KubeOwner | undefined;
  readonly createdNs: bigint;
  readonly containers: PodContainer[];
  readonly ip: string;
  node: string | undefined;
  isReady: boolean;
  /** Set by eviction and by an end without a restart. */
  failure: {readonly reason: string; readonly message: string} | undefined;
  isSucceeded: boolean;
  /** Its containers ended with failures, and it does not restart them. */
  hasFailed: boolean;
  deletedNs: bigint | undefined;
  readySinceNs: bigint;
  isGone: boolean;
};

export type InstanceInput = {
  readonly pod: Pod;
  readonly container: string;
  readonly restart: number;
  readonly id: string;
  readonly startedNs: bigint;
  readonly logOptions: ContainerLogOptions;
};

export const createInstance = ({pod, container, restart, id, startedNs, logOptions}: InstanceInput): Instance => ({
  id,
  log: createContainerLog(logOptions),
  startedNs,
  finishedNs: undefined,
  exitCode: 0,
  reason: 'Completed',
  isCollected: false,
  truth: {
    namespace: pod.namespace,
    pod: pod.name,
    podUid: pod.uid,
    container,
    restart,
    key: `${pod.name}.${pod.uid.slice(0, 4)}/${container}/${restart}`,
    lines: [],
    linesWritten: 0,
  },
});

export const kindOf = ({spec}: PodContainer): ContainerKind => spec.kind ?? 'container';

export const isRunning = ({current}: PodContainer): boolean =>
  current !== undefined && current.finishedNs === undefined;
