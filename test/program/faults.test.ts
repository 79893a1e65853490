import {execFileSync} from 'node:child_process';
import {cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {executable} from '../support/built-program.ts';
import type {FakeFault} from '../support/fake-fault.ts';
import {createGrowingLog} from '../support/fake-log.ts';
import {makeLogAnswer} from '../support/fake-records.ts';
import {type FakeService, fakeToken, startFakeService} from '../support/fake-service.ts';
import {type PtyProgram, type PtyProgramOptions, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

let service: FakeService;
let home: TempFolder;
let program: PtyProgram | undefined;
beforeEach(async () => {
  service = await startFakeService();
  home = createTempFolder('faults');
});
afterEach(async () => {
  await program?.close();
  await service.close();
  home.remove();
});

const writeToken = (token: string): void => {
  // In one step, as a program that renews tokens does it.
  writeFileSync(join(home.path, 'next'), token, {mode: 0o600});
  renameSync(join(home.path, 'next'), join(home.path, 'token'));
};

/** Opens the log of the service's only branch, polled four times a second. */
const openLog = async (context = 'token_file = "~/token"', options: PtyProgramOptions = {}): Promise<PtyProgram> => {
  mkdirSync(join(home.path, '.config/branchlog'), {recursive: true});
  writeFileSync(
    join(home.path, '.config/branchlog/config.toml'),
    `default_context = "p"
[contexts.p]
base_url = "${service.baseUrl}"
tenant = "org-1"
auth_mode = "mode-1"
${context}
[log]
interval = "250ms"
`,
  );
  writeToken(fakeToken);
  program = startPtyProgram({args: ['--', 'site-1', 'main'], columns: 120, home, ...options});
  return program;
};

const isLive = (rows: readonly string[]): boolean =>
  / live\b/.test(rows[0] ?? '') && / following/.test(rows.at(-2) ?? '');

const json = (body: object): string => JSON.stringify(body);

/** What the service does, and what the status line says of it; the demo's faults have a test of their own. */
const faults: readonly (readonly [fault: FakeFault, said: string])[] = [
  [{kind: 'status', status: 404}, 'knows no such branch (404): is it gone?'],
  [{kind: 'reset'}, 'closed the connection (ECONNRESET)'],
  [{kind: 'body', body: json({lines: []})}, 'the answer is not a log: data: expected an array, got nothing'],
  [
    {kind: 'body', body: gzipSync(Buffer.alloc(65 * 1024 * 1024)), headers: {'content-encoding': 'gzip'}},
    'sent more than 64 MB',
  ],
];

test('each fault of the service is told, the lines stay, and it is live again afterwards', async () => {
  const log = createGrowingLog();
  log.emit('the first line');
  service.setLog('branch-1', log.log);
  const ui = await openLog();
  await ui.waitFor(isLive);
  for (const [fault, said] of faults) {
    service.failAlways(fault, 'logs');
    ui.press('r');
    const rows = await ui.waitFor(
      now => now.at(-2)?.includes(said) === true && now[0]?.includes('failing since') === true,
      {what: said},
    );
    expect(rows.join('\n')).toContain('the first line');
    service.failAlways(undefined, 'logs');
    ui.press('r');
    await ui.waitFor(isLive, {what: `it to be live after ${said}`});
  }
  // Odd, but no faults: a byte order mark, bytes that are not UTF-8, and what nobody asked for.
  const answer = json({...makeLogAnswer(log.emit('after the mark'), []), __proto__: {data: []}, extra: [[[]]]});
  const odd = Buffer.from(`\xef\xbb\xbf${answer.replaceAll('the mark', 'the mark \xff\xc0')}`, 'latin1');
  service.failAlways({kind: 'body', body: odd}, 'logs');
  ui.press('r');
  await ui.waitFor(rows => isLive(rows) && rows.join('\n').includes('after the mark'));
  service.failAlways(undefined, 'logs');

  // A key held down, against Retry-After: one try and one more at the end of a second.
  service.failAlways({kind: 'status', status: 503, headers: {'retry-after': '60'}}, 'logs');
  ui.press('r');
  await ui.waitFor('asks to wait 60 s');
  const before = service.requests.length;
  ui.send('r'.repeat(120));
  await waitFor(() => service.requests.length > before, {what: 'the try'});
  // A notice and the failure are both told, and the failure stays without a key.
  ui.press(':', 'copy visible', 'Enter');
  await ui.waitFor(rows => /asks to wait 60 s .*sent 2 lines/.test(rows.at(-2) ?? ''), {what: 'both'});
  expect(service.requests.length - before).toBeLessThanOrEqual(3);

  // Signed out, and a new token: nothing is pressed, and polls are half a minute apart.
  service.failAlways(undefined, 'logs');
  service.setTokens('a.new.one');
  ui.press('r');
  await ui.waitFor('signed out since');
  writeToken('a.new.one');
  await ui.waitFor(isLive, {what: 'the new token to be taken up'});
  ui.press('q');
  expect(await ui.exitCode()).toBe(0);
});

test('a token command that hangs, and what it started, are gone with the program', async () => {
  const ui = await openLog('token_command = ["sh", "-c", "echo $$ > started; sleep 1000 & sleep 1000"]');
  const started = join(home.path, 'started');
  const startedPid = (): string =>
    readdirSync(home.path).includes('started') ? readFileSync(started, 'utf8').trim() : '';
  // One that has ended counts as gone, even if nobody has asked for its exit code yet.
  const isThere = (): boolean =>
    execFileSync('ps', ['-A', '-o', 'pgid=,stat='], {encoding: 'utf8'})
      .split('\n')
      .some(row => {
        const [group, state = 'Z'] = row.trim().split(/\s+/);
        return group === startedPid() && !state.startsWith('Z');
      });
  await waitFor(isThere, {what: 'the command to start'});
  ui.press('q');
  expect(await ui.exitCode()).toBe(0);
  await waitFor(() => !isThere(), {what: 'the group of the command to end'});
});

test('a state of 300 MB and one that is garbage are forgotten, which is said once', async () => {
  const state = join(home.path, '.local/state/branchlog');
  mkdirSync(state, {recursive: true});
  writeFileSync(join(state, 'recent-sites.json'), '');
  truncateSync(join(state, 'recent-sites.json'), 300 * 1024 * 1024);
  writeFileSync(join(state, 'branch-state.json'), Buffer.from([0xff, 0x00, 0x7b, 0x1b]));
  const ui = await openLog();
  await ui.waitFor(rows => / live/.test(rows[0] ?? '') && /were reset/.test(rows.at(-2) ?? ''));
  ui.press('q');
  expect(await ui.exitCode()).toBe(0);
});

// The executable is a single file: a running one cannot be replaced under it.
test.skipIf(executable !== undefined)(
  'it goes on when its files are replaced, and says what no longer works',
  async () => {
    const installed = join(home.path, 'installed');
    for (const part of ['bin', 'dist', 'package.json']) {
      cpSync(join(import.meta.dirname, '../..', part), join(installed, part), {recursive: true});
    }
    const log = createGrowingLog();
    log.emit('the first line');
    service.setLog('branch-1', log.log);
    const ui = await openLog(undefined, {
      command: process.execPath,
      args: [join(installed, 'bin/branchlog.js'), '--', 'site-1', 'main'],
    });
    await ui.waitFor('the first line');
    rmSync(join(installed, 'dist'), {recursive: true});
    ui.press('s');
    await ui.waitFor('save lines to');
    ui.press('Enter');
    await ui.waitFor('this branchlog was replaced on disk');
    log.emit('the second line');
    await ui.waitFor('the second line');
    ui.press('q');
    expect(await ui.exitCode()).toBe(0);
  },
);
