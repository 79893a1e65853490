import {randomUUID} from 'node:crypto';
import type {KubeLabels, KubeOwner} from '../kube-object.ts';
import type {ContainerLogOptions, CriRecord, OutputStream} from '../kubelet/container-log.ts';
import {formatNumbered, type InstanceTruth, type TrueLine} from '../truth/truth.ts';
import type {ObjectStore} from './object-store.ts';
import {
  type ContainerSpec,
  createInstance,
  type Instance,
  isRunning,
  kindOf,
  type Pod,
  type PodContainer,
} from './pod-model.ts';
import {renderPod} from './render-pod.ts';
import {formatSecond, type StampClock, type StampZone} from './stamps.ts';

export type PodsOptions = {
  readonly store: ObjectStore;
  readonly clock: StampClock;
  readonly zone: StampZone;
  readonly logOptions: ContainerLogOptions;
  /** Keeps each line's text; a long benchmark counts only. */
  readonly keepsTruth: boolean;
  /** How much later the API server hears of what containers do; the kubelet reads logs by what it knows itself. */
  readonly statusLagMs: number;
};

export type NewPod = {
  readonly namespace: string;
  readonly name: string;
  readonly labels: KubeLabels;
  readonly annotations?: KubeLabels;
  readonly owner?: KubeOwner;
  readonly containers: readonly ContainerSpec[];
  /** `pending` has no node yet, `creating` waits for its containers; `running` runs and is ready. */
  readonly startsAs?: 'pending' | 'creating' | 'running';
  /** Lets the pod be older than the test. */
  readonly createdNs?: bigint;
};

export type LineToWrite = {
  /** Left out: a numbered text. */
  readonly text?: string;
  /** The length that a numbered text is filled up to. */
  readonly bytes?: number;
  readonly stream?: OutputStream;
  /** Added to the clock: two writers stamp stdout and stderr, so the file's order is not that of the stamps. */
  readonly stampOffsetNs?: bigint;
  /** Instead of the clock. */
  readonly stampNs?: bigint;
};

export type Pods = {
  create(pod: NewPod): Pod;
  find(namespace: string, name: string): Pod | undefined;
  all(): readonly Pod[];
  /** From `pending` to `creating`. */
  schedule(pod: Pod): void;
  /** Starts all containers that wait, init containers as already completed. */
  start(pod: Pod): void;
  setReady(pod: Pod, isReady: boolean): void;
  /** Adds an ephemeral container and starts it, as `kubectl debug` does. */
  addEphemeral(pod: Pod, name: string): void;
  /** Writes a line of the running instance. Throws where none runs. */
  write(pod: Pod, container: string, line?: LineToWrite): void;
  /** Adds a record as a runtime wrote it; it is not part of the truth. */
  append(pod: Pod, container: string, record: CriRecord): void;
  /** Ends the instance and starts the next one. At most one ended instance is kept. */
  restart(pod: Pod, container: string, exitCode?: number): void;
  /** Ends the instance; the container then waits as `CrashLoopBackOff`, or stays ended for the reason `terminated`. */
  crash(pod: Pod, container: string, then: 'CrashLoopBackOff' | 'terminated'): void;
  /** Starts the next instance of a container that waits or ended. */
  startAgain(pod: Pod, container: string): void;
  /** Rotates the log of the running or last instance. */
  rotate(pod: Pod, container: string): void;
  /** The runtime forgets the instance and its log, while the pod's status still names it. */
  collect(pod: Pod, container: string): void;
  /** As `kubectl delete`: a MODIFIED with a deletion time. Its containers run on until the pod is removed. */
  terminate(pod: Pod): void;
  /** Its containers end and are removed with their logs, while the pod stays for a moment, as before its removal. */
  finish(pod: Pod): void;
  /** Ends what still runs, in a MODIFIED, and then removes the pod and its logs. */
  remove(pod: Pod): void;
  /** The pod stays as an object, phase Failed, without logs. */
  evict(pod: Pod): void;
  /** Ends with phase Succeeded. */
  succeed(pod: Pod): void;
  /** Its containers end with this code and are not restarted: phase Failed. */
  fail(pod: Pod, exitCode?: number): void;
  truth(): readonly InstanceTruth[];
};

