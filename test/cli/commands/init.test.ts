import {existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {sleep} from '#cli/io/io.ts';
import {loadSettings} from '#config/settings/load-settings.ts';
import {copyFixture, startTlsServer} from '../../api/loopback-server.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, fakeToken, startFakeService} from '../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

let service: FakeService;
let home: TempFolder;
let config: string;

beforeEach(async () => {
  home = createTempFolder('init');
  config = join(home.path, '.config/branchlog/config.toml');
  writeFileSync(join(home.path, 'token'), `${fakeToken}\n`, {mode: 0o600});
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main')]);
  service.setLog('branch-1', () => ({lines: ['2026-11-21T14:00:00.000000001Z one']}));
});

afterEach(async () => {
  await service.close();
  home.remove();
});

/** Runs `init`; with rows, on a terminal on which they are typed. */
const init = (rows: readonly string[] | undefined, flags: readonly string[] = []) =>
  runCommand(['init', ...flags], {
    env: {},
    homeFolder: home.path,
    clock: {sleep: (ms, signal) => sleep(ms / 100, signal)},
    ...(rows && {stdin: rows.map(row => `${row}\n`)}),
  });

const tenant = 'org-1';
const authMode = 'mode-1';
const tokenFile = '~/token';
const readTenant = () => service.env.BRANCHLOG_TENANT ?? tenant;
const readAuthMode = () => service.env.BRANCHLOG_AUTH_MODE ?? authMode;
const right = () => [service.baseUrl, readTenant(), readAuthMode(), tokenFile];

const block = (name: string) =>
  `[contexts.${name}]\nbase_url = "${service.baseUrl}"\ntenant = "${readTenant()}"\nauth_mode = "${readAuthMode()}"\ntoken_file = "~/token"\n\n[[contexts.${name}.sites]]\nid = "site-1"\nname = "shop"\n`;

test('asks, checks and writes a config that only the user can read; the host names the context', async () => {
  const {code, stdout, stderr} = await init([...right(), 'site-1', 'shop', '']);
  expect(stderr).toContain('main: 1 line');
  expect([code, stdout]).toEqual([0, '']);
  expect(readFileSync(config, 'utf8')).toBe(block('"127.0.0.1"'));
  expect(statSync(config).mode & 0o777).toBe(0o600);
  expect(stderr).toContain('open it with: branchlog shop\n');
  expect((await loadSettings({flags: {}, env: {}, homeFolder: home.path})).context.sites).toEqual([
    {id: 'site-1', name: 'shop'},
  ]);
});

test('says what is wrong with an answer and asks again, with the last one as the suggestion', async () => {
  writeFileSync(join(home.path, 'open'), `${fakeToken}\n`, {mode: 0o644});
  writeFileSync(join(home.path, 'old'), 'other.other.other\n', {mode: 0o600});
  const {code, stderr} = await init([
    'api.example',
    'http://127.0.0.1:1/dev-v1',
    service.baseUrl,
    'Üx',
    readTenant(),
    readAuthMode(),
    '~/nowhere',
    '~/open',
    '~/old',
    // Refused by the service: everything that authorises is asked for again.
    'site-1',
    '',
    '',
    tokenFile,
    // Unknown: only the site is asked for again.
    'site-9',
    'site-1',
    'shop',
    'prod',
  ]);
  expect(code).toBe(0);
  for (const words of [
    'address: expected an address like https://api.example.com/dev-v1',
    'ECONNREFUSED',
    'tenant: the character at offset 0 cannot be sent',
    '/nowhere is ',
    'chmod',
    '401',
    `Tenant, the id of your organisation [${readTenant()}]: `,
    '404',
    'Id of a site, to try the token on (empty for none) [site-9]: ',
  ]) {
    // Lines are wrapped to the terminal's width.
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(words);
  }
  expect(readFileSync(config, 'utf8')).toBe(block('prod'));
});

test("asks for the authority's certificate where TLS fails without it, and writes its path", async () => {
  const server = await startTlsServer('localhost', (_request, response) => response.end());
  const baseUrl = `https://localhost:${server.port}/dev-v1`;
  const caFile = copyFixture('ca.pem');
  try {
    const {code, stderr} = await init([baseUrl, caFile, 'org-1', 'mode-1', tokenFile, '', 'prod']);
    expect(stderr).toContain('the certificate authority is unknown');
    expect(code).toBe(0);
    expect(readFileSync(config, 'utf8')).toBe(
      `[contexts.prod]\nbase_url = "${baseUrl}"\ntenant = "org-1"\nauth_mode = "mode-1"\ntoken_file = "~/token"\nca_file = "${caFile}"\n`,
    );
  } finally {
    await server.close();
  }
});

test('adds to a file that is there without changing it, and keeps its only context the default', async () => {
  const before = `# mine\n[contexts."a.b"]\ntenant = "t"`;
  mkdirSync(join(home.path, '.config/branchlog'), {recursive: true});
  writeFileSync(join(home.path, 'dotfile'), before, {mode: 0o644});
  symlinkSync(join(home.path, 'dotfile'), config);
  const {code, stderr} = await init([...right(), 'site-1', 'shop', 'a.b', 'prod']);
  expect(stderr).toContain('has a context "a.b" already: give another name');
  expect(code).toBe(0);
  expect(readFileSync(join(home.path, 'dotfile'), 'utf8')).toBe(
    `default_context = "a.b"\n\n${before}\n\n${block('prod')}`,
  );
  expect(readFileSync(config, 'utf8')).toContain('# mine');
});

test.each([
  ['[contexts', ', line 1'],
  ['[contexts.a]\ntenent = "t"', 'contexts.a.tenent'],
  // Nothing can be added to an inline table.
  ['contexts = {a = {tenant = "t"}}', 'as [contexts.NAME]'],
])('a file that cannot be added to is left alone, and that is said: %j', async (text, words) => {
  mkdirSync(join(home.path, '.config/branchlog'), {recursive: true});
  writeFileSync(config, text);
  const {code, stderr} = await init([...right(), '', 'prod']);
  expect(stderr).toContain(words);
  expect(code).toBe(2);
  expect(readFileSync(config, 'utf8')).toBe(text);
});

test('a file that appears while it asks is not overwritten', async () => {
  let asked = '';
  const {promise: isLast, resolve} = Promise.withResolvers<void>();
  async function* type() {
    yield* [...right(), ''].map(row => `${row}\n`);
    await isLast;
    mkdirSync(join(home.path, '.config/branchlog'), {recursive: true});
    writeFileSync(config, '# mine\n');
    yield 'prod\n';
  }
  const {code, stderr} = await runCommand(['init'], {
    env: {},
    homeFolder: home.path,
    stdin: type(),
    onStderr: text => {
      asked += text;
      if (asked.includes('Name for this context')) {
        resolve();
      }
    },
  });
  expect([code, stderr.includes('was changed in the meantime, so nothing was written')]).toEqual([2, true]);
  expect(readFileSync(config, 'utf8')).toBe('# mine\n');
});

test('a token typed by mistake is neither repeated nor written', async () => {
  const {code, stderr} = await init([...right().slice(0, 3), fakeToken, tokenFile, 'site-1', 'shop', 'prod']);
  expect(code).toBe(0);
  expect(stderr).toContain('looks like a token');
  expect(stderr).not.toContain(fakeToken);
  expect(readFileSync(config, 'utf8')).toBe(block('prod'));
});

test('the end of input ends it, and nothing is written', async () => {
  const {code, stderr} = await init(right().slice(0, 2));
  expect(code).toBe(2);
  expect(stderr).toContain('nothing was written');
  expect(existsSync(config)).toBe(false);
});

test('without a terminal the flags are the answers, and the missing ones are named', async () => {
  const {code, stderr} = await init(undefined, ['--base-url', service.baseUrl, '--tenant', tenant]);
  expect(code).toBe(2);
  expect(stderr).toBe('branchlog: branchlog init asks on a terminal; without one, give --auth-mode, --token-file\n');
  const flags = ['--base-url', '--tenant', '--auth-mode', '--token-file'].flatMap((flag, index) => [
    flag,
    right()[index] ?? '',
  ]);
  const refused = await init(undefined, [...flags, '--site', 'site-9']);
  expect([refused.code, existsSync(config)]).toEqual([4, false]);
  expect(refused.stderr).toMatch(/^FAIL {2}site site-9/m);
  const written = await init(undefined, [...flags, '--site', 'site-1', '--site-name', 'shop', '--context', 'prod']);
  expect([written.code, written.stdout]).toEqual([0, '']);
  expect(readFileSync(config, 'utf8')).toBe(block('prod'));
  const again = await init(undefined, [...flags, '--context', 'prod']);
  expect([again.code, again.stderr.includes('already')]).toEqual([2, true]);
});

test('without a config, the program says how to begin', async () => {
  const {code, stderr} = await runCommand(['branches', 'shop'], {env: {}, homeFolder: home.path});
  expect(code).toBe(2);
  expect(stderr).toBe(
    'branchlog: nothing is configured yet: try branchlog demo, open a log with branchlog open app.log, branchlog kube on a Kubernetes cluster, set up a service with branchlog init, or give --base-url, --tenant, --auth-mode and --token-file\n',
  );
});

test('without a config, a path that leads to nothing is said to be none', async () => {
  const {code, stderr} = await runCommand(['none.log'], {env: {}, homeFolder: home.path});
  expect(code).toBe(2);
  expect(stderr).toMatch(/^branchlog: there is no file none\.log\n/);
  const site = await runCommand(['shop'], {env: {}, homeFolder: home.path});
  expect(site.stderr).not.toContain('no file');
});

test('without a config, but with a kubeconfig, it names branchlog kube, too', async () => {
  const named = await runCommand(['branches', 'shop'], {env: {KUBECONFIG: 'kubeconfig'}, homeFolder: home.path});
  mkdirSync(join(home.path, '.kube'));
  writeFileSync(join(home.path, '.kube/config'), '');
  const found = await runCommand(['branches', 'shop'], {env: {}, homeFolder: home.path});
  const hint =
    'try branchlog demo, open a log with branchlog open app.log, read your Kubernetes cluster with branchlog kube, set up a service with branchlog init';
  expect([named.stderr, found.stderr]).toEqual([expect.stringContaining(hint), expect.stringContaining(hint)]);
});
