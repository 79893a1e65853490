import type {PodRecord} from '#service/backend/backend.ts';
import type {ContainerPlace} from '#service/containers/container-place.ts';
import type {DirectoryBranch} from '#service/directory.ts';
import {makePodRecord} from '#service/served/served-pod-record.ts';
import {makeBranchRecord} from '#service/served/served-records.ts';
import {type EngineContainer, isUp} from './engine-container.ts';

/** The site of containers that belong to no project. No project's name has a space. */
export const noProject = 'no project';

/** A branch, and the containers that write it. */
export type ContainerGroup = {
  readonly siteId: string;
  readonly id: string;
  readonly name: string;
  readonly containers: readonly EngineContainer[];
};

/** Ends on request: `docker stop` sends SIGTERM. */
const stoppedCode = 143;

const troubleOf = (
  container: EngineContainer,
): {readonly state: 'now' | 'past'; readonly reason: string} | undefined => {
  const {state, exitCode, isOomKilled, isUnhealthy, restartCount} = container;
  const times = restartCount > 0 ? ` ×${restartCount}` : '';
  const code = [String(exitCode), ...(isOomKilled ? ['OOMKilled'] : [])].join(', ');
  if (state === 'restarting') {
    return {state: 'now', reason: `restarting${times}, exited (${code})`};
  }
  if ((state === 'exited' || state === 'dead') && exitCode !== 0 && exitCode !== stoppedCode) {
    return {state: 'now', reason: `exited (${code})`};
  }
  if (isUnhealthy) {
    return {state: 'now', reason: 'unhealthy'};
  }
  return restartCount > 0 && isUp(container) ? {state: 'past', reason: `restarted${times}`} : undefined;
};

/** The state that most of what runs of a branch has: one that runs counts more than one that has ended. */
const stateOf = (containers: readonly EngineContainer[]): string => {
  const states = ['restarting', 'running', 'paused', 'created', 'exited'];
  return states.find(state => containers.some(each => each.state === state)) ?? containers[0]?.state ?? 'gone';
};

const placeOf = (container: EngineContainer): ContainerPlace => ({
  namespace: container.project ?? '',
  podName: container.name,
  podUid: container.id,
  container: '',
  containerKind: 'app',
  instanceId: `${container.id} ${container.startedAt}`,
  restartCount: 0,
  state: container.state === 'created' ? 'waiting' : isUp(container) ? 'running' : 'terminated',
  finishedAtMs: isUp(container) ? undefined : container.finishedAtMs,
  isFinished: false,
  podCreatedAtMs: container.createdAtMs,
  // Those that are there at first are read as far back as is asked for; those that come later, from their first line.
  isSeenFromStart: false,
});

const podOf = ({siteId, id, name: applicationName}: ContainerGroup, container: EngineContainer): PodRecord =>
  makePodRecord({
    siteId,
    branchId: id,
    applicationName,
    namespace: siteId,
    name: container.name,
    source: 'container',
    createdAtMs: container.startedAtMs,
  });

/** Returns a group as a branch. What has not changed since `before` is the same object. */
export const makeEngineBranch = (
  group: ContainerGroup,
  before: DirectoryBranch<ContainerPlace> | undefined,
): DirectoryBranch<ContainerPlace> => {
  const {siteId, id, name, containers} = group;
  const troubles = containers
    .flatMap(container => {
      const trouble = troubleOf(container);
      return trouble ? [{...trouble, pod: container.name}] : [];
    })
    .toSorted((left, right) => Number(left.state === 'past') - Number(right.state === 'past'));
  const record = makeBranchRecord(
    siteId,
    {
      id,
      name,
      status: stateOf(containers),
      fields: {applicationName: name, replicas: containers.filter(isUp).length, ...(troubles.length > 0 && {troubles})},
      pods: [],
    },
    {
      createdAtMs: containers.reduce(
        (first, each) => Math.min(first, each.createdAtMs),
        containers[0]?.createdAtMs ?? 0,
      ),
      updatedAtMs: containers.reduce((latest, each) => Math.max(latest, each.startedAtMs), 0),
    },
  );
  return {
    record: keep(before?.record, record),
    pods: keep(
      before?.pods,
      containers.filter(isUp).map(container => podOf(group, container)),
    ),
    places: keep(before?.places, containers.map(placeOf)),
  };
};

const keep = <Value>(before: Value | undefined, now: Value): Value =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;

/** Groups containers by project and service; those of no project are branches of their own. */
export const groupContainers = (
  containers: readonly EngineContainer[],
  makeBranchId: (siteId: string, name: string) => string,
): readonly ContainerGroup[] => {
  const groups = new Map<string, ContainerGroup & {readonly containers: EngineContainer[]}>();
  for (const container of containers.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const siteId = container.project ?? noProject;
    const name = container.service ?? container.name;
    const key = JSON.stringify([siteId, name]);
    const group = groups.get(key) ?? {siteId, id: makeBranchId(siteId, name), name, containers: []};
    group.containers.push(container);
    groups.set(key, group);
  }
  return [...groups.values()];
};