const mostNodes = 3;

/** The pods of the double, as scheduler and kubelets would have them. */
export const createPods = ({store, clock, zone, logOptions, keepsTruth, statusLagMs}: PodsOptions): Pods => {
  const pods = new Map<string, Pod>();
  const truths: InstanceTruth[] = [];
  let podCount = 0;

  const lagging = new Map<Pod, NodeJS.Timeout>();

  const publish = (pod: Pod): void => {
    store.put('pods', renderPod(pod));
  };

  /** As the kubelet reports a status: later, and several changes in one. */
  const report = (pod: Pod): void => {
    if (statusLagMs === 0) {
      publish(pod);
    } else if (!lagging.has(pod)) {
      const timer = setTimeout(() => {
        lagging.delete(pod);
        if (!pod.isGone) {
          publish(pod);
        }
      }, statusLagMs);
      lagging.set(pod, timer);
    }
  };

  const containerOf = (pod: Pod, name: string): PodContainer => {
    const found = pod.containers.find(({spec}) => spec.name === name);
    if (found === undefined) {
      throw new Error(`Pod ${pod.name} has no container ${name}.`);
    }
    return found;
  };

  const startInstance = (pod: Pod, container: PodContainer): void => {
    if (container.current !== undefined) {
      container.restartCount += 1;
      container.previous = container.current;
    }
    const id = `containerd://${randomUUID().replaceAll('-', '')}${randomUUID().replaceAll('-', '')}`;
    container.current = createInstance({
      pod,
      container: container.spec.name,
      restart: container.restartCount,
      id,
      startedNs: clock(),
      logOptions,
    });
    container.waitingReason = undefined;
    truths.push(container.current.truth);
  };

  const endInstance = (container: PodContainer, exitCode: number): void => {
    const instance = container.current;
    if (instance === undefined || instance.finishedNs !== undefined) {
      return;
    }
    instance.finishedNs = clock();
    instance.exitCode = exitCode;
    instance.reason = exitCode === 0 ? 'Completed' : 'Error';
    instance.log.end();
    // With two dead instances the kubelet keeps the newer one alone, at once.
    if (container.previous !== undefined) {
      container.previous.isCollected = true;
    }
  };

  const writeTo = (
    instance: Instance,
    {text, bytes, stream = 'stdout', stampOffsetNs = 0n, stampNs}: LineToWrite,
  ): void => {
    const {truth} = instance;
    truth.linesWritten += 1;
    const line: TrueLine = {
      number: truth.linesWritten,
      stampNs: stampNs ?? clock() + stampOffsetNs,
      stream,
      text: text ?? formatNumbered(truth.key, truth.linesWritten, bytes),
    };
    if (keepsTruth) {
      truth.lines.push(line);
    }
    instance.log.write({...line, zone});
  };

  const end = (pod: Pod, exitCode = 0): void => {
    for (const container of pod.containers) {
      endInstance(container, exitCode);
    }
    pod.isReady = false;
    pod.readySinceNs = clock();
  };

  const collectAll = (pod: Pod): void => {
    for (const instance of pod.containers.flatMap(({current, previous}) => [current, previous])) {
      if (instance !== undefined) {
        instance.isCollected = true;
      }
    }
  };

  const start = (pod: Pod): void => {
    pod.node ??= `node-${(podCount % mostNodes) + 1}`;
    for (const container of pod.containers.filter(({current}) => current === undefined)) {
      startInstance(pod, container);
      if (kindOf(container) === 'init') {
        endInstance(container, 0);
      }
    }
    pod.isReady = true;
    pod.readySinceNs = clock();
  };

  return {
    create: ({
      namespace,
      name,
      labels,
      annotations = {},
      owner,
      containers,
      startsAs = 'running',
      createdNs = clock(),
    }) => {
      podCount += 1;
      const pod: Pod = {
        namespace,
        name,
        uid: randomUUID(),
        labels,
        annotations,
        owner,
        createdNs,
        containers: containers.map(spec => ({
          spec,
          restartCount: 0,
          current: undefined,
          previous: undefined,
          waitingReason: undefined,
        })),
        ip: `10.244.${Math.floor(podCount / 250) % 250}.${(podCount % 250) + 2}`,
        node: startsAs === 'pending' ? undefined : `node-${(podCount % mostNodes) + 1}`,
        isReady: false,
        failure: undefined,
        isSucceeded: false,
        hasFailed: false,
        deletedNs: undefined,
        readySinceNs: createdNs,
        isGone: false,
      };
      pods.set(`${namespace}/${name}`, pod);
      if (startsAs === 'running') {
        start(pod);
      }
      publish(pod);
      return pod;
    },
    find: (namespace, name) => pods.get(`${namespace}/${name}`),
    all: () => [...pods.values()],
    schedule: pod => {
      pod.node = `node-${(podCount % mostNodes) + 1}`;
      publish(pod);
    },
    start: pod => {
      start(pod);
      report(pod);
    },
    setReady: (pod, isReady) => {
      pod.isReady = isReady;
      pod.readySinceNs = clock();
      report(pod);
    },
    addEphemeral: (pod, name) => {
      const container: PodContainer = {
        spec: {name, kind: 'ephemeral'},
        restartCount: 0,
        current: undefined,
        previous: undefined,
        waitingReason: undefined,
      };
      pod.containers.push(container);
      startInstance(pod, container);
      publish(pod);
    },
    write: (pod, name, line = {}) => {
      const container = containerOf(pod, name);
      if (container.current === undefined || !isRunning(container)) {
        throw new Error(`Container ${name} of pod ${pod.name} does not run, so it writes nothing.`);
      }
      writeTo(container.current, line);
    },
    append: (pod, name, record) => {
      containerOf(pod, name).current?.log.append(record);
    },
    restart: (pod, name, exitCode = 1) => {
      const container = containerOf(pod, name);
      endInstance(container, exitCode);
      startInstance(pod, container);
      report(pod);
    },
    crash: (pod, name, then) => {
      const container = containerOf(pod, name);
      endInstance(container, 1);
      report(pod);
      if (then === 'CrashLoopBackOff') {
        container.waitingReason = then;
        // The status speaks of the dead instance as the last one from here on.
        container.previous = container.current;
        report(pod);
      }
    },
    startAgain: (pod, name) => {
      startInstance(pod, containerOf(pod, name));
      report(pod);
    },
    rotate: (pod, name) => {
      containerOf(pod, name).current?.log.rotate();
    },
    collect: (pod, name) => {
      const {current} = containerOf(pod, name);
      if (current !== undefined) {
        current.isCollected = true;
      }
    },
    terminate: pod => {
      pod.deletedNs = clock();
      publish(pod);
    },
    remove: pod => {
      pod.deletedNs ??= clock();
      collectAll(pod);
      end(pod);
      publish(pod);
      pod.isGone = true;
      clearTimeout(lagging.get(pod));
      lagging.delete(pod);
      // A StatefulSet's next pod may already have the name.
      if (pods.get(`${pod.namespace}/${pod.name}`) === pod) {
        pods.delete(`${pod.namespace}/${pod.name}`);
        store.remove('pods', renderPod(pod));
      }
    },
    finish: pod => {
      collectAll(pod);
      end(pod);
      publish(pod);
    },
    evict: pod => {
      collectAll(pod);
      end(pod);
      pod.failure = {
        reason: 'Evicted',
        message: 'The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 9Gi. ',
      };
      report(pod);
    },
    succeed: pod => {
      end(pod);
      pod.isSucceeded = true;
      report(pod);
    },
    fail: (pod, exitCode = 1) => {
      end(pod, exitCode);
      pod.hasFailed = true;
      report(pod);
    },
    truth: () => truths,
  };
};

/** Owner fields that name a workload, of the apps group if nothing else is said. */
export const ownerOf = (kind: string, name: string, uid: string, apiVersion = 'apps/v1'): KubeOwner => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** A condition of a workload. */
export const makeCondition = (
  type: string,
  isTrue: boolean,
  reason: string,
  message: string,
  stampNs: bigint,
): Readonly<Record<string, string>> => ({
  type,
  status: isTrue ? 'True' : 'False',
  lastUpdateTime: formatSecond(stampNs),
  lastTransitionTime: formatSecond(stampNs),
  reason,
  message,
});
