import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {SettingError} from '#service/backend/errors.ts';
import {clientAddress, networkOf} from '#service/http/connections.ts';
import {describeListenError, formatOrigin, isLocal, prepareSocket} from '#service/http/listen-address.ts';
import {createShortFolder} from '../../support/temp-folder.ts';

test.each([
  [{host: '127.0.0.1', port: 80}, undefined, 'http://127.0.0.1:80'],
  [{host: '0.0.0.0', port: 80}, undefined, 'http://127.0.0.1:80'],
  [{host: '::', port: 80}, undefined, 'http://[::1]:80'],
  [{host: 'fe80::1', port: 80}, undefined, 'http://[fe80::1]:80'],
  [{host: '0.0.0.0', port: 443}, {host: 'logs.example'}, 'https://logs.example:443'],
  [{host: '0.0.0.0', port: 443}, {host: undefined}, 'https://127.0.0.1:443'],
  [{socketPath: '/run/serve.sock'}, undefined, 'unix:/run/serve.sock'],
])('a server that listens on %j is reached, with TLS %j, at %s', (address, tls, origin) => {
  expect(formatOrigin(address, tls)).toBe(origin);
});

test.each([
  [{host: '127.0.0.1', port: 80}, true],
  [{host: '::1', port: 80}, true],
  [{host: '0.0.0.0', port: 80}, false],
  [{socketPath: '/run/serve.sock'}, true],
])('only this machine reaches %j: %s', (address, local) => {
  expect(isLocal(address)).toBe(local);
});

const failure = (code: string) => Object.assign(new Error('it failed'), {code});

test.each([
  ['EADDRINUSE', 'Port 80 on h is in use: stop the program that listens there, or choose another port in listen.'],
  ['EACCES', 'Port 80 on h needs privileges that this user does not have: choose one above 1023 in listen.'],
  ['EADDRNOTAVAIL', 'h is not an address of this machine: choose one that is in listen.'],
  ['ENOTFOUND', 'The name h cannot be resolved: choose an address of this machine in listen.'],
  ['EAI_AGAIN', 'The name h cannot be resolved: choose an address of this machine in listen.'],
  ['EMFILE', 'The service cannot listen on h, port 80: it failed.'],
])('says what to do where listening fails with %s', (code, words) => {
  expect(describeListenError(failure(code), {host: 'h', port: 80})).toBe(words);
});

test('of a socket, the path is told', () => {
  expect(describeListenError(failure('EADDRINUSE'), {socketPath: '/s'})).toBe(
    'The service cannot listen on /s: it failed.',
  );
  expect(describeListenError('odd', {socketPath: '/s'})).toBe('The service cannot listen on /s: odd.');
});

test.each([
  ['10.0.0.1', '10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1', '10.0.0.1'],
  ['::FFFF:10.0.0.1', '10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8::6', '2001:db8'],
  ['::1', '::1', ''],
  [undefined, 'unix', 'unix'],
])('a client at %s has the address %s and the network %s', (remoteAddress, address, network) => {
  expect([clientAddress({remoteAddress}), networkOf(address)]).toEqual([address, network]);
});

const createFolder = () => {
  const folder = createShortFolder('socket');
  onTestFinished(folder.remove);
  return (name: string): string => join(folder.path, name);
};

test('nothing is in the way where no socket is', async () => {
  const at = createFolder();
  await prepareSocket(at('serve.sock'));
  expect(existsSync(at('serve.sock'))).toBe(false);
});

test('a socket that a process left behind is removed', async () => {
  const at = createFolder();
  const left = net.createServer().listen(at('first.sock'));
  await once(left, 'listening');
  // Closing removes the name that the socket was made with only.
  renameSync(at('first.sock'), at('serve.sock'));
  left.close();
  await once(left, 'close');
  await prepareSocket(at('serve.sock'));
  expect(existsSync(at('serve.sock'))).toBe(false);
});

test('a socket on which a process listens is left alone', async () => {
  const at = createFolder();
  const other = net.createServer(socket => socket.destroy()).listen(at('serve.sock'));
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  await expect(prepareSocket(at('serve.sock'))).rejects.toThrow(
    `Another process listens on ${at('serve.sock')}: stop it, or choose another path for the socket in listen.`,
  );
  expect(existsSync(at('serve.sock'))).toBe(true);
});

test('no socket is made in a folder where others could put theirs in its place', async () => {
  const at = createFolder();
  mkdirSync(at('open'));
  chmodSync(at('open'), 0o777);
  const refused = await prepareSocket(at('open/serve.sock')).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SettingError);
  expect(String(refused)).toContain(`would lie in ${at('open')}, where others may replace it: run chmod o-w`);
});

test('a file, a link, and a path that cannot be are left alone', async () => {
  const at = createFolder();
  writeFileSync(at('file'), 'precious');
  symlinkSync('gone', at('link'));
  for (const name of ['file', 'link']) {
    await expect(prepareSocket(at(name))).rejects.toThrow(
      `${at(name)} exists and is not a socket: remove it, or choose another path in listen.`,
    );
  }
  expect(readFileSync(at('file'), 'utf8')).toBe('precious');
  await expect(prepareSocket(at('file/serve.sock'))).rejects.toThrow(
    `The socket ${at('file/serve.sock')} cannot be used: not a directory.`,
  );
});
