import {globPattern} from '#base/glob-pattern.ts';
import type {DirectoryBranch, PodRecord} from '#service/backend/backend.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';
import {flagField, numberField, tableField, textField, textsField, timeField} from '#service/link/object-fields.ts';
import {makeBranchRecord, makePodRecord} from '#service/served/served-records.ts';

/** The fields of a container that are needed; not its environment and its command, which may hold secrets. */
export type EngineContainer = {
  readonly id: string;
  readonly name: string;
  /** The project of Compose, or the stack of Swarm; undefined for a container that was started by itself. */
  readonly project: string | undefined;
  /** Several containers may be of one service. */
  readonly service: string | undefined;
  readonly createdAtMs: number;
  /** As the engine says it: `running`, `paused`, `restarting`, `exited`, `created`, `dead`. */
  readonly state: string;
  /** The time of its newest start. */
  readonly startedAt: string;
  readonly startedAtMs: number;
  readonly exitCode: number;
  readonly isOomKilled: boolean;
  readonly finishedAtMs: number | undefined;
  readonly isUnhealthy: boolean;
  readonly restartCount: number;
  /** It has a terminal: its log has no frames. */
  readonly hasTerminal: boolean;
};

const projectLabels = ['com.docker.compose.project', 'io.podman.compose.project', 'com.docker.stack.namespace'];
const serviceLabels = ['com.docker.compose.service', 'io.podman.compose.service', 'com.docker.swarm.service.name'];

const firstOf = (labels: Readonly<Record<string, string>>, names: readonly string[]): string | undefined =>
  names.map(name => labels[name]).find(value => value !== undefined && value !== '');

/** Decodes the answer of an inspection; undefined if it has no id and name. */
export const decodeContainer = (answer: unknown): EngineContainer | undefined => {
  const id = textField(answer, 'Id');
  const name = textField(answer, 'Name')?.replace(/^\//, '');
  if (id === undefined || name === undefined) {
    return undefined;
  }
  const state = tableField(answer, 'State');
  const status = textField(state, 'Status') ?? (flagField(state, 'Running') ? 'running' : 'exited');
  const labels = textsField(tableField(answer, 'Config'), 'Labels');
  const createdAtMs = timeField(answer, 'Created') ?? 0;
  const project = firstOf(labels, projectLabels);
  return {
    id,
    name,
    project,
    service: project === undefined ? undefined : firstOf(labels, serviceLabels),
    createdAtMs,
    // Podman says so until it has cleaned up after the container.
    state: status === 'stopped' ? 'exited' : status,
    startedAt: textField(state, 'StartedAt') ?? '',
    startedAtMs: timeField(state, 'StartedAt') ?? createdAtMs,
    exitCode: numberField(state, 'ExitCode') ?? 0,
    isOomKilled: flagField(state, 'OOMKilled'),
    finishedAtMs: timeField(state, 'FinishedAt'),
    isUnhealthy: textField(tableField(state, 'Health'), 'Status') === 'unhealthy',
    restartCount: numberField(answer, 'RestartCount') ?? 0,
    hasTerminal: flagField(tableField(answer, 'Config'), 'Tty'),
  };
};

/** Whether it writes, or may go on to. */
const isUp = ({state}: EngineContainer): boolean =>
  state === 'running' || state === 'paused' || state === 'restarting' || state === 'stopping';

/** Whether a container is one of those that a word, or several, mean. */
export type ChooseContainer = (container: EngineContainer) => boolean;

const idPattern = /^[0-9a-f]{4,64}$/;

/** Ways to understand a word, the first that finds a container wins. */
const readings = (word: string): readonly ChooseContainer[] => [
  ({name, id}) => name === word || id === word,
  ({service}) => service === word,
  ({project, service}) => `${project}/${service}` === word,
  ({project}) => project === word,
  ({id}) => idPattern.test(word) && id.startsWith(word),
  ...(/[*?]/.test(word) ? [({name}: EngineContainer) => globPattern(word).test(name)] : []),
];

/**
 * Returns what chooses the containers that are meant by words: names, ids, services and projects of Compose, and
 * patterns of names. A container that is made later is one of them, too, if it has the name. Without words: those that
 * run now, or run later. Returns the words as `unknown` that find none.
 */
export const chooseContainers = (
  words: readonly string[],
  containers: readonly EngineContainer[],
): {readonly isChosen: ChooseContainer; readonly unknown: readonly string[]} => {
  if (words.length === 0) {
    const seen = new Set<string>();
    return {
      isChosen: container => {
        if (isUp(container)) {
          seen.add(container.id);
        }
        return seen.has(container.id);
      },
      unknown: [],
    };
  }
  const found = words.map(word => {
    const reading = readings(word).find(each => containers.some(each));
    const names = new Set(containers.filter(each => reading?.(each)).map(({name}) => name));
    return {word, reading, names};
  });
  return {
    // An id is that of one container; what replaces it has its name.
    isChosen: container => found.some(({reading, names}) => names.has(container.name) || reading?.(container)),
    unknown: found.flatMap(({word, reading}) => (reading ? [] : [word])),
  };
};

/** The site of containers that belong to no project. No project's name has a space. */
export const noProject = 'no project';

/** A branch, and the containers that write it. */
type ContainerGroup = {
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
