import {chmodSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeBranch, makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {runCommand} from './run-command.ts';

let service: FakeService;
let home: TempFolder;

beforeEach(async () => {
  home = createTempFolder('doctor');
  service = await startFakeService();
  service.setBranches('site-1', [makeBranch('b-2', 'new'), makeBuiltBranch('branch-1', 'main')]);
  service.setLog('branch-1', () => ({lines: ['2026-11-21T14:00:00.000000001Z one']}));
});

afterEach(async () => {
  await service.close();
  home.remove();
});

const jwt = (claims: object): string =>
  `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`;

/** Rows as status and subject, in order. */
const rowsOf = (stdout: string): readonly string[] =>
  stdout
    .split('\n')
    .filter(row => /^\w/.test(row))
    .map(row => row.slice(0, 20).trim().replace(/ +/g, ' '));

const examine = async (
  changes: {readonly baseUrl?: string; readonly token?: string; readonly mode?: number; readonly site?: string} = {},
) => {
  const token = changes.token ?? service.env.BRANCHLOG_TOKEN ?? '';
  writeFileSync(join(home.path, 'token'), `${token}\n`);
  chmodSync(join(home.path, 'token'), changes.mode ?? 0o600);
  const config = join(home.path, 'config.toml');
  writeFileSync(
    config,
    `[contexts.prod]
base_url = "${changes.baseUrl ?? service.baseUrl}"
tenant = "org-1"
auth_mode = "mode-1"
token_file = "token"
[[contexts.prod.sites]]
id = "${changes.site ?? 'site-1'}"
name = "shop"
`,
  );
  const ran = await runCommand(['doctor', '--config', config], {env: {}, homeFolder: home.path});
  return {...ran, rows: rowsOf(ran.stdout)};
};

test('where all is well every row is ok and the exit code is 0', async () => {
  service.setTokens(jwt({exp: Math.floor(Date.now() / 1000) + 86_400}));
  const {code, rows, stdout, stderr} = await examine({token: jwt({exp: Math.floor(Date.now() / 1000) + 86_400})});
  expect(stderr).toBe('');
  expect(rows).toEqual([
    'ok config',
    'ok token',
    'ok expiry',
    'ok name',
    'ok connection',
    'ok TLS',
    'ok site shop',
    'ok clock',
    'ok log',
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain('2 branches, 1 deployed');
  expect(stdout).toContain('main: 1 lines, 1 pods');
  expect(stdout.split('\n').filter(row => row.length > 80 && !row.includes('/'))).toEqual([]);
});

test('no config is a failure of class 2, and the rest is skipped', async () => {
  const {code, stdout} = await runCommand(['doctor'], {env: {}});
  expect(code).toBe(2);
  expect(rowsOf(stdout)).toEqual(['FAIL config', 'skip the rest']);
});

test('a token that others can read is a failure of class 3 that says what to do', async () => {
  const {code, rows, stdout} = await examine({mode: 0o644});
  expect(code).toBe(3);
  expect(rows.slice(0, 2)).toEqual(['ok config', 'FAIL token']);
  expect(stdout).toContain('chmod');
  expect(rows.at(-1)).toBe('skip service');
});

test('an expired token is a failure of class 3, and is tried all the same', async () => {
  const token = jwt({exp: 1_700_000_000});
  service.setTokens(token);
  const {code, rows, stdout} = await examine({token});
  expect(code).toBe(3);
  expect(rows).toContain('FAIL expiry');
  expect(rows).toContain('ok site shop');
  expect(stdout).toContain('2023-11-14T22:13:20Z');
});

test('a refused connection is a failure of class 5', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => probe.once('listening', resolve));
  const address = probe.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await new Promise(resolve => probe.close(resolve));
  const {code, rows, stdout} = await examine({baseUrl: `http://127.0.0.1:${port}/dev-v1`});
  expect(code).toBe(5);
  expect(rows.slice(-2)).toEqual(['FAIL connection', 'skip service']);
  expect(stdout).toContain('ECONNREFUSED');
});

test('https to a port that speaks plain http is a failure of class 5', async () => {
  const {code, rows} = await examine({baseUrl: service.baseUrl.replace('http:', 'https:')});
  expect(code).toBe(5);
  expect(rows).toContain('FAIL TLS');
});

test('a site that the service does not know is a failure of class 4', async () => {
  const {code, rows} = await examine({site: 'nowhere'});
  expect(code).toBe(4);
  expect(rows).toContain('FAIL site shop');
});

test('an answer that is not the interface is a failure of class 6', async () => {
  service.failAlways({kind: 'html'}, 'logs');
  const {code, rows} = await examine();
  expect(code).toBe(6);
  expect(rows.at(-1)).toBe('FAIL log');
});

test('clocks that differ are a warning', async () => {
  service.setDate('Sat, 21 Nov 2020 14:00:00 GMT');
  const {code, rows, stdout} = await examine();
  expect(code).toBe(0);
  expect(rows).toContain('warn clock');
  expect(stdout).toContain('ahead of the service');
});

test('no secret is in what it says', async () => {
  service.setTokens('other.other.other');
  const {code, stdout, stderr} = await examine({token: 'canary.canary.canary'});
  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain('canary');
});
