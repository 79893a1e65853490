import type {BranchRecord} from '#service/backend/backend.ts';
import {fillIn, makeBranchRecord} from '#service/served/served-records.ts';
import type {KubeSiteSettings} from '../kube-settings.ts';
import type {Ingress} from '../objects/decode-ingress.ts';
import type {KubePod} from '../objects/decode-pod.ts';
import type {Workload} from '../objects/decode-workload.ts';
import {readLabel} from '../objects/label-selector.ts';
import type {Trouble} from '../objects/pod-troubles.ts';
import {joinRollouts, type Rollout} from '../objects/workload-state.ts';
import type {ClusterBranch} from './cluster-branches.ts';
import {type ClusterFieldsInput, readClusterFields} from './cluster-fields.ts';
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
const listTroubles = (workloads: readonly WorkloadWithJobs[], pods: readonly KubePod[]): readonly object[] =>
  [...workloads.flatMap(readWorkloadTrouble), ...pods.flatMap(pod => readOwnedTroubles(workloads, pod))]
    .toSorted((a, b) => ranks[a.state] - ranks[b.state])
    .slice(0, troublesMax)
    .map(({sinceMs, ...trouble}) => ({
      ...trouble,
      since: sinceMs === undefined ? undefined : new Date(sinceMs).toISOString(),
    }));

/** The first is the interface's (section 3), which names no others. */
const statuses: Readonly<Record<Rollout, string>> = {
  done: 'DEPLOY_APPLICATION_SUCCESS',
  progressing: 'DEPLOY_APPLICATION_PROGRESSING',
  failed: 'DEPLOY_APPLICATION_FAILED',
};

export type ClusterRecord = {readonly record: BranchRecord; readonly isDeployed: boolean};

type ClusterRecordInput = ClusterFieldsInput & {
  readonly pods: readonly KubePod[];
  /** For a branch that the cluster does not know, milliseconds since 1970. */
  readonly startedMs: number;
};

/** Finds the Ingress of a branch: by the site's label, or by a service that has a workload's name. */
export const findIngress = (
  {branchLabel}: KubeSiteSettings,
  branch: ClusterBranch,
  ingresses: readonly Ingress[],
): Ingress | undefined =>
  ingresses.find(
    ({labels, services}) =>
      (branchLabel !== undefined && readLabel(labels, branchLabel) === branch.name) ||
      branch.workloads.some(({name}) => services.has(name)),
  );

const readStatus = ({settings, workloads}: ClusterBranch): string | null => {
  const given = settings?.fields.status;
  if (typeof given === 'string') {
    return given;
  }
  return workloads.length === 0 ? null : statuses[joinRollouts(workloads.map(({state}) => state.rollout))];
};

/**
 * Returns a branch's record: what the settings say, else what the cluster says, else neutral values; and whether the
 * branch counts as deployed. It still does while a newer version is rolled out or has failed, as long as an older one
 * is in use: that is when the log of a branch that serves users is needed most.
 */
export const makeClusterRecord = (options: ClusterRecordInput): ClusterRecord => {
  const {site, branch, pods, startedMs} = options;
  const {id, name, settings, workloads} = branch;
  const known = readClusterFields(options);
  const given = Object.entries(settings?.fields ?? {}).map(([key, value]) => [key, fillIn(value, known[key])]);
  const status = readStatus(branch);
  const troubles = listTroubles(workloads, pods);
  return {
    record: makeBranchRecord(
      site.id,
      {
        id,
        name,
        status,
        fields: {...known, ...(troubles.length > 0 && {troubles}), ...Object.fromEntries(given)},
        pods: [],
      },
      {createdAtMs: startedMs, updatedAtMs: startedMs},
    ),
    isDeployed: status === statuses.done || (workloads.length > 0 && workloads.every(({state}) => state.isInUse)),
  };
};
