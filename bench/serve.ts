/**
 * Measures `branchlog serve` beside nginx, which serves the same bytes as a file: the same readers ask one, then the
 * other. A line is logged every 200 ms meanwhile, which changes the window of `serve` and not the file of nginx. Linux
 * only: it reads /proc. Run by `npm run bench`, or with `node bench/serve.ts`.
 */
import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {freePort} from './free-port.ts';
import {printFigure} from './measure.ts';
import {cpuMsOf, residentMbOf} from './terminal/process-cost.ts';

const nginxPath = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'].find(
  path => spawnSync(path, ['-v']).status === 0,
);
const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
const measuredMs = 4_000;

const makeLine = (index: number): string =>
  `10.0.${index % 256}.${(index * 7) % 256} - - "GET /product/${index}?page=${index % 9} HTTP/1.1" 200 ${1000 + (index % 9000)} "https://shop.example.com/" "Mozilla/5.0 (X11; Linux x86_64)"\n`;

type Server = {
  readonly name: string;
  readonly pid: number;
  readonly options: http.RequestOptions;
};

const children: ChildProcess[] = [];

const startServe = async (windowLines: number, ownFolder: string): Promise<Server> => {
  writeFileSync(
    join(ownFolder, 'access.log'),
    Array.from({length: windowLines}, (_, index) => makeLine(index)).join(''),
  );
  const port = await freePort();
  writeFileSync(
    join(ownFolder, 'serve.toml'),
    `listen = "127.0.0.1:${port}"
tenant = "acme"
window_lines = ${windowLines}
[[sites]]
id = "shop"
[[sites.branches]]
id = "m1"
name = "master"
status = "UP"
[[sites.branches.pods]]
name = "web-0"
files = ["access.log"]
`,
  );
  const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/branchlog.js'), 'serve', 'serve.toml'], {
    cwd: ownFolder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  const token = readFileSync(join(ownFolder, 'token'), 'utf8').trim();
  return {
    name: 'serve',
    pid: child.pid ?? 0,
    options: {
      port,
      path: '/dev-v1/sites/shop/branches/m1/logs',
      headers: {authorization: `Bearer ${token}`, tenant: 'acme', 'auth-mode': 'local'},
    },
  };
};

/** Serves these bytes under `/window`. One worker and no log, as `serve` has. */
const startNginx = async (bytes: Buffer): Promise<Server | undefined> => {
  if (nginxPath === undefined) {
    return undefined;
  }
  const port = await freePort();
  const root = join(folder, `root-${port}`);
  mkdirSync(root, {mode: 0o755});
  writeFileSync(join(root, 'window'), bytes);
  const configPath = join(folder, `nginx-${port}.conf`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    configPath,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx-${port}.pid; error_log stderr; ${user}
events { worker_connections 512; }
http { access_log off; sendfile on; server { listen 127.0.0.1:${port}; root ${root}; } }
`,
  );
  const child = spawn(nginxPath, ['-p', folder, '-c', configPath], {stdio: ['ignore', 'ignore', 'inherit']});
  children.push(child);
  for (;;) {
    const socket = http.get({port, path: '/window'});
    const isUp = await Promise.race([
      once(socket, 'response').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isUp) {
      return {name: 'nginx', pid: child.pid ?? 0, options: {port, path: '/window'}};
    }
    await sleep(50);
  }
};

const ask = async ({options}: Server, agent: http.Agent, coding: string): Promise<Buffer> => {
  const request = http.get({
    ...options,
    host: '127.0.0.1',
    agent,
    headers: {...options.headers, 'accept-encoding': coding},
  });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) {
    throw new Error(`status ${response.statusCode}`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

type Load = {
  readonly answersPerSecond: number;
  readonly answers: number;
  readonly cpuMs: number;
  readonly slowestMs: number;
  readonly residentMb: number;
};

/** Lets each reader ask again as soon as it has its answer. */
const load = async (
  server: Server,
  {readers, coding, logPath}: {readers: number; coding: string; logPath: string},
): Promise<Load> => {
  const agent = new http.Agent({keepAlive: true, maxSockets: readers});
  await ask(server, agent, coding);
  const startedCpuMs = cpuMsOf(server.pid);
  const startMs = performance.now();
  const endMs = startMs + measuredMs;
  let [answers, slowestMs, residentMb] = [0, 0, 0];
  const logging = setInterval(() => {
    appendFileSync(logPath, makeLine(answers));
    residentMb = Math.max(residentMb, residentMbOf(server.pid));
  }, 200);
  await Promise.all(
    Array.from({length: readers}, async () => {
      while (performance.now() < endMs) {
        const askedMs = performance.now();
        await ask(server, agent, coding);
        slowestMs = Math.max(slowestMs, performance.now() - askedMs);
        answers += 1;
      }
    }),
  );
  clearInterval(logging);
  agent.destroy();
  const answersPerSecond = (answers * 1000) / (performance.now() - startMs);
  return {answersPerSecond, answers, cpuMs: cpuMsOf(server.pid) - startedCpuMs, slowestMs, residentMb};
};

const describe = ({name}: Server, {answersPerSecond, answers, cpuMs, slowestMs, residentMb}: Load): string =>
  `  ${name.padEnd(6)} ${answersPerSecond.toFixed(0).padStart(6)} answers/s  ${(cpuMs / answers).toFixed(2).padStart(6)} ms of processor each  slowest ${Math.round(slowestMs)} ms  ${Math.round(residentMb)} MB resident`;

const compare = async (windowLines: number, readers: number, coding: string): Promise<void> => {
  const ownFolder = mkdtempSync(join(folder, 'serve-'));
  const logPath = join(ownFolder, 'access.log');
  const serve = await startServe(windowLines, ownFolder);
  const agent = new http.Agent({keepAlive: true});
  const bytes = await ask(serve, agent, coding);
  agent.destroy();
  const what = `${readers} readers of ${windowLines.toLocaleString('en')} lines, ${coding}`;
  console.log(`${what}: ${Math.round(bytes.length / 1000)} kB`);
  const ours = await load(serve, {readers, coding, logPath});
  console.log(describe(serve, ours));
  children[0]?.kill();
  const nginx = await startNginx(bytes);
  if (nginx) {
    const theirs = await load(nginx, {readers, coding, logPath});
    console.log(describe(nginx, theirs));
    printFigure({
      what: `time for an answer, relative to nginx: ${what}`,
      value: theirs.answersPerSecond / ours.answersPerSecond,
      unit: '×',
      must: 2,
    });
  } else {
    console.log('  nginx is not installed: nothing to compare with');
  }
  for (const child of children.splice(0)) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) {
      await once(child, 'exit');
    }
  }
};

try {
  await compare(5_000, 50, 'gzip');
  await compare(5_000, 50, 'identity');
  await compare(100_000, 50, 'gzip');
} finally {
  for (const child of children) {
    child.kill();
  }
  rmSync(folder, {recursive: true, force: true});
}
