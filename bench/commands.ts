/**
 * Measures how fast a command's lines are taken: by `serve` with a pod's `command`, and by `open -- COMMAND`, beside
 * `cat` into `open -`, and `open FILE` with filters. Starts included. Give `--profile` to `node` options in NODE_OPTIONS to look closer. Linux only.
 * Run it with `node bench/commands.ts`.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {freePort} from './free-port.ts';
import {cpuMsOf} from './terminal/process-cost.ts';

const lineCount = 1_000_000;
const lineBytes = 90;
const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
const path = join(folder, 'lines');
const program = join(import.meta.dirname, '../bin/branchlog.js');

const writeLines = (hasTimes: boolean): void => {
  const file = openSync(path, 'w');
  for (let written = 0; written < lineCount; written += 1000) {
    const lines = Array.from({length: 1000}, (_, index) => {
      const number = written + index;
      const time = hasTimes ? `${new Date(1_700_000_000_000 + Math.floor(number / 50)).toISOString()} ` : '';
      return `${time}INFO request ${number} served in ${number % 97} ms `.padEnd(lineBytes - 1, 'x');
    });
    writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
};

const describe = (what: string, wallMs: number, cpuMs: number): void => {
  const perSecond = (ms: number): string =>
    Math.round((lineCount * 1000) / ms)
      .toLocaleString('en')
      .padStart(9);
  console.log(`${what.padEnd(44)} ${perSecond(wallMs)} lines/s  ${perSecond(cpuMs)} a second of processor time`);
};

const measureServe = async (): Promise<void> => {
  const port = await freePort();
  writeFileSync(
    join(folder, 'serve.toml'),
    `listen = "127.0.0.1:${port}"
tenant = "acme"
[[sites]]
id = "shop"
[[sites.branches]]
id = "m1"
name = "master"
status = "UP"
[[sites.branches.pods]]
name = "web-0"
command = ["sh", "-c", "cat ${path}; exec sleep 600"]
`,
  );
  const startMs = performance.now();
  const child = spawn(process.execPath, [program, 'serve', 'serve.toml'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const authorization = `Bearer ${readFileSync(join(folder, 'token'), 'utf8').trim()}`;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {headers: {authorization}});
    const count = /^branchlog_log_lines_total\{.*\} (\d+)$/m.exec(await answer.text())?.[1];
    if (Number(count) >= lineCount) {
      break;
    }
    await sleep(20);
  }
  describe('  serve, command', performance.now() - startMs, cpuMsOf(child.pid ?? 0));
  child.kill();
  await once(child, 'exit');
  rmSync(join(folder, 'state'), {recursive: true});
};

/** Runs a shell command that ends. Its processor time is that of its children, `cat` included. */
const measureShell = async (what: string, command: string): Promise<void> => {
  const startMs = performance.now();
  const child = spawn('bash', ['-c', `TIMEFORMAT='%U %S'; time (${command} >/dev/null)`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const printed: Buffer[] = await child.stderr.toArray();
  const [user = 0, system = 0] =
    Buffer.concat(printed).toString().trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  describe(what, performance.now() - startMs, (user + system) * 1000);
};

try {
  for (const hasTimes of [true, false]) {
    console.log(hasTimes ? 'Lines with a time of their own' : 'Lines without a time');
    writeLines(hasTimes);
    await measureServe();
    const branchlog = `${process.execPath} ${program}`;
    await measureShell('  open -- cat', `${branchlog} open --format raw -- cat ${path}`);
    await measureShell('  cat | open -', `cat ${path} | ${branchlog} open --format raw -`);
    for (const flags of ['', ' --grep nowhere', ' --grep "no+where"', ' --level error']) {
      await measureShell(`  open FILE${flags}`, `${branchlog} open ${path}${flags}`);
    }
  }
} finally {
  rmSync(folder, {recursive: true, force: true});
}
