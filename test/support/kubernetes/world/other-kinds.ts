import {createHash, randomUUID} from 'node:crypto';
import type {KubeLabels, KubeObject, KubeOwner, ResourceName} from '../kube-object.ts';
import type {ObjectStore} from './object-store.ts';
import type {ContainerSpec, Pod} from './pod-model.ts';
import {makeCondition, ownerOf, type Pods} from './pods.ts';
import {phaseOf} from './render-pod.ts';
import {formatSecond, type StampClock} from './stamps.ts';

export type NewObject = {
  readonly namespace: string;
  readonly name: string;
  readonly containers?: readonly ContainerSpec[];
  /** Of the object itself; its pods get them too. */
  readonly labels?: KubeLabels;
  readonly annotations?: KubeLabels;
};

type Made = {readonly namespace: string; readonly name: string; readonly uid: string; pods(): readonly Pod[]};

export type DaemonSet = Made & {
  /** A pod of an old version is replaced; until then fewer are updated. */
  rollOut(): {finish(): void};
};

export type Job = Made & {
  complete(): void;
  /** The pod fails, and another one tries again. */
  retry(): void;
  /** The pod fails, and the Job with it. */
  fail(reason?: string, message?: string): void;
  /** As after its time to live: first the Job goes, then the garbage collector removes its pods. */
  removeJob(): void;
  removePods(): void;
};

export type CronJob = Made & {
  /** Makes a Job, as at a time of its schedule. */
  run(): Job;
};

export type ArgoRollout = Made & {
  setPhase(phase: 'Healthy' | 'Progressing' | 'Paused' | 'Degraded', message?: string): void;
};

/** What is not made of ReplicaSets by Deployments, nor a StatefulSet. */
export type OtherKinds = {
  createDaemonSet(object: NewObject & {readonly nodes?: number}): DaemonSet;
  createJob(object: NewObject): Job;
  createCronJob(object: NewObject & {readonly schedule?: string}): CronJob;
  /** The double must have been started with `hasRollouts`. */
  createRollout(object: NewObject & {readonly replicas?: number}): ArgoRollout;
  /** A pod without a controller, as by `kubectl run`, or with one of a kind that the double does not have. */
  createPod(object: NewObject & {readonly owner?: KubeOwner}): Pod;
};

const idAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

const randomSuffix = (): string =>
  Array.from({length: 5}, () => idAlphabet[Math.floor(Math.random() * idAlphabet.length)]).join('');

