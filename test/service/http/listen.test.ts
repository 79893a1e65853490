import {once} from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import {join} from 'node:path';
import tls from 'node:tls';
import {expect, onTestFinished, test} from 'vitest';
import {readTlsPair} from '#service/http/served-tls.ts';
import {copyFixture} from '../../api/loopback-server.ts';
import {runCommand} from '../../cli/run-command.ts';
import {createTestAuthority} from '../../support/kubernetes/server/test-authority.ts';
import {createShortFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';
import {runService} from '../run-service.ts';

const sites = `
[[sites]]
id = "shop"
[[sites.branches]]
name = "master"
status = "UP"
[[sites.branches.pods]]
name = "web-0"
files = ["shop.log"]
`;
const tlsHead = 'listen = "127.0.0.1:0"\ntenant = "acme"\ntls_cert = "cert.pem"\ntls_key = "key.pem"\n';

const createFolder = () => {
  const folder = createShortFolder('listen');
  onTestFinished(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);
  /** As programs that renew certificates do: each file is replaced at once, and everybody may read a certificate. */
  const replace = (name: string, text: string): void => {
    writeFileSync(at(`${name}.new`), text, {mode: name === 'cert.pem' ? 0o644 : 0o600});
    renameSync(at(`${name}.new`), at(name));
  };
  writeFileSync(at('shop.log'), 'one\n');
  return {path: folder.path, at, replace};
};

const startTls = async (authority = createTestAuthority()) => {
  const folder = createFolder();
  folder.replace('cert.pem', authority.server.cert);
  folder.replace('key.pem', authority.server.key);
  writeFileSync(folder.at('ca.pem'), authority.ca, {mode: 0o600});
  return {...folder, authority, service: await runService(folder.path, tlsHead + sites)};
};

/** The certificate that a new connection gets; the reason if there is none. */
const handshake = async (baseUrl: string, options: tls.ConnectionOptions): Promise<string> => {
  const socket = tls.connect({port: Number(new URL(baseUrl).port), host: '127.0.0.1', ...options});
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate()?.toString() ?? '';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    socket.destroy();
  }
};

test('a client reaches the service over TLS with its ca_file, by the name in the certificate', async () => {
  const {at, service} = await startTls();
  expect(service.baseUrl).toMatch(/^https:\/\/localhost:\d+\/dev-v1$/);
  writeFileSync(
    at('config.toml'),
    `[contexts.a]\nbase_url = "${service.baseUrl}"\ntenant = "acme"\nauth_mode = "local"\ntoken_file = "${at('token')}"\nca_file = "${at('ca.pem')}"\n`,
    {mode: 0o600},
  );
  const ran = await runCommand(['logs', 'shop', 'master', '--config', at('config.toml')]);
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
  expect(ran.stdout).toMatch(/one$/m);
  // A warning is due only where there is no TLS.
  expect(service.stderr()).toBe('');
});

