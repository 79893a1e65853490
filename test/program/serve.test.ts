import {type ChildProcess, spawn} from 'node:child_process';
import {appendFileSync, existsSync, mkdirSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {builtProgram, compiledOnce} from '../support/built-program.ts';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const {command: builtCommand, launcher} = builtProgram;
const lineCount = 5000;

let folder: TempFolder;
let children: ChildProcess[];
let screens: PtyProgram | undefined;
beforeEach(() => {
  folder = createTempFolder('served');
  children = [];
  mkdirSync(join(folder.path, 'log'));
  writeFileSync(
    join(folder.path, 'serve.toml'),
    `listen = "127.0.0.1:0"
tenant = "acme"
window_lines = 2000
[[sites]]
id = "shop"
[[sites.branches]]
name = "master"
status = "DEPLOY_APPLICATION_SUCCESS"
[[sites.branches.pods]]
name = "web-0"
files = ["log/app.log*"]
`,
  );
});
afterEach(async () => {
  await screens?.close();
  screens = undefined;
  for (const child of children) {
    child.kill('SIGKILL');
  }
  folder.remove();
});

type Started = {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;
};

const start = (...args: readonly string[]): Started => {
  const child = spawn(builtCommand, [launcher, ...args], {
    cwd: folder.path,
    env: {PATH: process.env.PATH, ...compiledOnce, HOME: folder.path},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text;
  });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  return {child, stdout: () => out, stderr: () => err, ended};
};

const log = (): string => join(folder.path, 'log/app.log');

/** As logrotate does it: the numbered ones move on by one, then a new file begins. */
const rotate = (): void => {
  if (existsSync(`${log()}.1`)) {
    renameSync(`${log()}.1`, `${log()}.2`);
  }
  renameSync(log(), `${log()}.1`);
  writeFileSync(log(), '');
};

test('files that grow and rotate are served, followed and shown: each line once and in order', async () => {
  writeFileSync(log(), 'line 1 of the file\n');
  const served = start('serve', 'serve.toml');
  const [, flags = ''] = await waitFor(() => /Open it with: branchlog (.*)\n/.exec(served.stdout()), {
    what: 'the service to listen',
  });
  // The command opens the site; what follows its id connects.
  const [site, ...connection] = flags.split(' ');
  expect(site).toBe('shop');
  const follower = start(
    ...['logs', 'shop', 'master', '--follow', '--format', 'json', '--interval', '200ms'],
    ...['--until', `line ${lineCount} of`, '--duration', '60s', '--fail-on-gap'],
    ...connection,
  );
  screens = startPtyProgram({args: ['shop', 'master', ...connection], columns: 100, rows: 30});
  await screens.waitFor('line 1 of the file');
  await waitFor(() => follower.stdout().includes('line 1 of'), {what: 'the first line to be printed'});

  for (let first = 2; first <= lineCount; first += 50) {
    const last = Math.min(lineCount, first + 49);
    const lines = Array.from({length: last - first + 1}, (_, index) => `line ${first + index} of the file\n`);
    appendFileSync(log(), lines.join(''));
    await turn();
    if (first === 1502 || first === 3502) {
      // In the middle of what nobody has read yet.
      rotate();
    }
    // No faster than a window holds between two polls: faster would be a gap, and rightly.
    if (last % 500 < 50) {
      screens.press('r');
      await screens.waitFor(`line ${last} of the file`);
      await waitFor(() => follower.stdout().includes(`line ${last} of`), {what: `line ${last} to be printed`});
    }
  }

  expect(await follower.ended).toBe(0);
  expect(follower.stderr()).toBe('');
  const records = follower
    .stdout()
    .trimEnd()
    .split('\n')
    .map(row => JSON.parse(row));
  expect(records.map(({kind}) => kind)).toEqual(Array.from({length: lineCount}, () => 'line'));
  expect(records.map(({text}) => text)).toEqual(
    Array.from({length: lineCount}, (_, index) => `line ${index + 1} of the file`),
  );
  const rows = await screens.waitFor(`line ${lineCount} of the file`);
  expect(rows[0]).toMatch(/^ shop › master {3}1 pod {3}live {3}whole since/);
  const shown = rows.slice(2, -2).map(row => row.slice('   14:02:11.031 '.length));
  expect(shown).toEqual(
    Array.from({length: shown.length}, (_, index) => `line ${lineCount - shown.length + 1 + index} of the file`),
  );
  screens.press('g');
  await screens.waitFor(
    /held nothing older[\s\S]*line 1 of the file[\s\S]*line 2 of the file[\s\S]*line 25 of the file/,
  );

  served.child.kill('SIGTERM');
  expect(await served.ended).toBe(143);
});

test('a service whose logs need more descriptors than there are can be reached, and says what is missing', async () => {
  const branches = Array.from({length: 120}, (_, index) => {
    writeFileSync(join(folder.path, `${index}.log`), 'one\n');
    return `[[sites.branches]]\nname = "b${index}"\nstatus = "UP"\n[[sites.branches.pods]]\nname = "w"\nfiles = ["${index}.log"]\n`;
  });
  writeFileSync(
    join(folder.path, 'many.toml'),
    `listen = "127.0.0.1:0"\ntenant = "acme"\n[[sites]]\nid = "shop"\n${branches.join('')}`,
  );
  const limited = spawn('sh', ['-c', 'ulimit -n 100; exec "$@"', 'sh', builtCommand, launcher, 'serve', 'many.toml'], {
    cwd: folder.path,
    env: {PATH: process.env.PATH, ...compiledOnce, HOME: folder.path},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(limited);
  let [out, err] = ['', ''];
  limited.stdout.setEncoding('utf8').on('data', text => {
    out += text;
  });
  limited.stderr.setEncoding('utf8').on('data', text => {
    err += text;
  });
  const origin = await waitFor(() => /http:\/\/[\d.:]+/.exec(out)?.[0], {what: 'the address'});
  for (let request = 0; request < 20; request += 1) {
    expect((await fetch(`${origin}/livez`, {headers: {connection: 'close'}})).status).toBe(200);
  }
  const entries: readonly {readonly message: string}[] = err
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(entries.length).toBeGreaterThan(0);
  for (const {message} of entries) {
    expect(message).toMatch(/\.log cannot be read \(too many open files\): pod w is served without it\.$/);
  }
});
