/**
 * Measures `branchlog logs --kube --follow` on 1,000 pods of two containers that write 1,000 lines a second together;
 * and with `--loud`, how many of 3,600 lines a second over 20 s are printed. The cluster is a test double in a process
 * of its own. Linux only: it reads /proc. Run after a build with `node bench/kube-logs.ts [--loud]`; with `--prof`, a
 * profile of the processor is written to the working folder.
 */
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {startKubeDoubleProcess} from '../test/support/kubernetes/start-kube-double-process.ts';
import {printFigure} from './measure.ts';
import {cpuMsOf, peakMbOf} from './terminal/process-cost.ts';

const {values} = parseArgs({
  options: {loud: {type: 'boolean', default: false}, prof: {type: 'boolean', default: false}},
});
const containers = [{name: 'php'}, {name: 'nginx'}];
const pods = values.loud ? 18 : 1_000;
const linesPerSecond = values.loud ? 3_600 : 1_000;
const loudMs = 20_000;
const warmUpMs = 20_000;
const measuredMs = 30_000;
/** Polls are at most so far apart. */
const settleMs = 6_000;

const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
const double = await startKubeDoubleProcess({
  deployments: [{namespace: 'shop', name: 'web', replicas: pods, containers}],
});
const perContainer = linesPerSecond / pods / containers.length;
double.order({kind: 'write', writers: {seed: 1, linesPerSecond: perContainer}});
await sleep(values.loud ? 0 : 5_000);
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, double.kubeconfig, {mode: 0o600});

/** Follows the log until it is closed. Returns the process, and counts what it prints. */
const startLogs = (): {readonly child: ChildProcess; readonly count: {lines: number; firstMs: number | undefined}} => {
  const startedMs = performance.now();
  const program = join(import.meta.dirname, '../bin/branchlog.js');
  const child = spawn(
    process.execPath,
    [...(values.prof ? ['--cpu-prof'] : []), program, 'logs', '--kube', 'shop', 'web', '--follow', '--format', 'raw'],
    {env: {...process.env, KUBECONFIG: kubeconfig, XDG_STATE_HOME: folder}, stdio: ['ignore', 'pipe', 'inherit']},
  );
  const count: {lines: number; firstMs: number | undefined} = {lines: 0, firstMs: undefined};
  child.stdout.on('data', (bytes: Buffer) => {
    count.firstMs ??= performance.now() - startedMs;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
      count.lines += 1;
    }
  });
  return {child, count};
};

const {child, count} = startLogs();
try {
  if (values.loud) {
    await sleep(loudMs);
    double.order({kind: 'write', writers: {seed: 2, linesPerSecond: 0.000_001}});
    await sleep(settleMs);
    const {linesWritten} = await double.count();
    console.log(`${count.lines} of ${linesWritten} lines printed, ${linesWritten - count.lines} missing`);
  } else {
    await sleep(warmUpMs);
    const [before, startedMs] = [cpuMsOf(child.pid ?? 0), performance.now()];
    await sleep(measuredMs);
    const share = (cpuMsOf(child.pid ?? 0) - before) / ((performance.now() - startedMs) / 1_000);
    const {requests, linesWritten} = await double.count();
    console.log(`${count.lines} lines printed of ${linesWritten} written, ${requests} requests`);
    const what = '2,000 containers, 1,000 lines/s';
    printFigure({what: `${what}: the first line`, value: count.firstMs ?? Number.NaN, unit: 'ms', must: 400});
    printFigure({what: `${what}: processor a second`, value: share, unit: 'ms', must: 40});
    printFigure({what: `${what}: peak of memory`, value: peakMbOf(child.pid ?? 0), unit: 'MB', must: 180});
  }
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
} finally {
  child.kill();
  await double.close();
  rmSync(folder, {recursive: true, force: true});
}
