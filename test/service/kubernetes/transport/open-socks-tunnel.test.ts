import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import type {KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';
import {apiKinds, connectTo, startApi} from '../start-api.ts';
import {type SocksManners, startSocksProxy} from './start-socks-proxy.ts';

const fault = (client: KubeClient): Promise<KubeError> =>
  client.get('/version').then(
    () => expect.unreachable('no error'),
    (error: KubeError) => error,
  );

const scheme = (kind: (typeof apiKinds)[number]): string => (kind === 'plain' ? 'http' : 'https');

test.each(apiKinds)('goes through a SOCKS5 proxy, with its password, to %s, which the proxy looks up', async kind => {
  const api = await startApi(kind, ({httpVersion}, response) => response.end(JSON.stringify({httpVersion})));
  const proxy = await startSocksProxy(api.port, {login: ['dev', 'p@ss']});
  for (const protocol of ['socks5', 'socks5h']) {
    const client = connectTo(`${scheme(kind)}://api.cluster.example:6443`, {
      proxy: new URL(`${protocol}://dev:p%40ss@${proxy.host}`),
    });
    expect(await client.get('/version')).toEqual({httpVersion: kind === 'h2' ? '2.0' : '1.1'});
  }
  expect(proxy.targets).toEqual(Array(2).fill('3 api.cluster.example 6443'));
});

test.each([
  ['127.0.0.2', '1 127.0.0.2 80'],
  ['[fd00::1:2]', '4 fd00:0000:0000:0000:0000:0000:0001:0002 80'],
  ['[::1]', '4 0000:0000:0000:0000:0000:0000:0000:0001 80'],
  ['[1:2:3:4:5:6:7:8]', '4 0001:0002:0003:0004:0005:0006:0007:0008 80'],
  ['[::ffff:10.0.0.1]', '4 0000:0000:0000:0000:0000:ffff:0a00:0001 80'],
])('asks for the address %s as one, also without a password', async (host, target) => {
  const api = await startApi('plain', (_, response) => response.end('{}'));
  const proxy = await startSocksProxy(api.port);
  await connectTo(`http://${host}`, {proxy: new URL(`socks5://${proxy.host}`)}).get('/version');
  expect(proxy.targets).toEqual([target]);
});

test.each<[string, string, SocksManners, string]>([
  ['wants a password', '', {login: ['dev', 'p']}, 'asks for a name and a password: write them into its address'],
  [
    'refuses it',
    'dev:wrong@',
    {login: ['dev', 'p']},
    'does not accept the name and the password in its address: correct them there',
  ],
  [
    'wants none that is so long',
    `dev:${'wrong'.repeat(60)}@`,
    {login: ['dev', 'p']},
    'does not accept the name and the password in its address: correct them there',
  ],
  [
    'does not want to',
    '',
    {code: 2},
    'refused to connect to ADDRESS (not allowed by its rules): check what it allows, or exempt the address with NO_PROXY',
  ],
  [
    'says no more than that it does not want to',
    '',
    {code: 2, isBrief: true},
    'refused to connect to ADDRESS (not allowed by its rules): check what it allows, or exempt the address with NO_PROXY',
  ],
  [
    'fails',
    '',
    {code: 1},
    'refused to connect to ADDRESS (general failure): check what it allows, or exempt the address with NO_PROXY',
  ],
  [
    'says what no standard knows',
    '',
    {code: 99},
    'refused to connect to ADDRESS (code 99): check what it allows, or exempt the address with NO_PROXY',
  ],
  [
    'cannot reach the server',
    '',
    {code: 5},
    'cannot reach ADDRESS (connection refused): check the address, and that the API server runs',
  ],
  [
    'cannot find the server',
    '',
    {code: 4},
    'cannot reach ADDRESS (host unreachable): check the address, and that the API server runs',
  ],
  [
    'is none',
    '',
    {says: 'HTTP/1.1 400 Bad Request\r\n\r\n'},
    'does not speak SOCKS5: check proxy-url, HTTPS_PROXY or ALL_PROXY',
  ],
  [
    'hangs up',
    '',
    {says: ''},
    'closed the connection before it reached ADDRESS: check proxy-url, HTTPS_PROXY or ALL_PROXY',
  ],
])('a proxy that %s is named, without the password', async (_, login, manners, words) => {
  const {host} = await startSocksProxy(1, manners);
  const error = await fault(
    connectTo('https://api.cluster.example:6443', {proxy: new URL(`socks5://${login}${host}`)}),
  );
  expect([error.kind, error.message.replace('https://api.cluster.example:6443', 'ADDRESS')]).toEqual([
    'connection',
    `The proxy ${host} ${words}.`,
  ]);
  expect(inspect(error, {depth: 20})).not.toContain('wrong');
});

test('a proxy that is not there, and one that does not answer, are told from the cluster', async () => {
  const gone = await fault(
    connectTo('https://api.cluster.example', {proxy: new URL('socks5://dev:wrong@127.0.0.1:1')}),
  );
  expect(gone.message).toBe(
    'The proxy 127.0.0.1:1 cannot be reached (ECONNREFUSED): check proxy-url, HTTPS_PROXY or ALL_PROXY.',
  );
  const {host} = await startSocksProxy(1, {isSilent: true});
  const proxy = new URL(`socks5://${host}`);
  const silent = await fault(connectTo('https://api.cluster.example', {proxy}, {connectMs: 50}));
  expect([silent.kind, silent.message]).toEqual([
    'timeout',
    `The proxy ${host} refused to connect to https://api.cluster.example in time: check the proxy, and whether it can reach that address.`,
  ]);
  expect(inspect([gone, silent], {depth: 20})).not.toContain('wrong');
});
