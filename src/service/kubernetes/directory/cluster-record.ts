import {formatWorkload} from '#base/workload-kinds.ts';
import type {BranchRecord} from '#service/backend/backend.ts';
import {fillIn, makeBranchRecord} from '#service/served/served-records.ts';
import type {KubeBranchSettings, KubeSiteSettings} from '../kube-settings.ts';
import type {KubePod} from '../objects/decode-pod.ts';
import type {Ingress, ReplicaSet, TemplateContainer, Workload, WorkloadWithJobs} from '../objects/decode-workload.ts';
import {readLabel} from '../objects/label-selector.ts';
import type {Trouble} from '../objects/pod-troubles.ts';
import {joinRollouts, type Rollout} from '../objects/workload-state.ts';
import type {ClusterBranch} from './cluster-branches.ts';

type ActivityStatus = 'SUCCESS' | 'PROGRESSING' | 'FAILED';

const activityStatuses: Readonly<Record<Rollout, ActivityStatus>> = {
  done: 'SUCCESS',
  progressing: 'PROGRESSING',
  failed: 'FAILED',
};

const formatMs = (ms: number): string => new Date(ms).toISOString();

/** `registry:5000/shop/php:1.2` → `registry:5000/shop/php` and `1.2`; a digest belongs to the tag. */
export const splitImage = (reference: string): {readonly image: string; readonly tag: string} => {
  const nameStart = reference.lastIndexOf('/') + 1;
  const tagStart = reference.slice(nameStart).search(/[:@]/);
  return tagStart === -1
    ? {image: reference, tag: ''}
    : {image: reference.slice(0, nameStart + tagStart), tag: reference.slice(nameStart + tagStart + 1)};
};

/** Finds the two containers of the interface: as configured, else by the names that the interface itself has. */
const findServers = (workloads: readonly Workload[], settings: KubeBranchSettings | undefined) => {
  const containers = workloads.flatMap(workload => workload.containers);
  const named = (name: string | undefined): TemplateContainer | undefined =>
    name === undefined ? undefined : containers.find(container => container.name === name);
  const webserver = settings?.webserver === undefined ? named('nginx') : named(settings.webserver);
  const appserver =
    settings?.appserver === undefined
      ? (named('php') ?? named(workloads[0]?.defaultContainer) ?? containers.find(container => container !== webserver))
      : named(settings.appserver);
  return {webserver, appserver};
};

/** When a workload last changed its condition, or a CronJob made a Job, milliseconds since 1970. */
const readUpdatedMs = ({createdAtMs, state, jobs = []}: WorkloadWithJobs): number =>
  Math.max(
    createdAtMs,
    ...jobs.map(job => job.createdAtMs),
    ...[...state.conditions.values()].map(({updatedAtMs}) => updatedAtMs ?? 0),
  );

const readActivity = (workload: Workload, version: ReplicaSet | undefined) => {
  const progressing = workload.kind === 'deployment' ? workload.state.conditions.get('Progressing') : undefined;
  const reason = progressing?.reason;
  const status =
    progressing === undefined
      ? activityStatuses[workload.state.rollout]
      : reason === 'NewReplicaSetAvailable'
        ? 'SUCCESS'
        : reason === 'ProgressDeadlineExceeded'
          ? 'FAILED'
          : 'PROGRESSING';
  return {
    _id: version?.uid ?? workload.state.revision ?? '',
    action: workload.changeCause,
    status,
    createdAt: formatMs(version?.createdAtMs ?? workload.createdAtMs),
    updatedAt: formatMs(progressing?.updatedAtMs ?? readUpdatedMs(workload)),
  };
};

type ClusterFieldsInput = {
  readonly site: KubeSiteSettings;
  readonly branch: ClusterBranch;
  /** The version in use of each Deployment or Rollout, by its uid. */
  readonly versions: ReadonlyMap<string, ReplicaSet>;
  readonly ingress: Ingress | undefined;
};

/**
 * Returns the fields of a branch record (interface specification, section 2.1) that the cluster knows. Secrets are
 * never read; of the variables, only literal values of those that the settings name are shown.
 */
const readClusterFields = (options: ClusterFieldsInput): Readonly<Record<string, unknown>> => {
  const {site, branch, versions, ingress} = options;
  const {settings, workloads} = branch;
  const [first] = workloads;
  if (!first) {
    return {};
  }
  const {webserver, appserver} = findServers(workloads, settings);
  const [web, app] = [splitImage(webserver?.image ?? ''), splitImage(appserver?.image ?? '')];
  const showVariables = (container: TemplateContainer | undefined) => ({
    env: container?.variables.filter(({name}) => site.shownVariables.includes(name)) ?? [],
  });
  const latest = workloads.reduce((last, each) => (readUpdatedMs(each) > readUpdatedMs(last) ? each : last));
  return {
    applicationName: first.name,
    workloads: workloads.map(formatWorkload),
    ...(first.release && {release: first.release.name, releaseTool: first.release.tool}),
    namespace: first.namespace,
    replicas: workloads.reduce((sum, {state}) => sum + state.wanted, 0),
    createdAt: formatMs(Math.min(...workloads.map(({createdAtMs}) => createdAtMs))),
    updatedAt: formatMs(readUpdatedMs(latest)),
    appserverImage: app.image,
    appserverTag: app.tag,
    webserverImage: web.image,
    webserverTag: web.tag,
    deploymentConfig: {images: {nginx: showVariables(webserver), php: showVariables(appserver)}},
    lastActivity: readActivity(latest, versions.get(latest.uid)),
    ...(ingress && {hostname: ingress.hosts[0] ?? '', elb: ingress.address ?? ''}),
  };
};

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
