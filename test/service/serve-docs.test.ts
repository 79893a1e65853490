import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createServer} from '#service/http/server.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const text = readFileSync('docs/serve.md', 'utf8');
const blocksOf = (language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block);
const [nginx = '', logrotate = ''] = ['nginx', 'logrotate'].flatMap(blocksOf);
const unitPath = 'docs/systemd/branchlog.service';
const unit = readFileSync(unitPath, 'utf8');

const isInstalled = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

const createFolder = (): string => {
  const folder = createTempFolder('docs');
  onTestFinished(() => folder.remove());
  return folder.path;
};

test('there is one block for each program', () => {
  expect([nginx, logrotate].map(block => block.split('\n')[0])).toEqual([
    'limit_conn_zone $binary_remote_addr zone=branchlog:1m;',
    '/var/log/nginx/*.log {',
  ]);
});

const hasSystemd = isInstalled('systemd-analyze', '--version');

test.skipIf(!hasSystemd)('systemd knows every key of the unit', () => {
  const path = join(createFolder(), 'branchlog.service');
  writeFileSync(path, unit.replace('/usr/bin/branchlog', process.execPath));
  const {status, stderr} = spawnSync('systemd-analyze', ['verify', '--man=no', path], {encoding: 'utf8'});
  expect([status, stderr]).toEqual([0, '']);
});

test.skipIf(!hasSystemd)('the unit is exposed to no more than 2.0 of 10, as systemd counts', () => {
  // It ends with another status past the threshold, in tenths.
  const args = ['security', '--offline=true', '--no-pager', '--threshold=20', unitPath];
  expect(spawnSync('systemd-analyze', args).status).toBe(0);
});

test('the unit ends what serve runs with it', () => {
  expect(unit).toMatch(/^KillMode=control-group$/m);
});

test.skipIf(!isInstalled('systemd-sysusers', '--version'))('systemd makes the user and the folder of the unit', () => {
  const root = createFolder();
  const run = (program: string, ...args: readonly string[]) =>
    spawnSync(program, [`--root=${root}`, ...args], {encoding: 'utf8'});
  mkdirSync(join(root, 'etc'));
  expect(run('systemd-sysusers', join(process.cwd(), 'docs/systemd/sysusers.conf')).status).toBe(0);
  expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toMatch(
    /^branchlog:x:\d+:\d+:branchlog serve:\/:\/usr\/sbin\/nologin$/m,
  );
  const user = /^User=(.*)$/m.exec(unit)?.[1];
  expect(user).toBe('branchlog');
  const made = run('systemd-tmpfiles', '--create', join(process.cwd(), 'docs/systemd/tmpfiles.conf'));
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect((statSync(join(root, 'etc/branchlog')).mode & 0o777).toString(8)).toBe('750');
});

test.skipIf(!isInstalled('logrotate', '--version'))('logrotate rotates with the settings', () => {
  const folder = createFolder();
  const [config, state] = [join(folder, 'logrotate.conf'), join(folder, 'state')];
  writeFileSync(join(folder, 'access.log'), 'one\n');
  writeFileSync(config, logrotate.replace('/var/log/nginx', folder), {mode: 0o600});
  const {status, stderr} = spawnSync('logrotate', ['--debug', '--force', '--state', state, config], {encoding: 'utf8'});
  expect([status, stderr]).toEqual([0, expect.stringMatching(/renaming .*access\.log to .*access\.log\.1/)]);
});

const findPort = async (): Promise<number> => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
};

const nginxPath = ['nginx', '/usr/sbin/nginx'].find(path => isInstalled(path, '-v'));

test.skipIf(!nginxPath || !isInstalled('openssl', 'version'))(
  'a client reaches serve through nginx, with TLS',
  async () => {
    const folder = createFolder();
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    execFileSync(
      'openssl',
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=logs.example.com'
        .split(' ')
        .concat('-addext', 'subjectAltName=DNS:logs.example.com', '-keyout', key, '-out', certificate),
      {stdio: 'pipe'},
    );
    const credentials = {token: 'secret-token', tenant: 'acme', authMode: 'local'};
    const lines = ['2025-01-01T00:00:00.000000000Z one'];
    const server = createServer({
      backend: {
        start: async () => undefined,
        close: async () => undefined,
        listBranches: async () => [],
        readWindow: async () => ({pods: [], lines}),
      },
      ...credentials,
      host: '127.0.0.1',
      port: 0,
    });
    const {baseUrl} = await server.start();
    onTestFinished(() => server.stop());
    const port = await findPort();
    const block = nginx
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('http://127.0.0.1:8787', new URL(baseUrl).origin)
      .replace('/etc/ssl/certs/logs.example.com.pem', certificate)
      .replace('/etc/ssl/private/logs.example.com.key', key);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    mkdirSync(join(folder, 'temp'));
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {}
    http { access_log off; ${temporary.map(name => `${name}_temp_path ${folder}/temp/${name};`).join(' ')} ${block} }`,
    );
    const child = spawn(nginxPath ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')], {stdio: 'ignore'});
    onTestFinished(() => void child.kill());
    const ask = async (path: string): Promise<{readonly status: number | undefined; readonly body: string}> => {
      const request = https.get({
        host: '127.0.0.1',
        port,
        path,
        servername: 'logs.example.com',
        ca: readFileSync(certificate),
        agent: false,
        headers: {authorization: 'Bearer secret-token', tenant: 'acme', 'auth-mode': 'local'},
      });
      const [response] = await once(request, 'response');
      let body = '';
      for await (const chunk of response.setEncoding('utf8')) {
        body += chunk;
      }
      return {status: response.statusCode, body};
    };
    const log = await waitFor(() => ask('/dev-v1/sites/shop/branches/m1/logs').catch(() => false), {
      what: 'nginx to listen',
    });
    expect(log).toMatchObject({
      status: 200,
      body: expect.stringContaining('"data":["2025-01-01T00:00:00.000000000Z one"]'),
    });
    expect((await ask('/healthz')).status).toBe(404);
  },
);
