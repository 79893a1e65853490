import {once} from 'node:events';
import http from 'node:http';
import net from 'node:net';
import {gunzipSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import type {Backend, BranchRecord, Fault, ServedWindow} from '#service/backend/backend.ts';
import type {RequestLogEntry} from '#service/http/answers/request-log.ts';
import {createServer} from '#service/http/server.ts';
import {waitFor} from '../../support/wait-for.ts';

const token = 'secret-token-1234';
const headers = {
  authorization: `Bearer ${token}`,
  tenant: 'acme',
  'auth-mode': 'local',
  'content-type': 'application/json',
  'cache-control': 'no-cache',
};

const branches: readonly BranchRecord[] = [
  {_id: 'a/b ä', name: 'master', status: 'DEPLOY_APPLICATION_SUCCESS'},
  {_id: 'c', name: 'failed', status: 'DEPLOY_APPLICATION_FAILED'},
  {_id: 'd', name: 'new', status: null},
];

type Setup = {
  lines?: readonly string[];
  says?: Pick<ServedWindow, 'cut' | 'arrivals'>;
  faults?: Fault[];
  failure?: Error;
  gate?: Promise<void>;
};

const start = async ({
  lines = ['2025-01-01T00:00:00.000000000Z one'],
  says,
  faults = [],
  failure,
  gate,
}: Setup = {}) => {
  const entries: RequestLogEntry[] = [];
  const calls: string[] = [];
  const warnings: string[] = [];
  const backend: Backend = {
    start: async () => void calls.push('start'),
    close: async () => void calls.push('close'),
    listBranches: async siteId => (siteId === 'shop' || siteId === 'store' ? branches : undefined),
    readWindow: async (siteId, branchId) => {
      await gate;
      if (failure) {
        throw failure;
      }
      return siteId === 'shop' && branches.some(branch => branch._id === branchId)
        ? {pods: [], lines, ...says}
        : undefined;
    },
    nextFault: () => faults.shift(),
  };
  const server = createServer({
    backend,
    token,
    siteTokens: new Map([['store', 'token-of-the-store']]),
    tenant: 'acme',
    authMode: 'local',
    host: '127.0.0.1',
    port: 0,
    log: entry => entries.push(entry),
    warn: message => warnings.push(message),
    sessionId: 'session-1',
  });
  const {baseUrl} = await server.start();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= server.stop();
    return stopped;
  };
  onTestFinished(stop);
  return {baseUrl, entries, warnings, calls, stop, server};
};

const get = async (url: string, options: RequestInit = {}) => {
  const response = await fetch(url, {headers, ...options});
  const text = await response.text();
  return {status: response.status, headers: response.headers, text, json: text === '' ? undefined : JSON.parse(text)};
};

test('lists all branches of a site, and those that are deployed', async () => {
  const {baseUrl} = await start();
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dev-v1$/);
  expect((await get(`${baseUrl}/sites/shop/branches`)).json).toEqual(branches);
  expect((await get(`${baseUrl}/sites/shop/deployed-branches?x=1`)).json).toEqual([branches[0]]);
});

