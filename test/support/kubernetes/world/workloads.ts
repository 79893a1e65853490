import {createHash, randomUUID} from 'node:crypto';
import type {KubeLabels, KubeOwner, ResourceName} from '../kube-object.ts';
import type {ObjectStore} from './object-store.ts';
import type {ContainerSpec, Pod} from './pod-model.ts';
import {type NewPod, ownerOf, type Pods} from './pods.ts';
import {
  labelsOf,
  livePods,
  type Revision,
  renderReplicaSet,
  renderWorkload,
  type WorkloadState,
} from './render-workload.ts';
import {formatSecond, type StampClock} from './stamps.ts';

export type NewWorkload = {
  readonly namespace: string;
  readonly name: string;
  readonly replicas?: number;
  readonly containers?: readonly ContainerSpec[];
  /** Of the workload itself; its pods get them too. */
  readonly labels?: KubeLabels;
  readonly annotations?: KubeLabels;
  readonly startsAs?: NewPod['startsAs'];
  readonly createdNs?: bigint;
};

export type Workload = Pick<WorkloadState, 'kind' | 'namespace' | 'name' | 'uid' | 'labels' | 'pods'>;

/** A roll-out in the middle; nothing happens until its functions are called. */
export type RollOut = {
  /** The new revision's pods, which start as `creating`. */
  readonly newPods: readonly Pod[];
  readonly oldPods: readonly Pod[];
  /** Starts the new pods; the old ones are told to end, and run on for a while. */
  startNew(): void;
  /** Removes the old pods and tells in the conditions that all is done. */
  removeOld(): void;
  /** Both, one right after the other. */
  finish(): void;
  /** The progress deadline passes with the old pods still there. */
  exceedDeadline(): void;
};

export type Workloads = {
  createNamespace(name: string): void;
  createDeployment(workload: NewWorkload): Workload;
  createStatefulSet(workload: NewWorkload): Workload;
  /** A new revision, at once and whole: new pods run, old ones go. A StatefulSet's new pods have the old names. */
  rollOut(workload: Workload, changes?: RollOutChanges): void;
  /** A Deployment's new revision, held in the middle. */
  beginRollOut(workload: Workload, changes?: RollOutChanges): RollOut;
  scale(workload: Workload, replicas: number): void;
  /** Makes a pod in place of one that failed and stays as an object, as after an eviction. */
  replace(workload: Workload, failed: Pod): void;
  /** Removes the workload, its revisions and its pods. */
  remove(workload: Workload): void;
  /** Sets or replaces a condition of the workload, such as ReplicaFailure. */
  setReplicaFailure(workload: Workload, message: string | undefined): void;
  createIngress(ingress: {
    readonly namespace: string;
    readonly name: string;
    readonly host: string;
    readonly service: string;
    readonly address?: string;
  }): void;
  /** Announces the workloads' present state, after pods were changed by hand. */
  settle(): void;
};

export type RollOutChanges = {readonly image?: string; readonly changeCause?: string};

/** `revisionHistoryLimit`, and the newest one. */
const revisionsMax = 11;

const idAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

const randomId = (length: number): string =>
  Array.from({length}, () => idAlphabet[Math.floor(Math.random() * idAlphabet.length)]).join('');

/** Hashes are numbers that `SafeEncodeString` (apimachinery, util/rand) writes with ten of its letters. */
const encodeDigit = (digit: string): string => 'bcdf456789'.charAt(Number.parseInt(digit, 16) % 10);

const revisionOwner = (workload: WorkloadState, revision: Revision): KubeOwner =>
  workload.kind === 'Deployment'
    ? ownerOf('ReplicaSet', revision.name, revision.uid)
    : ownerOf('StatefulSet', workload.name, workload.uid);

