/**
 * Measures `branchlog serve` on a cluster: 1,000 containers in ten branches, each with one line a second, over HTTP/2;
 * and beside it what Node needs to receive these lines and drop them.
 * The cluster is a test double in a process of its own. Linux only: it reads /proc. Run by `npm run bench`, or after a
 * build with `node bench/kubernetes.ts`.
 */
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {startKubeDoubleProcess} from '../test/support/kubernetes/start-kube-double-process.ts';
import {freePort} from './free-port.ts';
import {printFigure} from './measure.ts';
import {cpuMsOf, residentMbOf} from './terminal/process-cost.ts';

const branches = 10;
const podsEach = 100;
const measuredMs = 30_000;
/** V8 compiles what runs often in the first seconds; a service runs for weeks. */
const warmUpMs = 20_000;
const names = Array.from({length: branches}, (_, index) => `shop-${index + 1}`);

const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
const double = await startKubeDoubleProcess({
  deployments: names.map(name => ({namespace: 'shop', name, replicas: podsEach, containers: [{name: 'php'}]})),
  writers: {seed: 1, linesPerSecond: 1},
});
const port = await freePort();
writeFileSync(join(folder, 'kubeconfig'), double.kubeconfig, {mode: 0o600});
writeFileSync(
  join(folder, 'serve.toml'),
  `listen = "127.0.0.1:${port}"
tenant = "acme"
[kubernetes]
kubeconfig = "kubeconfig"
[[sites]]
id = "shop"
[sites.kubernetes]
namespace = "shop"
`,
);
const waitForStreams = async (count: number): Promise<void> => {
  while ((await double.count()).logStreams < count) {
    await sleep(100);
  }
};
const serve = spawn(process.execPath, [join(import.meta.dirname, '../bin/branchlog.js'), 'serve', 'serve.toml'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const children: ChildProcess[] = [serve];

try {
  await once(serve.stdout, 'data');
  const pid = serve.pid ?? 0;
  const headers = {
    authorization: `Bearer ${readFileSync(join(folder, 'token'), 'utf8').trim()}`,
    tenant: 'acme',
    'auth-mode': 'local',
  };
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/dev-v1/sites/shop/branches${path}`, {headers});
    if (!response.ok) {
      throw new Error(`status ${response.status}: ${await response.text()}`);
    }
    return response.json();
  };
  await sleep(3_000);
  const startMb = residentMbOf(pid);
  const listed = JSON.stringify(await ask(''));
  const ids = [...listed.matchAll(/"_id":"([^"]+)","name":"shop-/g)].map(match => match[1] ?? '');
  const openedMs = performance.now();
  await Promise.all(ids.map(id => ask(`/${id}/logs`)));
  await waitForStreams(branches * podsEach);
  console.log(`${ids.length} branches, all streams open after ${Math.round(performance.now() - openedMs)} ms`);
  const {url, ca, token} = double;
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'drain-streams.ts'), url, ca, token], {
    stdio: 'inherit',
  });
  children.push(bare);
  await waitForStreams(2 * branches * podsEach);
  await sleep(warmUpMs);

  const measure = async (what: string, read: () => Promise<unknown>, must: number): Promise<void> => {
    const [before, requestsBefore, startedMs] = [cpuMsOf(pid), (await double.count()).requests, performance.now()];
    const bareBefore = cpuMsOf(bare.pid ?? 0);
    while (performance.now() - startedMs < measuredMs) {
      await Promise.all([sleep(1_000), read()]);
    }
    const seconds = (performance.now() - startedMs) / 1_000;
    const {requests} = await double.count();
    console.log(`${what}: ${((requests - requestsBefore) / seconds).toFixed(1)} requests a second to the cluster`);
    const bareMs = (cpuMsOf(bare.pid ?? 0) - bareBefore) / seconds;
    console.log(`${what}: Node alone, dropping the bytes, takes ${bareMs.toFixed(0)} ms of processor a second`);
    printFigure({
      what: `1,000 containers at 1 line/s, processor a second, ${what}`,
      value: (cpuMsOf(pid) - before) / seconds,
      unit: 'ms',
      must,
    });
  };
  await measure('no reader', async () => undefined, 20);
  await measure('a reader of 100 pods each second', () => ask(`/${ids[0]}/logs`), 60);
  printFigure({
    what: '1,000 containers at 1 line/s, memory above the start',
    value: residentMbOf(pid) - startMb,
    unit: 'MB',
    must: 150,
  });
} finally {
  for (const child of children) {
    child.kill();
  }
  await double.close();
  rmSync(folder, {recursive: true, force: true});
}
