import type {Branch, PodRecord} from '#api/client/answer.ts';
import type {BranchTrouble} from '#api/client/branch-fields.ts';
import type {BranchChange} from '#log/ingest/place-markers.ts';
import type {Change} from '#log/line/entry.ts';
import {type Instant, parseInstant} from '#log/line/instant.ts';

/** Interval between requests for the branches while they, or a log of theirs, are on the screen, milliseconds. */
export const branchesIntervalMs = 30_000;

/** A pod of a watched branch, running or gone. Times are milliseconds by a monotonic clock. */
export type SeenPod = {
  /** As the service last listed it. */
  readonly pod: PodRecord;
  /** The answer that first listed it; undefined if the first answer already did. */
  readonly cameAtMs: number | undefined;
  /** The answer that no longer listed it. */
  readonly wentAtMs: number | undefined;
  /**
   * The image that the branch's record named when the pod came; undefined until a record comes after it, and for pods
   * of the first answer.
   */
  readonly image: string | undefined;
};

/** Each keeps its metadata, some 10 KB. Enough for every restart of a bad night. */
const goneMax = 100;

/** A pod is another one if it was created at another time. */
export const podId = ({name, createdAt}: PodRecord): string => `${createdAt ?? ''} ${name}`;

/** Updates the pods by an answer: the running ones in its order, then those that are gone, latest first. */
export const followSeenPods = (
  before: readonly SeenPod[],
  listed: readonly PodRecord[],
  {nowMs, isFirst}: {readonly nowMs: number; readonly isFirst: boolean},
): readonly SeenPod[] => {
  const known = new Map(before.map(seen => [podId(seen.pod), seen]));
  const running = listed.map((pod): SeenPod => {
    const seen = known.get(podId(pod));
    known.delete(podId(pod));
    if (seen === undefined) {
      return {pod, cameAtMs: isFirst ? undefined : nowMs, wentAtMs: undefined, image: undefined};
    }
    // The same version is the same record: what is known of it stays known.
    const isSame = pod.resourceVersion !== '' && pod.resourceVersion === seen.pod.resourceVersion;
    return isSame && seen.wentAtMs === undefined ? seen : {...seen, pod: isSame ? seen.pod : pod, wentAtMs: undefined};
  });
  const gone = [...known.values()].map(seen => (seen.wentAtMs === undefined ? {...seen, wentAtMs: nowMs} : seen));
  const latestFirst = gone.toSorted((a, b) => (b.wentAtMs ?? nowMs) - (a.wentAtMs ?? nowMs));
  return [...running, ...latestFirst.slice(0, goneMax)];
};

/** Gives pods that came since the last record the image of this one: a pod keeps the image that it was started with. */
export const withImage = (pods: readonly SeenPod[], image: string | undefined): readonly SeenPod[] =>
  pods.some(lacksImage) ? pods.map(seen => (lacksImage(seen) ? {...seen, image} : seen)) : pods;

const lacksImage = ({cameAtMs, wentAtMs, image}: SeenPod): boolean =>
  cameAtMs !== undefined && wentAtMs === undefined && image === undefined;

/** A branch's last known state, to detect changes in the next listing. */
export type BranchSnapshot = {
  /** Undefined as long as it was malformed. */
  readonly status: string | null | undefined;
  /** Keys of the activities already reported or present from the start, newest last. */
  readonly activities: readonly string[];
  /** Keys of the troubles already reported or present from the start, newest last. */
  readonly troubles: readonly string[];
  /** When the newest activity was last updated. */
  readonly activityAt: Instant | undefined;
};

/**
 * Maximum activities remembered. If a service alternates between a few activities with unreadable times, each is
 * reported once.
 */
const activitiesRememberedMax = 20;
/** Ten times as many as a record of a cluster has. */
const troublesRememberedMax = 200;

/**
 * Returns the key of the last activity. A new step of the same activity counts as a change (interface specification,
 * section 2.3). A field that is malformed is no step.
 */
const activityKey = ({lastActivity, malformed}: Branch): string | undefined =>
  lastActivity && !malformed.some(path => activityFields.includes(path))
    ? JSON.stringify([lastActivity._id, lastActivity.status, lastActivity.updatedAt])
    : undefined;

const activityFields = ['_id', 'status', 'updatedAt'].map(field => `lastActivity.${field}`);

const activityAt = ({lastActivity}: Branch): Instant | undefined =>
  lastActivity?.updatedAt === undefined ? undefined : parseInstant(lastActivity.updatedAt);

/**
 * Returns the key of a trouble. A container that crashes goes from one reason to the next, back and forth, all since
 * the same moment: that is one change for each crash.
 */
const troubleKey = ({pod, container, reason, since}: BranchTrouble): string =>
  JSON.stringify([pod, container, since ?? reason]);

/** A pod that is being started is not worth a marker. */
const troublesOf = ({troubles}: Branch): readonly BranchTrouble[] => troubles.filter(({state}) => state !== 'starting');

/** Returns the initial state from a branch's record. */
export const snapshotOf = (branch: Branch): BranchSnapshot => {
  const key = activityKey(branch);
  return {
    status: branch.status,
    activities: key === undefined ? [] : [key],
    troubles: troublesOf(branch).map(troubleKey),
    activityAt: activityAt(branch),
  };
};

type BranchCompared = {readonly snapshot: BranchSnapshot; readonly changes: readonly BranchChange[]};

/**
 * Compares a later record of a branch with what is known. A record whose last activity is older than the known one
 * comes from a lagging replica: it is ignored, so that nothing is reported twice.
 */
export const compareSnapshot = (known: BranchSnapshot, branch: Branch): BranchCompared => {
  const key = activityKey(branch);
  const at = activityAt(branch);
  if (at !== undefined && known.activityAt !== undefined && at < known.activityAt) {
    return {snapshot: known, changes: []};
  }
  const isNewActivity = key !== undefined && !known.activities.includes(key);
  const changes: Change[] = [];
  if (isNewActivity) {
    const {action, status, createdBy} = branch.lastActivity ?? {};
    changes.push({kind: 'activity', action, status, createdBy});
  }
  const {status = known.status} = branch;
  if (status !== undefined && known.status !== undefined && status !== known.status) {
    changes.push({kind: 'status', before: known.status, now: status});
  }
  const newTroubles = troublesOf(branch).filter(trouble => !known.troubles.includes(troubleKey(trouble)));
  return {
    snapshot: {
      status,
      troubles: [...known.troubles, ...newTroubles.map(troubleKey)].slice(-troublesRememberedMax),
      activities: isNewActivity ? [...known.activities, key].slice(-activitiesRememberedMax) : known.activities,
      activityAt: at ?? known.activityAt,
    },
    // A status changes with the activity that changed it; without one, the time of the change is unknown.
    changes: [
      ...changes.map(change => ({change, happenedAt: isNewActivity ? at : undefined})),
      ...newTroubles.map(({pod, container, reason, since}) => ({
        change: {
          kind: 'trouble' as const,
          who: pod === undefined ? '' : `pod ${[pod, container].filter(name => name !== undefined).join('/')}`,
          reason,
        },
        happenedAt: since === undefined ? undefined : parseInstant(since),
      })),
    ],
  };
};