/** The controllers: they make ReplicaSets and pods of workloads, and write what the pods' state is into their status. */
export const createWorkloads = (store: ObjectStore, pods: Pods, clock: StampClock): Workloads => {
  const held = new Map<string, WorkloadState>();

  const publish = (workload: WorkloadState): void => {
    if (workload.kind === 'Deployment') {
      for (const revision of workload.revisions) {
        store.put('replicasets', renderReplicaSet(workload, revision));
      }
    }
    store.put(resourceOf(workload), renderWorkload(workload));
  };

  const setProgress = (workload: WorkloadState, reason: string, message: string): void => {
    workload.progress = {isTrue: reason !== 'ProgressDeadlineExceeded', reason, message, atNs: clock()};
  };

  const addRevision = (workload: WorkloadState, containers: readonly ContainerSpec[], createdNs: bigint): Revision => {
    const number = (workload.revisions[0]?.number ?? 0) + 1;
    const hash = createHash('sha256')
      .update(`${workload.uid} ${number}`)
      .digest('hex')
      .slice(0, 9)
      .replace(/./g, encodeDigit);
    const revision: Revision = {
      number,
      name: `${workload.name}-${hash}`,
      uid: randomUUID(),
      createdNs,
      containers,
      hash,
      pods: [],
    };
    workload.revisions.unshift(revision);
    for (const old of workload.revisions.splice(revisionsMax)) {
      const replicaSet = store.get('replicasets', workload.namespace, old.name);
      if (replicaSet !== undefined) {
        store.remove('replicasets', replicaSet);
      }
    }
    return revision;
  };

  const addPod = (
    workload: WorkloadState,
    revision: Revision,
    startsAs: NewPod['startsAs'],
    createdNs?: bigint,
  ): Pod => {
    const isDeployment = workload.kind === 'Deployment';
    const names = new Set(livePods(revision).map(({name}) => name));
    const ordinal = Array.from({length: names.size + 1}, (_, index) => index).find(
      index => !names.has(`${workload.name}-${index}`),
    );
    const name = isDeployment ? `${revision.name}-${randomId(5)}` : `${workload.name}-${ordinal}`;
    const pod = pods.create({
      namespace: workload.namespace,
      name,
      labels: {
        ...labelsOf(workload),
        ...(isDeployment
          ? {'pod-template-hash': revision.hash}
          : {
              'controller-revision-hash': `${workload.name}-${revision.hash}`,
              'statefulset.kubernetes.io/pod-name': name,
            }),
      },
      owner: revisionOwner(workload, revision),
      containers: revision.containers,
      ...(startsAs === undefined ? {} : {startsAs}),
      ...(createdNs === undefined ? {} : {createdNs}),
    });
    revision.pods.push(pod);
    return pod;
  };

  const heldOf = ({uid}: Workload): WorkloadState => {
    const found = held.get(uid);
    if (found === undefined) {
      throw new Error('That workload was removed.');
    }
    return found;
  };

  const nextContainers = (workload: WorkloadState, image: string | undefined): readonly ContainerSpec[] =>
    (workload.revisions[0]?.containers ?? []).map((container, index) =>
      index === 0 && image !== undefined ? {...container, image} : container,
    );

  const create = (kind: WorkloadState['kind'], input: NewWorkload): Workload => {
    const {namespace, name, replicas = 1, containers = [{name: 'php'}], labels = {app: name}, annotations = {}} = input;
    const createdNs = input.createdNs ?? clock();
    if (store.get('namespaces', '', namespace) === undefined) {
      createNamespace(namespace);
    }
    const workload: WorkloadState = {
      kind,
      namespace,
      name,
      uid: randomUUID(),
      labels,
      annotations,
      createdNs,
      replicas,
      generation: 1,
      observedGeneration: 1,
      revisions: [],
      progress: {isTrue: true, reason: 'NewReplicaSetAvailable', message: '', atNs: createdNs},
      availableSinceNs: createdNs,
      replicaFailure: undefined,
      pods: () => workload.revisions.flatMap(livePods),
    };
    held.set(workload.uid, workload);
    const revision = addRevision(workload, containers, createdNs);
    for (let index = 0; index < replicas; index += 1) {
      addPod(workload, revision, input.startsAs, createdNs);
    }
    if ((input.startsAs ?? 'running') === 'running') {
      setProgress(workload, 'NewReplicaSetAvailable', progressed(revision));
    } else {
      setProgress(workload, 'ReplicaSetUpdated', `ReplicaSet "${revision.name}" is progressing.`);
    }
    publish(workload);
    return workload;
  };

  const createNamespace = (name: string): void => {
    store.put('namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        uid: randomUUID(),
        creationTimestamp: formatSecond(clock()),
        labels: {'kubernetes.io/metadata.name': name},
      },
      spec: {finalizers: ['kubernetes']},
      status: {phase: 'Active'},
    });
  };

  const beginRollOut = (workload: Workload, {image, changeCause}: RollOutChanges = {}): RollOut => {
    const mine = heldOf(workload);
    const oldPods = mine.revisions.flatMap(livePods);
    if (changeCause !== undefined) {
      mine.annotations = {...mine.annotations, 'kubernetes.io/change-cause': changeCause};
    }
    // The API server raises the generation; until the controller has seen it, the status is of the generation before.
    mine.generation += 1;
    publish(mine);
    mine.observedGeneration = mine.generation;
    const revision = addRevision(mine, nextContainers(mine, image), clock());
    setProgress(mine, 'NewReplicaSetCreated', `Created new replica set "${revision.name}"`);
    publish(mine);
    const newPods = Array.from({length: mine.replicas}, () => addPod(mine, revision, 'creating'));
    setProgress(mine, 'ReplicaSetUpdated', `ReplicaSet "${revision.name}" is progressing.`);
    publish(mine);
    // An evicted pod stays, and one that took its place is as old.
    const stillOld = (): readonly Pod[] =>
      mine.revisions
        .slice(1)
        .flatMap(livePods)
        .filter(({failure}) => failure === undefined);
    const startNew = (): void => {
      for (const pod of newPods) {
        pods.start(pod);
      }
      publish(mine);
      for (const pod of stillOld()) {
        pods.terminate(pod);
      }
      publish(mine);
    };
    const removeOld = (): void => {
      for (const pod of stillOld()) {
        pods.remove(pod);
      }
      setProgress(mine, 'NewReplicaSetAvailable', progressed(revision));
      publish(mine);
    };
    return {
      newPods,
      oldPods,
      startNew,
      removeOld,
      finish: () => {
        startNew();
        removeOld();
      },
      exceedDeadline: () => {
        setProgress(mine, 'ProgressDeadlineExceeded', `ReplicaSet "${revision.name}" has timed out progressing.`);
        publish(mine);
      },
    };
  };

  /** From the highest ordinal down, each pod gone before its successor of the same name starts. */
  const rollOutStatefulSet = (mine: WorkloadState, {image}: RollOutChanges): void => {
    const oldPods = mine.revisions.flatMap(livePods);
    mine.generation += 1;
    mine.observedGeneration = mine.generation;
    const revision = addRevision(mine, nextContainers(mine, image), clock());
    for (const pod of oldPods) {
      pods.terminate(pod);
      pods.remove(pod);
      addPod(mine, revision, 'running');
      publish(mine);
    }
  };

  return {
    createNamespace,
    createDeployment: input => create('Deployment', input),
    createStatefulSet: input => create('StatefulSet', input),
    beginRollOut,
    rollOut: (workload, changes = {}) => {
      const mine = heldOf(workload);
      if (mine.kind === 'Deployment') {
        beginRollOut(workload, changes).finish();
      } else {
        rollOutStatefulSet(mine, changes);
      }
    },
    scale: (workload, replicas) => {
      const mine = heldOf(workload);
      const [revision] = mine.revisions;
      mine.replicas = replicas;
      mine.generation += 1;
      publish(mine);
      mine.observedGeneration = mine.generation;
      const live = mine.pods();
      for (const pod of live.slice(replicas)) {
        pods.terminate(pod);
        pods.remove(pod);
      }
      for (let count = live.length; revision !== undefined && count < replicas; count += 1) {
        addPod(mine, revision, 'running');
      }
      publish(mine);
    },
    replace: (workload, failed) => {
      const mine = heldOf(workload);
      const revision = mine.revisions.find(({pods: ofRevision}) => ofRevision.includes(failed));
      if (mine.kind === 'StatefulSet') {
        pods.remove(failed);
      }
      if (revision !== undefined) {
        addPod(mine, revision, 'running');
      }
      publish(mine);
    },
    remove: workload => {
      const mine = heldOf(workload);
      held.delete(mine.uid);
      const object = store.get(resourceOf(mine), mine.namespace, mine.name);
      for (const pod of mine.pods()) {
        pods.terminate(pod);
        pods.remove(pod);
      }
      for (const {name} of mine.kind === 'Deployment' ? mine.revisions : []) {
        const replicaSet = store.get('replicasets', mine.namespace, name);
        if (replicaSet !== undefined) {
          store.remove('replicasets', replicaSet);
        }
      }
      if (object !== undefined) {
        store.remove(resourceOf(mine), object);
      }
    },
    setReplicaFailure: (workload, message) => {
      const mine = heldOf(workload);
      mine.replicaFailure = message;
      publish(mine);
    },
    createIngress: ({namespace, name, host, service, address}) => {
      store.put('ingresses', {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: {name, namespace, uid: randomUUID(), generation: 1, creationTimestamp: formatSecond(clock())},
        spec: {
          ingressClassName: 'nginx',
          rules: [
            {
              host,
              http: {
                paths: [{path: '/', pathType: 'Prefix', backend: {service: {name: service, port: {number: 80}}}}],
              },
            },
          ],
        },
        status: {loadBalancer: address === undefined ? {} : {ingress: [{hostname: address}]}},
      });
    },
    settle: () => {
      for (const workload of held.values()) {
        publish(workload);
      }
    },
  };
};

const progressed = ({name}: Revision): string => `ReplicaSet "${name}" has successfully progressed.`;

const resourceOf = ({kind}: WorkloadState): ResourceName => (kind === 'Deployment' ? 'deployments' : 'statefulsets');
