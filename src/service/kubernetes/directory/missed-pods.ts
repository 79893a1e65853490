import {meansWorkload} from '../../../base/workload-kinds.ts';
import type {KubePod} from '../objects/decode-pod.ts';
import type {Workload} from '../objects/decode-workload.ts';
import {matchesLabels} from '../objects/label-selector.ts';

/** Pods and the counts of their workload come by watches of their own: they differ for a moment, milliseconds. */
const differMsMax = 10_000;
/** A list that brought nothing new is not repeated at once, but ever more rarely, milliseconds. */
const [pauseMsMin, pauseMsMax] = [60_000, 600_000];

const hasPod = (workload: Workload, {owner, labels}: KubePod): boolean =>
  owner === undefined
    ? workload.selector !== undefined && matchesLabels(labels, workload.selector)
    : meansWorkload(owner, workload);

/** What is counted depends on the kind: see `workload-state.ts`. A CronJob counts no pods, its Jobs do. */
const lacksPods = (workload: Workload, pods: readonly KubePod[]): boolean => {
  const {existing = 0} = workload.state;
  return (
    existing > 0 &&
    pods.filter(pod => pod.phase !== 'Succeeded' && pod.phase !== 'Failed' && hasPod(workload, pod)).length < existing
  );
};

/**
 * Creates what notices pods of a namespace that the cluster counts and the watch has not told of. It is called every
 * few seconds, and returns whether pods should be listed again.
 */
export const createMissedPods = (monotonicMs: () => number) => {
  let sinceMs: number | undefined;
  let nextMs = Number.NEGATIVE_INFINITY;
  let pauseMs = pauseMsMin;
  return (workloads: readonly Workload[], pods: readonly KubePod[]): boolean => {
    const atMs = monotonicMs();
    if (!workloads.some(workload => lacksPods(workload, pods))) {
      sinceMs = undefined;
      pauseMs = pauseMsMin;
      return false;
    }
    sinceMs ??= atMs;
    if (atMs - sinceMs < differMsMax || atMs < nextMs) {
      return false;
    }
    nextMs = atMs + pauseMs;
    pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    return true;
  };
};
