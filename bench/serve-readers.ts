/**
 * Measures `branchlog serve` with many readers: 100 branches that write 10,000 lines a second together, and 200 readers
 * who each ask for a window of 1,000 lines, or with `--after` for what came since, and again a second after their
 * answer. What reading the logs takes without readers is measured before, and named. Linux only: it reads /proc. Run
 * after a build with `node bench/serve-readers.ts [--readers N] [--after]`.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync} from 'node:fs';
import http from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {makeLine} from './bodies.ts';
import {freePort} from './free-port.ts';
import {printFigure} from './measure.ts';
import {cpuMsOf, peakMbOf} from './terminal/process-cost.ts';
import {quantile} from './terminal/quantile.ts';

const {values} = parseArgs({
  options: {readers: {type: 'string', default: '200'}, after: {type: 'boolean', default: false}},
});
const readers = Number(values.readers);
const [branchCount, windowLines, linesAtOnce] = [100, 1_000, 10];
const [writeEveryMs, settleMs, quietMs, measuredMs] = [100, 3_000, 5_000, 15_000];

const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
const port = await freePort();
let written = 0;
const makeLines = (count: number): string =>
  Array.from({length: count}, () => {
    written += 1;
    return `${makeLine(written)}\n`;
  }).join('');
const branches = Array.from({length: branchCount}, (_, index) => `b${index}`);
const logs = branches.map(name => {
  writeFileSync(join(folder, `${name}.log`), makeLines(windowLines));
  return openSync(join(folder, `${name}.log`), 'a');
});
const branchToml = (name: string): string =>
  `[[sites.branches]]\nid = "${name}"\nname = "${name}"\nstatus = "UP"\n[[sites.branches.pods]]\nname = "web"\nfiles = ["${name}.log"]\n`;
writeFileSync(
  join(folder, 'serve.toml'),
  `listen = "127.0.0.1:${port}"\ntenant = "acme"\nwindow_lines = ${windowLines}\n[[sites]]\nid = "shop"\n${branches.map(branchToml).join('')}`,
);
const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/branchlog.js'), 'serve', 'serve.toml'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const pid = child.pid ?? 0;

/** Returns what it takes of the processor over some time, milliseconds a second. */
const measure = async (ms: number): Promise<number> => {
  const [startedMs, before] = [performance.now(), cpuMsOf(pid)];
  await sleep(ms);
  return ((cpuMsOf(pid) - before) * 1_000) / (performance.now() - startedMs);
};

try {
  await once(child.stdout, 'data');
  const token = readFileSync(join(folder, 'token'), 'utf8').trim();
  const agent = new http.Agent({keepAlive: true, maxSockets: readers});
  const tookMs: number[] = [];
  let isOver = false;

  const ask = async (branch: string | undefined, after: string | undefined): Promise<string | undefined> => {
    const startedMs = performance.now();
    const place = after === undefined ? {} : {'branchlog-after': after};
    const request = http.get({
      ...{host: '127.0.0.1', port, agent, path: `/dev-v1/sites/shop/branches/${branch}/logs`},
      headers: {
        authorization: `Bearer ${token}`,
        tenant: 'acme',
        'auth-mode': 'local',
        'accept-encoding': 'gzip',
        ...place,
      },
    });
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    tookMs.push(performance.now() - startedMs);
    const [, series, last] = /series=(\w+); last=(\d+)/.exec(String(response.headers['branchlog-window'])) ?? [];
    return `${series}:${last}`;
  };
  const read = async (index: number): Promise<void> => {
    let place: string | undefined;
    await sleep(index * 5);
    while (!isOver) {
      const next = await ask(branches[index % branchCount], place);
      place = values.after ? next : undefined;
      await sleep(1_000);
    }
  };

  const writing = setInterval(() => logs.forEach(log => void writeSync(log, makeLines(linesAtOnce))), writeEveryMs);
  await sleep(settleMs);
  const quiet = await measure(quietMs);
  const reading = Array.from({length: readers}, (_, index) => read(index));
  const busy = await measure(measuredMs);
  const answers = tookMs.length;
  isOver = true;
  await Promise.all(reading);
  clearInterval(writing);
  agent.destroy();
  const sorted = tookMs.slice(0, answers).toSorted((a, b) => a - b);
  const perAnswer = (busy * measuredMs) / 1_000 / answers;
  const ownMs = ((busy - quiet) * measuredMs) / 1_000 / answers;
  console.log(
    `${answers} answers; reading takes ${quiet.toFixed(0)} ms of processor a second, and an answer ${ownMs.toFixed(1)} besides`,
  );
  const what = `100 branches, 10,000 lines/s, ${readers} readers${values.after ? ' after a place' : ''}`;
  printFigure({what: `${what}: processor an answer`, value: perAnswer, unit: 'ms', must: 4});
  printFigure({what: `${what}: slowest of 100`, value: quantile(sorted, 0.99), unit: 'ms', must: 250});
  printFigure({what: `${what}: peak of memory`, value: peakMbOf(pid), unit: 'MB', must: 200});
} finally {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit');
  }
  logs.forEach(closeSync);
  rmSync(folder, {recursive: true, force: true});
}