test('answers with a log in the form of the interface, for an encoded id', async () => {
  const {baseUrl} = await start({lines: ['t one "quoted"', 't \u0000 two']});
  const answer = await get(`${baseUrl}/sites/shop/branches/${encodeURIComponent('a/b ä')}/logs`);
  expect(answer.json).toEqual({
    podNamesList: [],
    data: ['t one "quoted"', 't \u0000 two'],
    events: [{message: 't one "quoted"'}, {message: 't \u0000 two'}],
    sessionId: 'session-1',
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Number.isNaN(Date.parse(answer.headers.get('date') ?? ''))).toBe(false);
});

test.each([
  [{cut: 'branch', arrivals: {series: 'a1', last: 70, dropped: 20}}, 'branch; series=a1; last=70; dropped=20'],
  [{cut: 'pod', arrivals: {series: 'a1', last: 0, dropped: 0}}, 'pod; series=a1; last=0; dropped=0'],
  [{cut: 'source'}, 'source'],
  [{}, null],
] as const)('a log answer says how its window is cut and what arrived: %j', async (says, value) => {
  const {baseUrl} = await start({says});
  const answer = await get(`${baseUrl}/sites/shop/branches/c/logs`);
  expect(answer.headers.get('branchlog-window')).toBe(value);
  expect((await get(`${baseUrl}/sites/shop/branches`)).headers.get('branchlog-window')).toBeNull();
});

test('an empty log is an empty list', async () => {
  const {baseUrl} = await start({lines: []});
  const answer = await get(`${baseUrl}/sites/shop/branches/d/logs`);
  expect(answer.json).toEqual({podNamesList: [], data: [], events: [], sessionId: 'session-1'});
});

test.each([
  [
    'no token',
    {authorization: ''},
    401,
    'The request has no bearer token: send it as "authorization: Bearer <token>".',
  ],
  [
    'another scheme',
    {authorization: `Basic ${token}`},
    401,
    'The request has no bearer token: send it as "authorization: Bearer <token>".',
  ],
  [
    'a wrong token',
    {authorization: 'Bearer wrong'},
    401,
    "The bearer token is not this service's: use the one in the service's token file.",
  ],
  ['no tenant', {tenant: ''}, 403, 'The header tenant is missing: it names the organization.'],
  ['a wrong tenant', {tenant: 'other'}, 403, "The header tenant does not name this service's tenant."],
  ['no auth mode', {'auth-mode': ''}, 403, 'The header auth-mode is missing: it names the way of logging in.'],
  [
    'a wrong auth mode',
    {'auth-mode': 'x'},
    403,
    'The header auth-mode does not have the value that this service expects.',
  ],
])('refuses %s with a sentence', async (_name, wrong, status, message) => {
  const {baseUrl} = await start();
  const answer = await get(`${baseUrl}/sites/shop/branches`, {headers: {...headers, ...wrong}});
  expect([answer.status, answer.json]).toEqual([status, {message}]);
});

test('serves without the headers content-type and cache-control', async () => {
  const {baseUrl} = await start();
  const needed = {authorization: `bearer ${token}`, tenant: 'acme', 'auth-mode': 'local'};
  expect((await get(`${baseUrl}/sites/shop/branches`, {headers: needed})).status).toBe(200);
});

test.each([
  ['/sites/nope/branches', 'There is no such site.'],
  ['/sites/nope/deployed-branches', 'There is no such site.'],
  ['/sites/shop/branches/nope/logs', 'There is no such site or branch.'],
  ['/sites/shop', 'There is no such path: operations are below /dev-v1/sites/.'],
  ['/sites/shop/branches/', 'There is no such path: operations are below /dev-v1/sites/.'],
])('answers 404 for %s', async (path, message) => {
  const {baseUrl} = await start();
  const answer = await get(`${baseUrl}${path}`);
  expect([answer.status, answer.json]).toEqual([404, {message}]);
});

test('answers 404 for an id that is longer than any', async () => {
  const {baseUrl} = await start();
  const answer = await get(`${baseUrl}/sites/${'x'.repeat(2000)}/branches`);
  expect([answer.status, answer.json]).toEqual([
    404,
    {message: 'There is no such path: operations are below /dev-v1/sites/.'},
  ]);
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'HEAD'])(
  'refuses the method %s on a known path, without a token',
  async method => {
    const {baseUrl} = await start();
    const answer = await get(`${baseUrl}/sites/shop/branches`, {method, headers: {'content-type': 'application/json'}});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    expect(answer.json).toEqual(method === 'HEAD' ? undefined : {message: 'Only GET is supported on this path.'});
  },
);

test('answers an undecodable path with a sentence', async () => {
  const {baseUrl} = await start();
  expect((await get(`${baseUrl}/sites/%E0%A4/branches`)).json).toEqual({
    message: 'The path is not a valid URL path: encode ids with percent signs.',
  });
});

test.each([
  ['NONSENSE', '400 Bad Request', 'The request is not valid HTTP.'],
  ['CONNECT other:443 HTTP/1.1\r\nhost: x', '405 Method Not Allowed', 'Only GET is supported.'],
  ['GET /healthz HTTP/1.1', '400 Bad Request', 'The request has no header host.'],
  [
    'GET /healthz HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close',
    '400 Bad Request',
    'The request has the header host more than once: send it once.',
  ],
  [
    `GET /dev-v1/sites/shop/branches HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nauthorization: Bearer ${token}\r\nconnection: close`,
    '400 Bad Request',
    'The request has the header authorization more than once: send it once.',
  ],
  [
    'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close',
    '404 Not Found',
    'There is no such path: operations are below /dev-v1/sites/.',
  ],
  [
    'GET /x HTTP/1.1\r\nhost: x\r\nexpect: a miracle\r\nconnection: close',
    '404 Not Found',
    'There is no such path: operations are below /dev-v1/sites/.',
  ],
  [
    'GET /dev-v1/sites/shop/branches HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: close, upgrade',
    '401 Unauthorized',
    'The request has no bearer token: send it as "authorization: Bearer <token>".',
  ],
  [
    `GET /x HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}`,
    '431 Request Header Fields Too Large',
    'The headers of the request are too large.',
  ],
])('answers %j with an error as JSON', async (request, status, message) => {
  const {baseUrl} = await start();
  const socket = net.connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.end(`${request}\r\n\r\n`);
  let text = '';
  socket.on('data', data => {
    text += data;
  });
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(`HTTP/1.1 ${status}`);
  expect(JSON.parse(body)).toEqual({message});
});

test('tells its health to anyone, and nothing else', async () => {
  const {baseUrl} = await start();
  const answer = await fetch(new URL('/healthz', baseUrl));
  expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
});

test('asks for a bearer token where it is missing or wrong', async () => {
  const {baseUrl} = await start();
  const challengeFor = async (authorization: string) =>
    (await get(`${baseUrl}/sites/shop/branches`, {headers: {...headers, authorization}})).headers.get(
      'www-authenticate',
    );
  expect(await challengeFor('')).toBe('Bearer realm="branchlog"');
  expect(await challengeFor('Bearer wrong')).toBe('Bearer realm="branchlog", error="invalid_token"');
});

test('a site with a token of its own is opened by that one only, and by new ones once they are set', async () => {
  const {baseUrl, server} = await start();
  const ask = async (site: string, bearer: string) => {
    const answer = await get(`${baseUrl}/sites/${site}/branches`, {
      headers: {...headers, authorization: `Bearer ${bearer}`},
    });
    return [answer.status, answer.status === 200 ? '' : answer.json.message];
  };
  const denied = [403, 'The bearer token is not valid here: use the one in its token file.'];
  expect(await ask('shop', token)).toEqual([200, '']);
  expect(await ask('store', 'token-of-the-store')).toEqual([200, '']);
  expect(await ask('store', token)).toEqual(denied);
  expect(await ask('shop', 'token-of-the-store')).toEqual(denied);
  // A site's token tells nothing about other sites, not even whether they exist.
  expect(await ask('nope', 'token-of-the-store')).toEqual(denied);
  server.setCredentials({token: 'new', siteTokens: new Map([['store', token]]), tenant: 'acme', authMode: 'local'});
  expect((await ask('shop', 'token-of-the-store'))[0]).toBe(401);
  expect(await ask('shop', 'new')).toEqual([200, '']);
  expect(await ask('store', token)).toEqual([200, '']);
});

const rawGet = async (url: string, acceptEncoding: string) => {
  const request = http.get(url, {headers: {...headers, 'accept-encoding': acceptEncoding}, agent: false});
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk);
  }
  return {headers: response.headers as http.IncomingHttpHeaders, body: Buffer.concat(chunks)};
};