/** Creates their controllers. Statuses are as the API reference of 1.32 and the types of Argo Rollouts 1.8 describe. */
export const createOtherKinds = (store: ObjectStore, pods: Pods, clock: StampClock): OtherKinds => {
  const live = (made: readonly Pod[]): readonly Pod[] => made.filter(({isGone}) => !isGone);
  const isRunning = (pod: Pod): boolean => phaseOf(pod) === 'Running' || phaseOf(pod) === 'Pending';
  const isReady = (pod: Pod): boolean => phaseOf(pod) === 'Running' && pod.isReady;

  const metaOf = ({namespace, name, labels, annotations}: NewObject, uid: string, owner?: KubeOwner) => ({
    name,
    namespace,
    uid,
    generation: 1,
    creationTimestamp: formatSecond(clock()),
    ...(labels && {labels}),
    ...(annotations && {annotations}),
    ...(owner && {ownerReferences: [owner]}),
  });

  const templateOf = ({name, labels, containers = [{name: 'main'}]}: NewObject, extra: KubeLabels = {}) => ({
    metadata: {creationTimestamp: null, labels: {app: name, ...labels, ...extra}},
    spec: {
      containers: containers.map(({name: container, image = `registry.example.com/${container}:1.0`}) => ({
        name: container,
        image,
      })),
    },
  });

  const addPod = (object: NewObject, name: string, labels: KubeLabels, owner?: KubeOwner): Pod =>
    pods.create({
      namespace: object.namespace,
      name,
      labels: {...object.labels, ...labels},
      containers: object.containers ?? [{name: 'main'}],
      ...(owner && {owner}),
    });

  const put = (
    resource: ResourceName,
    apiVersion: string,
    kind: string,
    rest: Pick<KubeObject, 'metadata' | 'spec' | 'status'>,
  ): void => {
    store.put(resource, {apiVersion, kind, ...rest});
  };

  const createJob = (object: NewObject, owner?: KubeOwner, onChange: () => void = () => undefined): Job => {
    const {namespace, name} = object;
    const uid = randomUUID();
    const metadata = metaOf(object, uid, owner);
    const made: Pod[] = [];
    let ended: {readonly type: 'Complete' | 'Failed'; readonly reason: string; readonly message: string} | undefined;
    const labels = {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
      'controller-uid': uid,
      'job-name': name,
    };
    const publish = (): void => {
      const of = (phase: string): number => made.filter(pod => phaseOf(pod) === phase).length;
      const active = live(made).filter(isRunning).length;
      put('jobs', 'batch/v1', 'Job', {
        metadata,
        spec: {
          parallelism: 1,
          completions: 1,
          backoffLimit: 6,
          completionMode: 'NonIndexed',
          suspend: false,
          selector: {matchLabels: {'batch.kubernetes.io/controller-uid': uid}},
          template: templateOf(object, labels),
        },
        status: {
          startTime: metadata.creationTimestamp,
          uncountedTerminatedPods: {},
          terminating: 0,
          ready: live(made).filter(isReady).length,
          ...(active > 0 && {active}),
          ...(of('Succeeded') > 0 && {succeeded: of('Succeeded')}),
          ...(of('Failed') > 0 && {failed: of('Failed')}),
          ...(ended?.type === 'Complete' && {completionTime: formatSecond(clock())}),
          ...(ended && {
            conditions: [
              {
                ...ended,
                status: 'True',
                lastProbeTime: formatSecond(clock()),
                lastTransitionTime: formatSecond(clock()),
              },
            ],
          }),
        },
      });
      onChange();
    };
    const start = (): void => {
      made.push(addPod(object, `${name}-${randomSuffix()}`, labels, ownerOf('Job', name, uid, 'batch/v1')));
    };
    const fail = (): void => {
      for (const pod of live(made).filter(isRunning)) {
        pods.fail(pod);
      }
    };
    start();
    publish();
    return {
      namespace,
      name,
      uid,
      pods: () => live(made),
      complete: () => {
        for (const pod of live(made).filter(isRunning)) {
          pods.succeed(pod);
        }
        ended = {type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods'};
        publish();
      },
      retry: () => {
        fail();
        start();
        publish();
      },
      fail: (reason = 'BackoffLimitExceeded', message = 'Job has reached the specified backoff limit') => {
        fail();
        ended = {type: 'Failed', reason, message};
        publish();
      },
      removeJob: () => {
        const stored = store.get('jobs', namespace, name);
        if (stored) {
          store.remove('jobs', stored);
        }
        onChange();
      },
      removePods: () => {
        for (const pod of live(made)) {
          pods.remove(pod);
        }
      },
    };
  };

  return {
    createPod: ({owner, ...object}) => addPod(object, object.name, {run: object.name}, owner),
    createJob: object => createJob(object),
    createDaemonSet: ({nodes = 2, ...object}) => {
      const {namespace, name} = object;
      const uid = randomUUID();
      const metadata = metaOf(object, uid);
      const owner = ownerOf('DaemonSet', name, uid);
      let made: readonly Pod[] = [];
      let updated: readonly Pod[] = [];
      let generation = 1;
      const publish = (): void =>
        put('daemonsets', 'apps/v1', 'DaemonSet', {
          metadata: {...metadata, generation},
          spec: {
            selector: {matchLabels: {app: name}},
            template: templateOf(object),
            updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: 1, maxSurge: 0}},
          },
          // Required fields are sent as zeros, the others are left out.
          status: {
            currentNumberScheduled: live(made).length,
            numberMisscheduled: 0,
            desiredNumberScheduled: nodes,
            numberReady: live(made).filter(isReady).length,
            observedGeneration: generation,
            ...(live(updated).length > 0 && {updatedNumberScheduled: live(updated).length}),
            numberAvailable: live(made).filter(isReady).length,
          },
        });
      const startAll = (count: number): readonly Pod[] =>
        Array.from({length: count}, () => addPod(object, `${name}-${randomSuffix()}`, {app: name}, owner));
      made = startAll(nodes);
      updated = made;
      publish();
      return {
        namespace,
        name,
        uid,
        pods: () => live(made),
        rollOut: () => {
          generation += 1;
          updated = [];
          publish();
          return {
            finish: () => {
              for (const pod of live(made)) {
                pods.remove(pod);
              }
              made = startAll(nodes);
              updated = made;
              publish();
            },
          };
        },
      };
    },
    createCronJob: ({schedule = '*/5 * * * *', ...object}) => {
      const {namespace, name} = object;
      const uid = randomUUID();
      const metadata = metaOf(object, uid);
      const jobs: Job[] = [];
      let runs = 0;
      const isActive = (job: Job): boolean =>
        store.get('jobs', namespace, job.name) !== undefined && job.pods().some(isRunning);
      const publish = (): void =>
        put('cronjobs', 'batch/v1', 'CronJob', {
          metadata,
          spec: {
            schedule,
            concurrencyPolicy: 'Allow',
            suspend: false,
            jobTemplate: {metadata: {creationTimestamp: null}, spec: {template: templateOf(object)}},
            successfulJobsHistoryLimit: 3,
            failedJobsHistoryLimit: 1,
          },
          status: {
            ...(jobs.length > 0 && {lastScheduleTime: formatSecond(clock())}),
            active: jobs
              .filter(isActive)
              .map(job => ({kind: 'Job', namespace, name: job.name, uid: job.uid, apiVersion: 'batch/v1'})),
          },
        });
      publish();
      return {
        namespace,
        name,
        uid,
        pods: () => jobs.flatMap(job => job.pods()),
        run: () => {
          runs += 1;
          // The minute that it was due, since 1970.
          const due = Number(clock() / 60_000_000_000n) + runs;
          const job = createJob(
            {...object, name: `${name}-${due}`},
            ownerOf('CronJob', name, uid, 'batch/v1'),
            () => jobs.length > 0 && publish(),
          );
          jobs.push(job);
          publish();
          return job;
        },
      };
    },
    createRollout: ({replicas = 1, ...object}) => {
      const {namespace, name} = object;
      const uid = randomUUID();
      const metadata = metaOf(object, uid);
      const hash = createHash('sha256').update(uid).digest('hex').slice(0, 10);
      const setUid = randomUUID();
      const setName = `${name}-${hash}`;
      store.put('replicasets', {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: {
          ...metaOf({...object, name: setName, annotations: {'rollout.argoproj.io/revision': '1'}}, setUid),
          labels: {app: name, 'rollouts-pod-template-hash': hash},
          ownerReferences: [ownerOf('Rollout', name, uid, 'argoproj.io/v1alpha1')],
        },
        spec: {replicas, selector: {matchLabels: {app: name, 'rollouts-pod-template-hash': hash}}},
        status: {replicas, readyReplicas: replicas, availableReplicas: replicas, observedGeneration: 1},
      });
      const made = Array.from({length: replicas}, () =>
        addPod(
          object,
          `${setName}-${randomSuffix()}`,
          {app: name, 'rollouts-pod-template-hash': hash},
          ownerOf('ReplicaSet', setName, setUid),
        ),
      );
      const publish = (phase: string, message?: string): void => {
        const available = live(made).filter(isReady).length;
        put('rollouts', 'argoproj.io/v1alpha1', 'Rollout', {
          metadata,
          spec: {replicas, selector: {matchLabels: {app: name}}, template: templateOf(object), strategy: {canary: {}}},
          status: {
            // A text, unlike that of Kubernetes' own kinds.
            observedGeneration: '1',
            phase,
            ...(message !== undefined && {message}),
            HPAReplicas: live(made).length,
            replicas: live(made).length,
            updatedReplicas: live(made).length,
            readyReplicas: available,
            availableReplicas: available,
            currentPodHash: hash,
            stableRS: hash,
            conditions: [
              makeCondition('Available', true, 'AvailableReason', 'Rollout has minimum availability', clock()),
              phase === 'Degraded'
                ? makeCondition('Progressing', false, 'RolloutAborted', message ?? '', clock())
                : makeCondition('Progressing', true, 'NewReplicaSetAvailable', 'ReplicaSet has progressed.', clock()),
            ],
          },
        });
      };
      publish('Healthy');
      return {namespace, name, uid, pods: () => live(made), setPhase: publish};
    },
  };
};
