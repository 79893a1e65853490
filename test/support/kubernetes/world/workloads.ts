import {createHash, randomUUID} from 'node:crypto';
import type {KubeLabels, KubeObject, KubeOwner, ResourceName} from '../kube-object.ts';
import type {ObjectStore} from './object-store.ts';
import type {ContainerSpec, Pod} from './pod-model.ts';
import {makeCondition, type NewPod, ownerOf, type Pods} from './pods.ts';
import {phaseOf} from './render-pod.ts';
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

export type Workload = {
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: KubeLabels;
  /** Of the newest revision first, as long as they have not been removed. */
  pods(): readonly Pod[];
};

type Revision = {
  readonly number: number;
  readonly name: string;
  readonly uid: string;
  readonly createdNs: bigint;
  readonly containers: readonly ContainerSpec[];
  readonly hash: string;
  readonly pods: Pod[];
};

type Held = Workload & {
  annotations: KubeLabels;
  readonly createdNs: bigint;
  replicas: number;
  generation: number;
  observedGeneration: number;
  readonly revisions: Revision[];
  progress: {readonly isTrue: boolean; readonly reason: string; readonly message: string; readonly atNs: bigint};
  availableSinceNs: bigint;
  podCount: number;
};

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

const idAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

const randomId = (length: number): string =>
  Array.from({length}, () => idAlphabet[Math.floor(Math.random() * idAlphabet.length)]).join('');

/** The controllers: they make ReplicaSets and pods of workloads, and write what the pods' state is into their status. */
export const createWorkloads = (store: ObjectStore, pods: Pods, clock: StampClock): Workloads => {
  const held = new Map<string, Held>();
  const replicaFailures = new Map<string, string>();

  const labelsOf = (workload: Held): KubeLabels => ({app: workload.name, ...workload.labels});

  const templateOf = (workload: Held, revision: Revision): Readonly<Record<string, unknown>> => {
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

  const livePods = (revision: Revision): readonly Pod[] => revision.pods.filter(({isGone}) => !isGone);

  const metaOf = (workload: Held): KubeObject['metadata'] => ({
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

  const revisionOwner = (workload: Held, revision: Revision): KubeOwner =>
    workload.kind === 'Deployment'
      ? ownerOf('ReplicaSet', revision.name, revision.uid)
      : ownerOf('StatefulSet', workload.name, workload.uid);

  const publishReplicaSet = (workload: Held, revision: Revision): void => {
    const count = livePods(revision).length;
    const ready = livePods(revision).filter(isAvailable).length;
    const wanted = revision === workload.revisions[0] ? workload.replicas : count;
    store.put('replicasets', {
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
        selector: {matchLabels: {app: workload.name, 'pod-template-hash': revision.hash}},
        template: templateOf(workload, revision),
      },
      status: {
        replicas: count,
        ...(count === 0 ? {} : {fullyLabeledReplicas: count}),
        ...(ready === 0 ? {} : {readyReplicas: ready, availableReplicas: ready}),
        observedGeneration: 1,
      },
    });
  };

  const statusOf = (workload: Held): Readonly<Record<string, unknown>> => {
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
    const failure = replicaFailures.get(workload.uid);
    const {progress} = workload;
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
        ...(failure === undefined
          ? []
          : [makeCondition('ReplicaFailure', true, 'FailedCreate', failure, progress.atNs)]),
      ],
    };
  };

  const publish = (workload: Held): void => {
    if (workload.kind === 'Deployment') {
      for (const revision of workload.revisions) {
        publishReplicaSet(workload, revision);
      }
    }
    const [newest] = workload.revisions;
    const selector = {matchLabels: {app: workload.name}};
    const template = newest === undefined ? {} : templateOf(workload, newest);
    store.put(resourceOf(workload), {
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
    });
  };

  const setProgress = (workload: Held, reason: string, message: string): void => {
    workload.progress = {isTrue: reason !== 'ProgressDeadlineExceeded', reason, message, atNs: clock()};
  };

  const addRevision = (workload: Held, containers: readonly ContainerSpec[], createdNs: bigint): Revision => {
    const number = (workload.revisions[0]?.number ?? 0) + 1;
    const hash = createHash('sha256').update(`${workload.uid} ${number}`).digest('hex').slice(0, 9);
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
    return revision;
  };

  const addPod = (workload: Held, revision: Revision, startsAs: NewPod['startsAs'], createdNs?: bigint): Pod => {
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

  const heldOf = ({uid}: Workload): Held => {
    const found = held.get(uid);
    if (found === undefined) {
      throw new Error('That workload was removed.');
    }
    return found;
  };

  const nextContainers = (workload: Held, image: string | undefined): readonly ContainerSpec[] =>
    (workload.revisions[0]?.containers ?? []).map((container, index) =>
      index === 0 && image !== undefined ? {...container, image} : container,
    );

  const create = (kind: Held['kind'], input: NewWorkload): Workload => {
    const {namespace, name, replicas = 1, containers = [{name: 'php'}], labels = {app: name}, annotations = {}} = input;
    const createdNs = input.createdNs ?? clock();
    if (store.get('namespaces', '', namespace) === undefined) {
      createNamespace(namespace);
    }
    const workload: Held = {
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
      podCount: 0,
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
  const rollOutStatefulSet = (mine: Held, {image}: RollOutChanges): void => {
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
      if (message === undefined) {
        replicaFailures.delete(workload.uid);
      } else {
        replicaFailures.set(workload.uid, message);
      }
      publish(heldOf(workload));
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

const resourceOf = ({kind}: Held): ResourceName => (kind === 'Deployment' ? 'deployments' : 'statefulsets');
