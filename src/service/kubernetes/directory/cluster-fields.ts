import {formatWorkload} from '#base/workload-kinds.ts';
import type {KubeBranchSettings, KubeSiteSettings} from '../kube-settings.ts';
import type {Ingress} from '../objects/decode-ingress.ts';
import type {ReplicaSet} from '../objects/decode-replica-set.ts';
import type {TemplateContainer, Workload} from '../objects/decode-workload.ts';
import type {Rollout} from '../objects/workload-state.ts';
import type {ClusterBranch} from './cluster-branches.ts';
import type {WorkloadWithJobs} from './group-jobs.ts';

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

export type ClusterFieldsInput = {
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
export const readClusterFields = (options: ClusterFieldsInput): Readonly<Record<string, unknown>> => {
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
