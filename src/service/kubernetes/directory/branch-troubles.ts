import type {KubePod} from '../objects/decode-pod.ts';
import type {Workload} from '../objects/decode-workload.ts';
import type {Trouble} from '../objects/pod-troubles.ts';
import type {WorkloadWithJobs} from './group-jobs.ts';

/** The worst come first; more of them say nothing new. */
const troublesMax = 20;

const ranks: Readonly<Record<Trouble['state'], number>> = {now: 0, starting: 1, past: 2};

/** Such as a quota that keeps a workload from making pods: then no pod says why there is none. */
const readWorkloadTrouble = ({state: {failure}}: Workload): readonly Trouble[] =>
  failure === undefined
    ? []
    : [
        {
          state: 'now',
          pod: undefined,
          container: undefined,
          reason: failure.reason ?? 'failed',
          message: failure.message,
          sinceMs: failure.updatedAtMs,
        },
      ];

/** Jobs try again with another pod, so what failed is the past unless the last Job has failed with it. */
const readOwnedTroubles = (workloads: readonly WorkloadWithJobs[], {owner, phase, troubles}: KubePod) => {
  const isJobs = owner?.kind === 'job' && phase === 'Failed';
  const failed = workloads
    .flatMap(workload => (workload.kind === 'job' ? [workload] : (workload.jobs?.slice(0, 1) ?? [])))
    .filter(({state}) => state.rollout === 'failed');
  return !isJobs || failed.some(({name}) => name === owner.name)
    ? troubles
    : troubles.map(trouble => ({...trouble, state: 'past' as const}));
};

/** Returns what is wrong with a branch, the worst first, as its record says it. */
export const listTroubles = (workloads: readonly WorkloadWithJobs[], pods: readonly KubePod[]): readonly object[] =>
  [...workloads.flatMap(readWorkloadTrouble), ...pods.flatMap(pod => readOwnedTroubles(workloads, pod))]
    .toSorted((a, b) => ranks[a.state] - ranks[b.state])
    .slice(0, troublesMax)
    .map(({sinceMs, ...trouble}) => ({
      ...trouble,
      since: sinceMs === undefined ? undefined : new Date(sinceMs).toISOString(),
    }));