test('packs a body over 1 kB where the client takes gzip, and only there', async () => {
  const lines = Array.from({length: 20_000}, (_, index) => `t line ${index} ${'ä'.repeat(20)}`);
  const {baseUrl} = await start({lines});
  const packed = await rawGet(`${baseUrl}/sites/shop/branches/c/logs`, 'br, gzip;q=0.5');
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(packed.body).toString()).data).toEqual(lines);
  const refused = await rawGet(`${baseUrl}/sites/shop/branches/c/logs`, 'gzip;q=0, *');
  expect(refused.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(refused.body.toString()).events).toEqual(lines.map(message => ({message})));
  const small = await rawGet(`${baseUrl}/sites/shop/deployed-branches`, 'gzip');
  expect(small.headers['content-encoding']).toBeUndefined();
});

test('logs each request without its query and headers', async () => {
  const {baseUrl, entries} = await start();
  const answer = await get(`${baseUrl}/sites/shop/branches?token=${token}`);
  const [entry] = await waitFor(() => entries.length > 0 && entries, {what: 'the request log'});
  expect(entry).toMatchObject({
    client: '127.0.0.1',
    token: 'service',
    method: 'GET',
    path: '/dev-v1/sites/shop/branches',
    status: 200,
    bytes: Buffer.byteLength(answer.text),
  });
  expect(entry?.ms).toBeGreaterThan(0);
  expect(Object.keys(entry ?? {})).toEqual(['time', 'client', 'token', 'method', 'path', 'status', 'ms', 'bytes']);
});

