import {flagField, numberField, tableField, textField, textsField, timeField} from '#service/link/object-fields.ts';

/** What is needed of a container. Its environment and its command are not among it: they may hold secrets. */
export type EngineContainer = {
  readonly id: string;
  readonly name: string;
  /** Of Compose, or the stack of Swarm; undefined for a container that was started by itself. */
  readonly project: string | undefined;
  /** Several containers may be of one service. */
  readonly service: string | undefined;
  readonly createdAtMs: number;
  /** As the engine says it: `running`, `paused`, `restarting`, `exited`, `created`, `dead`. */
  readonly state: string;
  /** Of its newest start. */
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
  const labels = textsField(tableField(answer, 'Config'), 'Labels');
  const createdAtMs = timeField(answer, 'Created') ?? 0;
  const project = firstOf(labels, projectLabels);
  return {
    id,
    name,
    project,
    service: project === undefined ? undefined : firstOf(labels, serviceLabels),
    createdAtMs,
    state: textField(state, 'Status') ?? (flagField(state, 'Running') ? 'running' : 'exited'),
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
export const isUp = ({state}: EngineContainer): boolean =>
  state === 'running' || state === 'paused' || state === 'restarting' || state === 'stopping';
