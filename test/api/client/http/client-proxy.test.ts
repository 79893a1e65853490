import {createServer} from 'node:http';
import {connect as connectTcp} from 'node:net';
import {afterEach, expect, test} from 'vitest';
import type {Client} from '#api/client/client.ts';
import {connect, emptyLog, failureOf} from '../../client-setup.ts';
import {copyFixture, type LoopbackServer, startServer, startTcpServer, startTlsServer} from '../../loopback-server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) {
    await cleanup();
  }
});

const keep = (server: LoopbackServer): LoopbackServer => {
  cleanups.push(server.close);
  return server;
};

const use = (client: Client): Client => {
  cleanups.push(() => client.close());
  return client;
};

/** A proxy whose every tunnel leads to one port; `asked` keeps what it was asked for. */
const startTunnel = async (targetPort: number) => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url, request.headers['proxy-authorization'], request.headers.authorization);
    const target = connectTcp(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
    cleanups.push(() => target.destroy());
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  return {port: address !== null && typeof address === 'object' ? address.port : 0, asked};
};

test('an http service is asked through the proxy of the environment', async () => {
  const proxy = keep(await startServer((_, response) => response.end(emptyLog)));
  const client = connect(1, {
    baseUrl: 'http://api.test/dev-v1',
    env: {http_proxy: `http://user:pw@127.0.0.1:${proxy.port}`},
  });
  await use(client).fetchLog('s', 'b');
  expect(proxy.requests[0]?.url).toBe('http://api.test/dev-v1/sites/s/branches/b/logs');
  expect(proxy.requests[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('user:pw').toString('base64')}`);
});

test('an https service is reached through a tunnel that never sees the token', async () => {
  const service = keep(await startTlsServer('localhost', (_, response) => response.end(emptyLog)));
  const proxy = await startTunnel(service.port);
  const client = connect(1, {
    baseUrl: 'https://localhost:8443/dev-v1',
    proxy: `http://user:pw@127.0.0.1:${proxy.port}`,
    caFile: copyFixture('ca.pem'),
  });
  await use(client).fetchLog('s', 'b');
  expect(proxy.asked).toEqual(['localhost:8443', `Basic ${Buffer.from('user:pw').toString('base64')}`, undefined]);
  expect(service.requests[0]?.headers.authorization).toBe('Bearer plain-token');
});

test('NO_PROXY is honoured, and the proxy setting wins over it', async () => {
  const proxy = keep(await startServer((_, response) => response.end(emptyLog)));
  const address = `http://127.0.0.1:${proxy.port}`;
  const base = {baseUrl: 'http://api.invalid/dev-v1'};
  const without = connect(1, {...base, env: {HTTP_PROXY: address, NO_PROXY: 'api.invalid'}});
  expect((await failureOf(use(without).fetchLog('s', 'b'))).kind).toBe('network');
  expect(proxy.requests).toHaveLength(0);
  await use(connect(1, {...base, proxy: address, env: {NO_PROXY: '*'}})).fetchLog('s', 'b');
  expect(proxy.requests).toHaveLength(1);
});

test('a loopback service is not asked through the proxy of the environment', async () => {
  const proxy = keep(await startServer((_, response) => response.end(emptyLog)));
  const service = keep(await startServer((_, response) => response.end(emptyLog)));
  const env = {http_proxy: `http://127.0.0.1:${proxy.port}`, HTTP_PROXY: `http://127.0.0.1:${proxy.port}`};
  await use(connect(service.port, {env})).fetchLog('s', 'b');
  expect([service.requests.length, proxy.requests.length]).toEqual([1, 0]);
});

test('what a proxy refuses is told without its name and password', async () => {
  const refusing = keep(
    await startTcpServer(socket =>
      socket.once('data', () => socket.end('HTTP/1.1 407 Authentication Required\r\n\r\n')),
    ),
  );
  const gone = await startServer(() => {});
  await gone.close();
  const ask = async (port: number, baseUrl: string) => {
    const client = connect(1, {baseUrl, proxy: `http://canary-user:canary-pw@127.0.0.1:${port}`});
    const failure = await failureOf(use(client).fetchLog('s', 'b'));
    return [failure.kind, failure.message.replace(`127.0.0.1:${port}`, 'PROXY')];
  };
  const words = 'the proxy PROXY asks for a name and password (407): put them into its address';
  expect(await ask(refusing.port, 'https://api.test/dev-v1')).toEqual(['network', words]);
  expect(await ask(refusing.port, 'http://api.test/dev-v1')).toEqual(['network', words]);
  expect(await ask(gone.port, 'https://api.test/dev-v1')).toEqual([
    'network',
    'the proxy PROXY refused the connection',
  ]);
});
