import {countBetween} from '../statistics/find-runs.ts';
import type {LogEvents, Series} from './read-events.ts';

/** The facts about who writes: the pods listed now, and when something was done with the branch, in seconds. */
export type Fleet = {readonly podNames: readonly string[]; readonly activities: readonly number[]};

/** `web-7d9f8c6b5-x2x9z` of a ReplicaSet, `web-x2x9z` of a DaemonSet or Job, `web-2`, and a container's id. */
const replica =
  /(?:-(?:(?=[a-z]*\d)[a-z\d]{5,10}|[b-df-hj-np-tv-z]{8,10})-[a-z\d]{5}|-(?=[a-f]*\d)[\da-f]{8,64}|-(?=[a-z]*\d)[a-z\d]{5}|[-_.]\d{1,4})$/;

/** Returns what a pod or container is one of: its name without what tells it from the other replicas. */
export const workloadOf = (name: string): string => {
  const [pod = '', ...others] = name.split(' ');
  return [pod.replace(replica, ''), ...others].join(' ');
};

/** A pod and the one that takes its place write so far from each other, in seconds. */
const replacedWithin = 600;

/** Who writes from the first hundredth of the log on was there before. */
const beganAt = ({held}: LogEvents, {seconds}: Series): number | undefined =>
  (seconds[0] ?? 0) >= held.to / 100 ? seconds[0] : undefined;

/**
 * Returns who took the place of a source that wrote no more after a time: another replica, or after something was done
 * with the branch any other, that began to write then; or one that goes on where the pod is no longer wanted.
 */
export const successorOf = (
  events: LogEvents,
  {key}: Pick<Series, 'key'>,
  lastAt: number,
  {podNames, activities}: Fleet,
): string | undefined => {
  const [pod = ''] = key.split(' ');
  const isUnlisted = podNames.length > 0 && !podNames.includes(pod);
  const isNear = (at: number | undefined): boolean => at !== undefined && Math.abs(at - lastAt) <= replacedWithin;
  const isDeployed = activities.some(isNear);
  return events.series.find(other => {
    const isReplica = workloadOf(other.key) === workloadOf(key);
    return (
      other.kind === 'source' &&
      other.key !== key &&
      (isReplica || isDeployed) &&
      (isNear(beganAt(events, other)) ||
        (isReplica && isUnlisted && countBetween(other.seconds, lastAt, events.held.to + 1) > 0))
    );
  })?.key;
};
