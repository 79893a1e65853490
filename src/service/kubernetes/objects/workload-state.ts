import type {WorkloadKind} from '#base/workload-kinds.ts';
import {listField, numberField, tableField, textField, timeField} from '#service/link/object-fields.ts';
import {readTroubleMessage} from './pod-troubles.ts';

/** `done`: the newest version is rolled out, or what was to be done is done. */
export type Rollout = 'done' | 'progressing' | 'failed';

/** The status of a workload. */
export type WorkloadState = {
  readonly rollout: Rollout;
  /** Some version of it can be used, whatever the roll-out of the newest does. */
  readonly isInUse: boolean;
  /** How many pods there should be. */
  readonly wanted: number;
  /** How many pods that have not ended its controller counts at least; undefined: it counts none. */
  readonly existing: number | undefined;
  readonly conditions: ReadonlyMap<string, WorkloadCondition>;
  /** Why it does not work, if its own status says so and not only its pods. */
  readonly failure: WorkloadCondition | undefined;
  /** Names the newest version of a StatefulSet. */
  readonly revision: string | undefined;
};

/** A kind with objects of its own, beside the pods. */
export type WatchedKind = Exclude<WorkloadKind, 'pod'>;

export type WorkloadCondition = {
  readonly isTrue: boolean;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly updatedAtMs: number | undefined;
};

/** The parts of an object that a state is read from. */
type Read = {
  readonly spec: unknown;
  readonly status: unknown;
  readonly conditions: WorkloadState['conditions'];
  /** The controller has not yet seen the newest specification. */
  readonly isUnseen: boolean;
  readonly count: (key: string) => number;
};

type KindState = Omit<WorkloadState, 'conditions' | 'failure' | 'revision'> &
  Partial<Pick<WorkloadState, 'failure' | 'revision'>>;

const readConditions = (status: unknown): WorkloadState['conditions'] =>
  new Map(
    listField(status, 'conditions').map(condition => [
      textField(condition, 'type') ?? '',
      {
        isTrue: textField(condition, 'status') === 'True',
        reason: textField(condition, 'reason'),
        message: readTroubleMessage(condition),
        updatedAtMs: timeField(condition, 'lastUpdateTime') ?? timeField(condition, 'lastTransitionTime'),
      },
    ]),
  );

/** The status that Deployments and StatefulSets share: replicas, some of the newest version. */
const readReplicas = ({spec, count, isUnseen}: Read, available: number, wantedUpdated: number) => {
  const wanted = numberField(spec, 'replicas') ?? 1;
  const existing = count('replicas');
  const isDone =
    !isUnseen &&
    existing === wanted &&
    available === wanted &&
    count('updatedReplicas') >= Math.min(wantedUpdated, wanted);
  return {wanted, existing, isDone};
};

const readDeployment = (read: Read): KindState => {
  const {conditions, count, isUnseen} = read;
  const {isDone, ...counts} = readReplicas(read, count('availableReplicas'), Number.POSITIVE_INFINITY);
  const progressing = conditions.get('Progressing')?.reason;
  const failure = conditions.get('ReplicaFailure');
  const hasFailed = !isUnseen && (progressing === 'ProgressDeadlineExceeded' || failure?.isTrue === true);
  return {
    ...counts,
    rollout: isDone ? 'done' : hasFailed ? 'failed' : 'progressing',
    // The last roll-out came to its end, or enough pods serve while another is under way or has failed.
    isInUse: isDone || conditions.get('Available')?.isTrue === true || progressing === 'NewReplicaSetAvailable',
    failure: failure?.isTrue ? failure : undefined,
  };
};

/** StatefulSets have no conditions. */
const readStatefulSet = (read: Read): KindState => {
  const {spec, status, count} = read;
  const strategy = tableField(spec, 'updateStrategy');
  const partition = numberField(tableField(strategy, 'rollingUpdate'), 'partition') ?? 0;
  const wanted = numberField(spec, 'replicas') ?? 1;
  // Available pods are counted since 1.22 only.
  const available = numberField(status, 'availableReplicas') ?? count('readyReplicas');
  const {isDone, existing} = readReplicas(read, available, isByHand(strategy) ? 0 : Math.max(0, wanted - partition));
  return {
    wanted,
    existing,
    rollout: isDone ? 'done' : 'progressing',
    isInUse: isDone || available > 0,
    revision: textField(status, 'updateRevision'),
  };
};

