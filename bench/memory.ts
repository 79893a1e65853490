/**
 * Resident memory of the whole built program with a million lines held, at 200×60 on a pseudo-terminal. The service is in this
 * process, the program in its own. Linux only: it reads /proc. Run by `npm run bench`.
 */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {makeBody} from './bodies.ts';
import {printRow} from './measure.ts';

const windowLines = 50_000;
const newLines = 40_000;
const linesHeld = 1_000_000;
const bufferMb = 256;

const branch = {
  _id: 'b1',
  name: 'master',
  status: 'DEPLOY_APPLICATION_SUCCESS',
  project: 's1',
  branchType: 'MASTER',
  customDomains: [],
};

let polls = 0;
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url?.endsWith('/logs')) {
    const start = Math.min(polls * newLines, linesHeld - windowLines);
    polls += 1;
    response.end(makeBody(start, start + windowLines));
  } else {
    response.end(JSON.stringify([branch]));
  }
});

const residentMb = (pid: number): {readonly now: number; readonly peak: number} => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1000;
  return {now: Math.round(read('VmRSS')), peak: Math.round(read('VmHWM'))};
};

const until = async (holds: () => boolean): Promise<void> => {
  const deadlineMs = performance.now() + 120_000;
  while (!holds()) {
    if (performance.now() > deadlineMs) {
      throw new Error('the program did not come so far');
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
};

const main = async (): Promise<void> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
  writeFileSync(join(folder, 'token'), 'bench', {mode: 0o600});
  writeFileSync(
    join(folder, 'config.toml'),
    [
      '[contexts.bench]',
      `base_url = "http://127.0.0.1:${port}/dev-v1"`,
      'tenant = "t"',
      'auth_mode = "x"',
      `token_file = "${join(folder, 'token')}"`,
      '[log]',
      `buffer_mb = ${bufferMb}`,
    ].join('\n'),
    {mode: 0o600},
  );
  const program = spawn(process.execPath, ['bin/branchlog.js', 's1'], {
    cols: 200,
    rows: 60,
    env: {
      ...process.env,
      XDG_STATE_HOME: folder,
      BRANCHLOG_CONFIG: join(folder, 'config.toml'),
      TERM: 'xterm-256color',
    },
  });
  let seen = '';
  program.onData(data => {
    seen = (seen + data).slice(-100_000);
  });
  try {
    await until(() => seen.includes('deployed'));
    const started = residentMb(program.pid);
    program.write('\r');
    await until(() => polls * newLines >= linesHeld + 2 * newLines);
    const full = residentMb(program.pid);
    printRow('resident memory, just started', `${started.now} MB`, '≤ 90 MB', '≤ 70 MB');
    printRow(
      `resident memory, ${linesHeld.toLocaleString('en-US')} lines × 155 bytes (peak ${full.peak} MB)`,
      `${full.now} MB`,
      '≤ 300 MB',
      '≤ 240 MB',
    );
  } finally {
    program.kill('SIGTERM');
    server.close();
    server.closeAllConnections();
    rmSync(folder, {recursive: true, force: true});
  }
};

await main();
process.exit(0);
