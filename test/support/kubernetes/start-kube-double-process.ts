import {fork} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import type {KubeDoubleOptions} from './start-kube-double.ts';
import type {WriterOptions} from './truth/start-writers.ts';
import type {NewWorkload} from './world/workloads.ts';

export type DoubleSetup = {
  readonly options?: Omit<KubeDoubleOptions, 'clock'>;
  readonly deployments: readonly Omit<NewWorkload, 'createdNs'>[];
  /** Left out: nothing is written until an order comes. */
  readonly writers?: WriterOptions;
};

export type DoubleOrder =
  | {readonly kind: 'count'}
  | {readonly kind: 'write'; readonly writers: WriterOptions}
  | {readonly kind: 'startFaults'; readonly seed: number}
  | {readonly kind: 'stopFaults'};

export type DoubleStarted = {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly kubeconfig: string;
};

export type DoubleCounts = {
  readonly linesWritten: number;
  readonly logStreams: number;
  readonly watches: number;
  readonly requests: number;
  readonly connections: number;
  readonly faults: number;
};

export type KubeDoubleProcess = DoubleStarted & {
  readonly pid: number | undefined;
  order(order: Exclude<DoubleOrder, {readonly kind: 'count'}>): void;
  count(): Promise<DoubleCounts>;
  close(): Promise<void>;
};

/** The double in a process of its own, for benchmarks and soaks: what it costs is not the program's. */
export const startKubeDoubleProcess = async (setup: DoubleSetup): Promise<KubeDoubleProcess> => {
  const child = fork(join(import.meta.dirname, 'fixtures/kube-double-process.ts'), [JSON.stringify(setup)]);
  const [started] = (await once(child, 'message')) as [DoubleStarted];
  return {
    ...started,
    pid: child.pid,
    order: order => {
      child.send(order);
    },
    count: async () => {
      const answer = once(child, 'message') as Promise<[DoubleCounts]>;
      child.send({kind: 'count'} satisfies DoubleOrder);
      return (await answer)[0];
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};