test('refuses TLS 1.1, and takes 1.2', async () => {
  const {service, authority} = await startTls();
  const {ca, server} = authority;
  const old = {minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0'} as const;
  expect(await handshake(service.baseUrl, {ca, ...old})).toMatch(/ALERT_PROTOCOL_VERSION/);
  expect(await handshake(service.baseUrl, {ca, maxVersion: 'TLSv1.2'})).toBe(server.cert);
});

test('takes only suites with forward secrecy under TLS 1.2, and no renegotiation', async () => {
  const {service, authority} = await startTls();
  const {ca, server} = authority;
  const port = Number(new URL(service.baseUrl).port);
  const offered = {ca, maxVersion: 'TLSv1.2'} as const;
  expect(await handshake(service.baseUrl, {...offered, ciphers: 'AES128-GCM-SHA256:AES256-SHA'})).toMatch(
    /HANDSHAKE_FAILURE/,
  );
  expect(await handshake(service.baseUrl, {...offered, ciphers: 'ECDHE+AES:!AESGCM'})).toMatch(/HANDSHAKE_FAILURE/);
  expect(await handshake(service.baseUrl, {...offered, ciphers: 'ECDHE+AESGCM'})).toBe(server.cert);
  const socket = tls.connect({port, host: '127.0.0.1', ...offered});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  const refused = new Promise(resolve => {
    socket.on('error', resolve);
    socket.renegotiate({}, resolve);
  });
  expect(String(await refused)).toMatch(/no renegotiation/);
});

test('new connections get the new certificate once its files are replaced; half a renewal changes nothing', async () => {
  const {service, authority, replace} = await startTls();
  const renewed = createTestAuthority();
  replace('cert.pem', renewed.server.cert);
  await waitFor(() => service.stderr().includes('does not belong to the certificate'), {what: 'the warning'});
  expect(service.stderr()).toContain('The TLS certificate was not reloaded; the previous one stays in effect: ');
  expect(await handshake(service.baseUrl, {ca: authority.ca})).toBe(authority.server.cert);
  replace('key.pem', renewed.server.key);
  await waitFor(() => service.stderr().includes('The TLS certificate was reloaded.'), {what: 'the new certificate'});
  expect(await handshake(service.baseUrl, {ca: renewed.ca})).toBe(renewed.server.cert);
  expect(service.stderr().split('was not reloaded')).toHaveLength(2);
});

test('SIGHUP takes up a certificate in another place, unless it cannot be used', async () => {
  const {service, authority, replace} = await startTls();
  const other = createTestAuthority();
  replace('other.pem', other.server.cert);
  replace('other.key', authority.server.key);
  const moved = tlsHead.replace('"cert.pem"', '"other.pem"').replace('"key.pem"', '"other.key"') + sites;
  await service.reload(moved);
  expect(service.stderr()).toContain('The config was not reloaded');
  expect(await handshake(service.baseUrl, {ca: authority.ca})).toBe(authority.server.cert);
  replace('other.key', other.server.key);
  await service.reload(moved);
  expect(await handshake(service.baseUrl, {ca: other.ca})).toBe(other.server.cert);
});

test('TLS begins and ends with a restart only', async () => {
  const {service} = await startTls();
  await service.reload(`listen = "127.0.0.1:0"\ntenant = "acme"\n${sites}`);
  expect(service.stderr()).toContain('The new value of tls_cert in the config takes effect at the next start.');
});

test.each([
  ['a key that every user may read', 0o644, (key: string) => key, 'key.pem is open to every user: run chmod 600'],
  ['a key of another pair', 0o600, () => createTestAuthority().server.key, 'does not belong to the certificate'],
  ['a key that is none', 0o600, () => 'hello', 'key.pem is not a private key in PEM form, without a passphrase.'],
])('%s is refused, and none of it is shown', async (_what, mode, change, words) => {
  const {path, at, replace} = createFolder();
  const {server} = createTestAuthority();
  replace('cert.pem', server.cert);
  replace('key.pem', change(server.key));
  chmodSync(at('key.pem'), mode);
  const service = await runService(path, tlsHead + sites);
  expect(await service.ended).toBe(2);
  expect(service.stderr()).toContain(words);
  expect(service.stderr()).not.toMatch(/PRIVATE KEY|hello/);
});

test('a certificate of more than 1 MB is refused', async () => {
  const {at, replace} = createFolder();
  const {server} = createTestAuthority();
  replace('key.pem', server.key);
  const paths = {cert: at('cert.pem'), key: at('key.pem')};
  replace('cert.pem', server.cert.padEnd(1024 * 1024));
  expect((await readTlsPair(paths)).key.toString()).toBe(server.key);
  replace('cert.pem', server.cert.padEnd(1024 * 1024 + 1));
  await expect(readTlsPair(paths)).rejects.toThrow('is larger than');
});

test('a certificate that has ended is served, with a warning', async () => {
  const {path, replace} = createFolder();
  replace('cert.pem', readFileSync(copyFixture('expired.pem'), 'utf8'));
  replace('key.pem', readFileSync(copyFixture('expired.key'), 'utf8'));
  const service = await runService(path, tlsHead + sites);
  expect(service.stderr()).toMatch(/cert\.pem expired at 20\d\d-.*: clients refuse it\./);
});

const socketHead = 'listen = "unix:serve.sock"\ntenant = "acme"\n';

const askSocket = async (path: string): Promise<number | undefined> => {
  const request = http.get({socketPath: path, path: '/healthz', agent: false});
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode;
};

test('a Unix socket is open to its user and group, and goes with the service', async () => {
  const {path, at} = createFolder();
  const service = await runService(path, socketHead + sites);
  expect(service.baseUrl).toBe(`unix:${at('serve.sock')}`);
  expect((statSync(at('serve.sock')).mode & 0o777).toString(8)).toBe('660');
  expect(await askSocket(at('serve.sock'))).toBe(200);
  expect(service.stderr()).toBe('');
  service.signals.emit('SIGTERM');
  await service.ended;
  expect(existsSync(at('serve.sock'))).toBe(false);
});

test('a context reaches the service over its socket, and doctor and errors know what a socket is', async () => {
  const {path, at} = createFolder();
  const service = await runService(path, socketHead + sites);
  const baseUrl = `${service.baseUrl}:/dev-v1`;
  writeFileSync(
    at('config.toml'),
    `[contexts.here]\nbase_url = "${baseUrl}"\ntenant = "acme"\nauth_mode = "local"\ntoken_file = "${at('token')}"\n`,
    {mode: 0o600},
  );
  // A proxy of the environment does not lead to it.
  const env = {HTTP_PROXY: 'http://127.0.0.1:9'};
  const ran = await runCommand(['logs', 'shop', 'master', '--config', at('config.toml')], {env});
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
  expect(ran.stdout).toMatch(/one$/m);
  const examined = await runCommand(['doctor', '--config', at('config.toml')], {env});
  expect(examined.stdout).toContain(`${at('serve.sock')} accepts connections`);
  expect(examined.stdout).toContain('plain http, but it stays on this machine');
  expect(examined.stdout).not.toContain('FAIL');
  service.signals.emit('SIGTERM');
  await service.ended;
  const gone = await runCommand(['logs', 'shop', 'master', '--config', at('config.toml')], {env});
  expect(gone.stderr).toContain(`there is no socket ${at('serve.sock')}: is the service running?`);
  expect(gone.code).toBe(5);
});

test('no token goes to a socket in a folder that everybody may write to', async () => {
  const {at} = createFolder();
  mkdirSync(at('open'));
  chmodSync(at('open'), 0o777);
  let connections = 0;
  const other = net.createServer(() => {
    connections += 1;
  });
  other.listen(at('open/s'));
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  writeFileSync(at('token'), 'abc', {mode: 0o600});
  writeFileSync(
    at('config.toml'),
    `[contexts.here]\nbase_url = "unix:${at('open/s')}:/dev-v1"\ntenant = "acme"\nauth_mode = "local"\ntoken_file = "${at('token')}"\n`,
    {mode: 0o600},
  );
  const ran = await runCommand(['logs', 'shop', 'master', '--config', at('config.toml')]);
  expect(ran.stderr).toContain(`the socket ${at('open/s')} lies in ${at('open')}, where others may replace it`);
  const examined = await runCommand(['doctor', '--config', at('config.toml')]);
  expect(examined.stdout).toContain(`the socket ${at('open/s')} lies in`);
  expect([ran.code, connections]).toEqual([2, 0]);
});

test('a socket that a killed process left is replaced', async () => {
  const {path, at} = createFolder();
  const left = net.createServer().listen(at('first.sock'));
  await once(left, 'listening');
  // Closing removes the name that the socket was made with only.
  renameSync(at('first.sock'), at('serve.sock'));
  left.close();
  await once(left, 'close');
  expect(existsSync(at('serve.sock'))).toBe(true);
  await runService(path, socketHead + sites);
  expect(await askSocket(at('serve.sock'))).toBe(200);
});

test('a socket of a process that lives, and a file, are left alone and refused', async () => {
  const {path, at} = createFolder();
  const other = net.createServer(socket => socket.destroy()).listen(at('serve.sock'));
  await once(other, 'listening');
  const refused = await runService(path, socketHead + sites);
  expect(await refused.ended).toBe(1);
  expect(refused.stderr()).toContain(`Another process listens on ${at('serve.sock')}: stop it, or choose another`);
  expect(existsSync(at('serve.sock'))).toBe(true);
  other.close();
  await once(other, 'close');
  writeFileSync(at('serve.sock'), 'precious');
  const second = await runService(path, socketHead + sites);
  expect(await second.ended).toBe(2);
  expect(second.stderr()).toContain('exists and is not a socket: remove it, or choose another path in listen.');
  expect(readFileSync(at('serve.sock'), 'utf8')).toBe('precious');
});

test.each<[string, (folder: ReturnType<typeof createFolder>) => string | undefined, string]>([
  ['an empty token', ({at}) => void writeFileSync(at('token'), '\n', {mode: 0o600}), 'token is empty'],
  [
    'a token of two lines',
    ({at}) => void writeFileSync(at('token'), `${'a'.repeat(20)}\nb\n`, {mode: 0o600}),
    'token has an invalid character at offset 20',
  ],
  [
    'a token behind a link that leads nowhere',
    ({at}) => void symlinkSync(at('gone'), at('token')),
    'is a link to nothing',
  ],
  [
    'metrics with the token of the logs',
    ({at}) => {
      writeFileSync(at('token'), `${'a'.repeat(20)}\n`, {mode: 0o600});
      return 'metrics_token_file = "token"\n';
    },
    'hold the same token',
  ],
  [
    'a certificate that is not there',
    () => 'tls_cert = "cert.pem"\ntls_key = "key.pem"\n',
    'cert.pem cannot be read: no such file or directory',
  ],
])('%s ends the service with 2, so that it is not started again and again', async (_, prepare, sentence) => {
  const folder = createFolder();
  const head = prepare(folder) ?? '';
  const service = await runService(folder.path, `listen = "127.0.0.1:0"\ntenant = "acme"\n${head}${sites}`);
  expect(await service.ended).toBe(2);
  expect(service.stderr()).toContain(sentence);
});
