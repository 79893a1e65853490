import {setTimeout as sleep} from 'node:timers/promises';
import {createSecureContext} from 'node:tls';
import {Secret} from '#base/secret.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {instantFromMs} from '#log/line/instant.ts';
import type {Backend} from '#service/backend/backend.ts';
import {createKubeClient} from '#service/kubernetes/create-kube-client.ts';
import {createKubeBackend} from '#service/kubernetes/kube-backend.ts';
import {type KubeDouble, startKubeDouble} from '../../support/kubernetes/start-kube-double.ts';
import {judgeLines, type Seen, type Verdict} from '../../support/kubernetes/truth/judge-lines.ts';
import {type FaultKind, startFaults} from '../../support/kubernetes/truth/start-faults.ts';
import {startWriters} from '../../support/kubernetes/truth/start-writers.ts';

export type TruthRun = {
  readonly seed: number;
  readonly durationMs: number;
  readonly pods: number;
  readonly containers: number;
  readonly linesPerSecond: number;
  /** Left out: no faults. */
  readonly faults?: readonly FaultKind[];
  readonly everyMs?: {readonly min: number; readonly max: number};
  /** How long to read on at least, so that a line shown twice is seen. */
  readonly settleMs: number;
  /** How long to wait at most for the last lines: a stream that ended several times in a row is opened again later and later. */
  readonly lastLinesMsMax: number;
  readonly stderrLateMs?: number;
  readonly report?: (line: string) => void;
};

export type TruthOutcome = {
  readonly verdict: Verdict;
  readonly faults: readonly FaultKind[];
  readonly warnings: readonly string[];
};

/** More than is written while a half-open stream stays unnoticed, so that the window itself loses nothing. */
const windowSeconds = 40;
const windowLinesMin = 20_000;
const pollMs = 300;
const bufferBytesMax = 64 * 1024 * 1024;

/** Opens the product's backend on the double, with credentials that can change. */
const openTruthBackend = (double: KubeDouble, windowLines: number, warn: (message: string) => void) => {
  const secureContext = createSecureContext({ca: double.ca});
  let access = {authorization: new Secret(`Bearer ${double.token}`), secureContext};
  const client = createKubeClient({
    server: new URL(double.url),
    access: {name: 'the test', read: async () => access, close: async () => {}},
    serverName: undefined,
    isUnverified: false,
    impersonation: undefined,
    proxy: undefined,
  });
  const clocks = {
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    random: Math.random,
    warn,
  };
  const backend = createKubeBackend({
    ...clocks,
    client,
    settings: {
      sites: [
        {
          id: 'shop',
          namespace: 'shop',
          selector: undefined,
          branchLabel: undefined,
          containers: {only: undefined, except: []},
          shownVariables: [],
          branches: [],
        },
      ],
    },
    makeBranchId: (_, name) => name,
    windowLines,
    windowPerPod: false,
  });
  const useToken = (token: string): void => {
    access = {authorization: new Secret(`Bearer ${token}`), secureContext};
  };
  return {backend, useToken};
};

/** Reads a branch as a client does, and notes what its log shows, in the order of arrival. */
const createReader = (backend: Backend, branchId: string) => {
  let log: BranchLog = createBranchLog(bufferBytesMax);
  const seen: Seen[] = [];
  return {
    seen,
    poll: async (): Promise<void> => {
      const window = await backend.readWindow('shop', branchId).catch(() => undefined);
      if (!window) {
        return;
      }
      const pods = window.pods.map(({name, metadata}) => ({name, createdAt: String(metadata.creationTimestamp)}));
      const taken = takeWindow(log, {...window, pods});
      log = taken.log;
      // Among late lines the marker comes after them, but they too came after the gap.
      if (taken.added.some(({kind}) => kind === 'gap')) {
        seen.push({kind: 'hole'});
      }
      for (const entry of [...taken.added, ...taken.tooLate]) {
        if (entry.kind === 'line') {
          seen.push({kind: 'line', text: entry.raw.slice(entry.textIndex)});
        }
      }
      // The marker of a pod that went, too, says that its last lines may be missing, but not those of others.
      for (const entry of taken.added) {
        if (entry.kind === 'pod' && entry.change === 'gone' && !entry.isWhole) {
          seen.push({kind: 'hole', pod: entry.name});
        }
      }
    },
  };
};

/** Writes numbered lines into containers of the double, spoils what can be spoiled, and compares what a reader saw. */
export const runTruth = async (run: TruthRun): Promise<TruthOutcome> => {
  const double = await startKubeDouble();
  const warnings: string[] = [];
  const {backend, useToken} = openTruthBackend(
    double,
    Math.max(windowLinesMin, run.pods * run.containers * run.linesPerSecond * windowSeconds),
    message => warnings.push(message),
  );
  try {
    const names = Array.from({length: run.containers}, (_, index) => `c${index + 1}`);
    const workload = double.workloads.createDeployment({
      namespace: 'shop',
      name: 'master',
      replicas: run.pods,
      containers: names.map(name => ({name})),
    });
    await backend.start();
    const reader = createReader(backend, 'master');
    await reader.poll();
    const writers = startWriters(double, {
      seed: run.seed,
      linesPerSecond: run.linesPerSecond,
      stderrShare: 0.2,
      stderrLateMs: run.stderrLateMs ?? 0,
      longShare: run.stderrLateMs === undefined ? 0.005 : 0,
    });
    const faults = run.faults
      ? startFaults(double, {
          seed: run.seed,
          workloads: [workload],
          kinds: run.faults,
          ...(run.everyMs ? {everyMs: run.everyMs} : {}),
          onToken: useToken,
          ...(run.report ? {report: run.report} : {}),
        })
      : undefined;
    const pollFor = async (durationMs: number, isDone = () => false): Promise<void> => {
      const endMs = performance.now() + durationMs;
      while (performance.now() < endMs && !isDone()) {
        await sleep(pollMs);
        await reader.poll();
      }
    };
    const judge = (): Verdict => judgeLines(double.pods.truth(), reader.seen);
    await pollFor(run.durationMs);
    faults?.stop();
    writers.stop();
    await pollFor(run.settleMs);
    await pollFor(run.lastLinesMsMax, () => judge().lostAtEnd.length === 0);
    return {verdict: judge(), faults: faults?.applied ?? [], warnings};
  } finally {
    await backend.close();
    await double.close();
  }
};