test('logs which token a request had by its name, and none for a wrong one', async () => {
  const {baseUrl, entries} = await start();
  const ask = (bearer: string) =>
    get(`${baseUrl}/sites/store/branches`, {headers: {...headers, authorization: `Bearer ${bearer}`}});
  await ask('token-of-the-store');
  await ask(token);
  await ask('wrong');
  await waitFor(() => entries.length === 3, {what: 'three log entries'});
  expect(entries.map(({status, token: name}) => [status, name])).toEqual([
    [200, 'site store'],
    [403, 'service'],
    [401, undefined],
  ]);
});

test('a wrong token is told with its address, and slowed; a right one of the same address never is', async () => {
  const {baseUrl, warnings} = await start();
  const url = `${baseUrl}/sites/shop/branches`;
  const wrong = (signal?: AbortSignal) =>
    fetch(url, {headers: {...headers, authorization: 'Bearer guess'}, signal: signal ?? null});
  await Promise.all(Array.from({length: 5}, () => wrong()));
  // From here on each answer waits longer than the one before.
  const abort = new AbortController();
  const slowed = Array.from({length: 6}, () => wrong(abort.signal).catch(() => 'aborted'));
  const first = await Promise.race([slowed.at(-1), get(url)]);
  expect(first).toMatchObject({status: 200});
  abort.abort();
  expect(await slowed.at(-1)).toBe('aborted');
  expect(warnings).toEqual(['A request from 127.0.0.1 was refused: its token is not one of this service.']);
});

test('a request without a token, or with one of another site, is not taken for a guess', async () => {
  const {baseUrl, warnings} = await start();
  const url = `${baseUrl}/sites/store/branches`;
  for (let sent = 0; sent < 12; sent += 1) {
    expect((await get(url, {headers: {}})).status).toBe(401);
    expect((await get(url)).status).toBe(403);
  }
  expect(warnings).toEqual([]);
});