/** With OnDelete, pods take the newest version when somebody deletes them: nothing is under way. */
const isByHand = (strategy: unknown): boolean => textField(strategy, 'type') === 'OnDelete';

const readDaemonSet = ({spec, count, isUnseen}: Read): KindState => {
  const wanted = count('desiredNumberScheduled');
  const available = count('numberAvailable');
  const isUpdated = isByHand(tableField(spec, 'updateStrategy')) || count('updatedNumberScheduled') >= wanted;
  const isDone = !isUnseen && isUpdated && available >= wanted;
  return {
    wanted,
    existing: count('currentNumberScheduled'),
    rollout: isDone ? 'done' : 'progressing',
    isInUse: isDone || available > 0,
  };
};

const readJob = ({spec, count, conditions}: Read): KindState => {
  const [complete, failed] = [conditions.get('Complete'), conditions.get('Failed')];
  const rollout = complete?.isTrue ? 'done' : failed?.isTrue ? 'failed' : 'progressing';
  return {
    wanted: numberField(spec, 'parallelism') ?? 1,
    existing: count('active'),
    rollout,
    isInUse: rollout === 'done' || count('active') > 0,
    failure: failed?.isTrue ? failed : undefined,
  };
};

/** The part of its newest Job is added by `groupJobs`. */
const readCronJob = ({status}: Read): KindState => ({
  wanted: 0,
  existing: undefined,
  rollout: listField(status, 'active').length > 0 ? 'progressing' : 'done',
  isInUse: true,
});

const argoPhases: Readonly<Record<string, Rollout>> = {Healthy: 'done', Degraded: 'failed'};

/** Argo Rollouts: `status.phase` sums up its conditions. */
const readArgoRollout = ({spec, status, count, conditions, isUnseen}: Read): KindState => {
  const rollout = isUnseen ? 'progressing' : (argoPhases[textField(status, 'phase') ?? ''] ?? 'progressing');
  const progressing = conditions.get('Progressing');
  return {
    wanted: numberField(spec, 'replicas') ?? 1,
    existing: count('replicas'),
    rollout,
    isInUse: rollout === 'done' || count('availableReplicas') > 0,
    failure:
      rollout === 'failed'
        ? {
            isTrue: true,
            reason: progressing?.reason ?? 'Degraded',
            message: readTroubleMessage(status) ?? progressing?.message,
            updatedAtMs: progressing?.updatedAtMs,
          }
        : undefined,
  };
};

const readers: Readonly<Record<WatchedKind, (read: Read) => KindState>> = {
  deployment: readDeployment,
  statefulset: readStatefulSet,
  daemonset: readDaemonSet,
  rollout: readArgoRollout,
  cronjob: readCronJob,
  job: readJob,
};

/** Reads what the status of an object of this kind says. */
export const readWorkloadState = (kind: WatchedKind, object: unknown): WorkloadState => {
  const status = tableField(object, 'status');
  const conditions = readConditions(status);
  const generation = numberField(tableField(object, 'metadata'), 'generation') ?? 0;
  // Argo writes the number as a text, and older versions a hash of the specification.
  const observed = numberField(status, 'observedGeneration') ?? Number(textField(status, 'observedGeneration') ?? 0);
  const count = (key: string): number => numberField(status, key) ?? 0;
  const state = readers[kind]({
    spec: tableField(object, 'spec'),
    status,
    conditions,
    count,
    isUnseen: observed < generation,
  });
  return {failure: undefined, revision: undefined, ...state, conditions};
};

/** Returns the worst of several. */
export const joinRollouts = (rollouts: readonly Rollout[]): Rollout =>
  (['failed', 'progressing'] as const).find(each => rollouts.includes(each)) ?? 'done';
