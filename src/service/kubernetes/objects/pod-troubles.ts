import {flagField, listField, numberField, tableField, textField, timeField} from '#service/link/object-fields.ts';

/** Why a pod, one of its containers, or a workload does not work, as the cluster says it. */
export type Trouble = {
  /** `now`: it does not work. `starting`: it does not work yet. `past`: it ended badly, and works again. */
  readonly state: 'now' | 'starting' | 'past';
  /** Undefined: a workload that cannot make pods. */
  readonly pod: string | undefined;
  readonly container: string | undefined;
  /** `CrashLoopBackOff ×7, OOMKilled exit 137` */
  readonly reason: string;
  readonly message: string | undefined;
  readonly sinceMs: number | undefined;
};

/** Registries and schedulers write long sentences, and each listing has them. */
const messageCharsMax = 300;

/** Reasons of a container that is being started. */
const startingReasons: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** Returns the message of an object, cut. */
export const readTroubleMessage = (value: unknown): string | undefined =>
  textField(value, 'message')?.trim().slice(0, messageCharsMax);

/** `OOMKilled exit 137`; undefined for an end without a failure. */
const endWords = (end: unknown): string | undefined => {
  const exitCode = numberField(end, 'exitCode');
  return exitCode === undefined || exitCode === 0
    ? undefined
    : `${textField(end, 'reason') ?? 'Error'} exit ${exitCode}`;
};

type ContainerTrouble = Omit<Trouble, 'pod'>;

const readContainerTrouble = (status: unknown, createdAtMs: number | undefined): readonly ContainerTrouble[] => {
  const state = tableField(status, 'state');
  const [waiting, end] = [tableField(state, 'waiting'), tableField(state, 'terminated')];
  const lastEnd = tableField(tableField(status, 'lastState'), 'terminated');
  const restarts = numberField(status, 'restartCount') ?? 0;
  const times = restarts === 0 ? '' : ` ×${restarts}`;
  const container = textField(status, 'name');
  const [ended, endedBefore] = [endWords(end), endWords(lastEnd)];
  const why = textField(waiting, 'reason');
  if (why !== undefined) {
    const isStarting = startingReasons.has(why);
    const reason = [`${why}${times}`, ...(endedBefore === undefined ? [] : [endedBefore])].join(', ');
    // The kubelet's message about a back-off only says how long it waits.
    const message = readTroubleMessage(why === 'CrashLoopBackOff' ? lastEnd : waiting);
    const sinceMs = timeField(lastEnd, 'finishedAt') ?? createdAtMs;
    return [{state: isStarting ? 'starting' : 'now', container, reason, message, sinceMs}];
  }
  if (ended !== undefined) {
    const sinceMs = timeField(end, 'finishedAt');
    return [{state: 'now', container, reason: `${ended}${times}`, message: readTroubleMessage(end), sinceMs}];
  }
  if (endedBefore !== undefined && Object.hasOwn(state, 'running')) {
    const sinceMs = timeField(lastEnd, 'finishedAt');
    const reason = `restarted${times}, ${endedBefore}`;
    return [{state: 'past', container, reason, message: readTroubleMessage(lastEnd), sinceMs}];
  }
  return [];
};

const findCondition = (status: unknown, type: string): unknown =>
  listField(status, 'conditions').find(each => textField(each, 'type') === type);

/** Troubles of the pod itself, whatever its containers do. */
const readOwnTrouble = (status: unknown, phase: string): ContainerTrouble | undefined => {
  const tell = (reason: string, source: unknown, sinceMs: number | undefined): ContainerTrouble => {
    const message = readTroubleMessage(source);
    return {state: 'now', container: undefined, reason, message, sinceMs};
  };
  const disruption = findCondition(status, 'DisruptionTarget');
  const disruptedMs = timeField(disruption, 'lastTransitionTime');
  const failure = textField(status, 'reason');
  if (failure === 'NodeLost' || phase === 'Unknown') {
    return tell('node lost', status, undefined);
  }
  if (phase === 'Failed' && failure !== undefined) {
    return tell(failure, status, disruptedMs ?? timeField(status, 'startTime'));
  }
  if (textField(disruption, 'status') === 'True') {
    return tell(textField(disruption, 'reason') ?? 'disrupted', disruption, disruptedMs);
  }
  const scheduled = findCondition(status, 'PodScheduled');
  if (phase === 'Pending' && textField(scheduled, 'status') === 'False') {
    const reason = ['Pending', textField(scheduled, 'reason')].filter(word => word !== undefined).join(', ');
    return tell(reason, scheduled, timeField(scheduled, 'lastTransitionTime'));
  }
  return undefined;
};

/** A pod whose containers run, but that takes no requests. */
const readUnreadiness = (status: unknown, statuses: readonly unknown[]): readonly ContainerTrouble[] => {
  const ready = findCondition(status, 'Ready');
  if (ready === undefined || textField(ready, 'status') === 'True') {
    return [];
  }
  const sinceMs = timeField(ready, 'lastTransitionTime');
  const startedMs = statuses.map(each => timeField(tableField(tableField(each, 'state'), 'running'), 'startedAt'));
  // The condition is false from the start, so a later change means that the pod was ready before.
  const wasReady = sinceMs !== undefined && startedMs.every(ms => ms !== undefined && ms < sinceMs);
  const unready = statuses.find(each => !flagField(each, 'ready'));
  return [
    {
      state: wasReady ? 'now' : 'starting',
      container: textField(unready, 'name'),
      reason: wasReady ? 'no longer ready' : 'not ready yet',
      message: undefined,
      sinceMs,
    },
  ];
};

/** Returns what is wrong with a pod, container by container. Nothing for one that ended as it should or is leaving. */
export const readPodTroubles = (pod: unknown, phase: string): readonly Trouble[] => {
  const [metadata, status] = [tableField(pod, 'metadata'), tableField(pod, 'status')];
  const ofPod = (troubles: readonly ContainerTrouble[]): readonly Trouble[] =>
    troubles.map(trouble => ({...trouble, pod: textField(metadata, 'name')}));
  const own = readOwnTrouble(status, phase);
  if (own) {
    return ofPod([own]);
  }
  if (phase === 'Succeeded' || textField(metadata, 'deletionTimestamp') !== undefined) {
    return [];
  }
  const createdAtMs = timeField(metadata, 'creationTimestamp');
  const statuses = listField(status, 'containerStatuses');
  const troubles = [...listField(status, 'initContainerStatuses'), ...statuses].flatMap(each =>
    readContainerTrouble(each, createdAtMs),
  );
  // Containers wait for the init containers, so theirs is the reason.
  const isFound = troubles.some(({state}) => state === 'now');
  const [starting] = troubles.filter(({state}) => state === 'starting');
  const past = troubles.filter(({state}) => state === 'past');
  if (isFound) {
    return ofPod(troubles.filter(({state}) => state === 'now'));
  }
  return ofPod(starting ? [starting] : phase === 'Running' ? [...readUnreadiness(status, statuses), ...past] : past);
};