test('logs no part of a path that a client made up: it may be a token', async () => {
  const {baseUrl, entries} = await start();
  await get(`${baseUrl}/sites/${token}/branches`);
  await get(`${baseUrl}/sites/shop/branches/${token}/logs`);
  await get(`${baseUrl}/sites/${token}/branches`, {headers: {}});
  await get(new URL(`/${token}//%73ecret`, baseUrl).href);
  await waitFor(() => entries.length === 4, {what: 'four log entries'});
  expect(entries.map(({path}) => path)).toEqual([
    '/dev-v1/sites/*/branches',
    '/dev-v1/sites/*/branches/*/logs',
    '/dev-v1/sites/*/branches',
    '/*//*',
  ]);
});

test('answers 500 with a sentence when the backend fails, and logs why', async () => {
  const {baseUrl, entries} = await start({failure: new Error('disk on fire')});
  const answer = await get(`${baseUrl}/sites/shop/branches/c/logs`);
  expect([answer.status, answer.json]).toEqual([
    500,
    {message: 'The service could not produce this answer: its log says why.'},
  ]);
  const [entry] = await waitFor(() => entries.length > 0 && entries, {what: 'the request log'});
  expect(entry?.error).toBe('disk on fire');
});

test('spoils answers as the backend orders', async () => {
  const {baseUrl, entries} = await start({
    faults: [
      {kind: 'status', status: 503, headers: {'retry-after': '7'}},
      {kind: 'body', body: '<html>', contentType: 'text/html'},
      {kind: 'cut'},
    ],
  });
  const url = `${baseUrl}/sites/shop/branches`;
  // An unauthorised request uses up no fault.
  expect((await get(url, {headers: {}})).status).toBe(401);
  const refused = await get(url);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7']);
  const page = await fetch(url, {headers});
  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([200, 'text/html', '<html>']);
  const cut = await fetch(url, {headers});
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow('terminated');
  await waitFor(() => entries.length === 4, {what: 'four log entries'});
  expect(entries[3]?.cut).toBe(true);
  expect((await get(url)).status).toBe(200);
});

test('a stalled answer sends nothing and ends when the service stops', async () => {
  const {baseUrl, stop, calls} = await start({faults: [{kind: 'stall'}]});
  const request = http.get(`${baseUrl}/sites/shop/branches`, {headers, agent: false});
  const failed = once(request, 'error');
  await once(request, 'finish');
  // A second request answered after it shows that the first has arrived.
  await get(`${baseUrl}/sites/shop/branches`);
  await stop();
  await expect(failed).resolves.toMatchObject([{code: 'ECONNRESET'}]);
  expect(calls).toEqual(['start', 'close']);
});

test('lets a running answer finish when it stops, ends idle connections, then closes the backend', async () => {
  const {promise: gate, resolve: open} = Promise.withResolvers<void>();
  const {baseUrl, stop, calls} = await start({gate});
  const idle = net.connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(idle, 'connect');
  const agent = new http.Agent({keepAlive: true});
  const request = http.get(`${baseUrl}/sites/shop/branches/c/logs`, {headers, agent});
  const response = once(request, 'response');
  await once(request, 'finish');
  await get(`${baseUrl}/sites/shop/branches`);
  const stopped = stop();
  await once(idle, 'close');
  expect(calls).toEqual(['start']);
  open();
  const [answer] = await response;
  answer.resume();
  await once(answer, 'end');
  expect(answer.statusCode).toBe(200);
  await stopped;
  expect(calls).toEqual(['start', 'close']);
  agent.destroy();
});

test('says so when the port is in use, and closes the backend', async () => {
  const {baseUrl} = await start();
  const port = Number(new URL(baseUrl).port);
  const calls: string[] = [];
  const backend: Backend = {
    start: async () => void calls.push('start'),
    close: async () => void calls.push('close'),
    listBranches: async () => undefined,
    readWindow: async () => undefined,
  };
  const second = createServer({backend, token, tenant: 'a', authMode: 'b', host: '127.0.0.1', port});
  await expect(second.start()).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use: stop the program that listens there, or choose another port in listen.`,
  );
  expect(calls).toEqual(['start', 'close']);
});
