import type {RequestListener} from 'node:http';
import {inspect} from 'node:util';
import {afterEach, expect, test} from 'vitest';
import {canaryToken, connect, failureOf} from './client-setup.ts';
import {type LoopbackServer, startServer, startTcpServer, startTlsServer} from './loopback-server.ts';

const bodyCanary = 'canary-body-9c41';
const proxyCanary = 'canary-proxy-77aa';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await server.close();
  }
});

/** Everything that a crash report, a debug log or a careless print could show of an error, its causes included. */
const everythingOf = (error: unknown): string => {
  const texts: string[] = [];
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    texts.push(String(current), current.stack ?? '', JSON.stringify(current));
  }
  return [
    ...texts,
    inspect(error, {depth: 20, showHidden: true, customInspect: false}),
    inspect(error, {depth: 20}),
  ].join('\n');
};

const canaries = [canaryToken, bodyCanary, proxyCanary, 'canary-signature', 'canary-sub'].flatMap(value => [
  value,
  Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -2),
  Buffer.from(value).toString('base64url').slice(0, -2),
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
]);

const expectClean = (error: unknown): void => {
  const text = everythingOf(error).toLowerCase();
  expect(canaries.filter(canary => text.includes(canary.toLowerCase()))).toEqual([]);
};

const statuses = [300, 301, 302, 307, 308, 400, 401, 403, 404, 407, 418, 429, 500, 502, 503];
const spoilt: readonly (readonly [string, RequestListener])[] = [
  ...statuses.map(
    status =>
      [
        `status ${status}`,
        (_, response) =>
          response
            .writeHead(status, {
              location: `https://${bodyCanary}:${bodyCanary}@other.example/${bodyCanary}`,
              'x-note': bodyCanary,
            })
            .end(bodyCanary),
      ] as const satisfies readonly [string, RequestListener],
  ),
  ...[`http://${canaryToken}.other.example/`, `https://${canaryToken.toUpperCase()}:1/`].map(
    location =>
      [
        `a redirect to ${location}`,
        (_, response) => response.writeHead(302, {location}).end(),
      ] as const satisfies readonly [string, RequestListener],
  ),
  [
    'a reason that repeats the token',
    (_, response) => response.writeHead(503, {'branchlog-reason': `no access with ${canaryToken}`}).end(),
  ],
  ['not JSON', (_, response) => response.end(`{"${bodyCanary}":${bodyCanary}`)],
  ['HTML', (_, response) => response.end(`<html>${bodyCanary}`)],
  ['no data', (_, response) => response.end(`{"dbPassword":"${bodyCanary}"}`)],
  ['a string', (_, response) => response.end(`"${bodyCanary}"`)],
  ['a reset', (request, response) => response.write(bodyCanary, () => request.socket.resetAndDestroy())],
  ['damaged gzip', (_, response) => response.writeHead(200, {'content-encoding': 'gzip'}).end(bodyCanary)],
  ['a stall', (_, response) => void response.write(bodyCanary)],
  ['too large', (_, response) => response.end(bodyCanary.repeat(10_000))],
];

test.each(spoilt)('%s shows no secret in its error', async (_, handle) => {
  const server = await startServer(handle);
  servers.push(server);
  const client = connect(server.port, {limits: {idleMs: 100, bodyBytesMax: 50_000}}, canaryToken);
  expectClean(await failureOf(client.fetchLog('s', 'b')));
  expectClean(await failureOf(client.listBranches('s')));
  client.close();
});

test('faults below HTTP show no secret in their errors', async () => {
  const silent = await startTcpServer(() => {});
  const resetting = await startTcpServer(socket => socket.once('data', () => socket.destroy()));
  const talking = await startTcpServer(socket => socket.end(`${bodyCanary}\r\n\r\n`));
  const secure = await startTlsServer('self-signed', (_, response) => response.end('[]'));
  servers.push(silent, resetting, talking, secure);
  const proxy = `http://${proxyCanary}:${proxyCanary}@127.0.0.1:${resetting.port}`;
  const clients = [
    connect(silent.port, {limits: {headersMs: 50}}, canaryToken),
    connect(resetting.port, {}, canaryToken),
    connect(talking.port, {}, canaryToken),
    connect(1, {baseUrl: `https://127.0.0.1:${secure.port}/dev-v1`}, canaryToken),
    connect(1, {baseUrl: 'http://name.invalid/dev-v1'}, canaryToken),
    connect(1, {baseUrl: 'https://api.test/dev-v1', proxy}, canaryToken),
    connect(1, {baseUrl: 'http://api.test/dev-v1', env: {HTTP_PROXY: proxy}}, canaryToken),
    connect(1, {baseUrl: 'http://api.test/dev-v1', proxy: `::::${proxyCanary}`}, canaryToken),
    connect(1, {baseUrl: 'http://api.test/dev-v1', proxy: `socks5://${proxyCanary}:x@127.0.0.1:1`}, canaryToken),
    connect(silent.port, {tenant: `a\n${bodyCanary}`}, canaryToken),
    connect(silent.port, {}, `${canaryToken} ${bodyCanary}`),
  ];
  for (const client of clients) {
    expectClean(await failureOf(client.fetchLog('s', 'b')));
    expectClean(client);
    client.close();
  }
});
