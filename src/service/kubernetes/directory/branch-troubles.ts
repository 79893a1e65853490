import type {KubePod} from '../objects/decode-pod.ts';
import type {Workload} from '../objects/decode-workload.ts';
import type {Trouble} from '../objects/pod-troubles.ts';

/** The worst come first; more of them say nothing new. */
const troublesMax = 20;

const ranks: Readonly<Record<Trouble['state'], number>> = {now: 0, starting: 1, past: 2};

/** Quotas and admission keep a workload from making pods: then no pod says why there is none. */
const readWorkloadTrouble = ({rollout}: Workload): readonly Trouble[] => {
  const failure = rollout.conditions.get('ReplicaFailure');
  return failure?.isTrue
    ? [
        {
          state: 'now',
          pod: undefined,
          container: undefined,
          reason: failure.reason ?? 'ReplicaFailure',
          message: failure.message,
          sinceMs: failure.updatedAtMs,
        },
      ]
    : [];
};

/** Returns what is wrong with a branch, the worst first, as its record says it. */
export const listTroubles = (workloads: readonly Workload[], pods: readonly KubePod[]): readonly object[] =>
  [...workloads.flatMap(readWorkloadTrouble), ...pods.flatMap(({troubles}) => troubles)]
    .toSorted((a, b) => ranks[a.state] - ranks[b.state])
    .slice(0, troublesMax)
    .map(({sinceMs, ...trouble}) => ({
      ...trouble,
      since: sinceMs === undefined ? undefined : new Date(sinceMs).toISOString(),
    }));
