import {createServer, type Server} from 'node:http';
import {type AddressInfo, connect as connectSocket, type Socket} from 'node:net';
import {TLSSocket} from 'node:tls';
import {inspect} from 'node:util';
import {afterEach, expect, onTestFinished, test, vi} from 'vitest';
import type {KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';
import type {Access} from '#service/kubernetes/kube-connection.ts';
import {createTestAuthority} from '../../../support/kubernetes/server/test-authority.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {type Api, apiKinds, authority, connectTo as connect, fixedAccess, startApi} from '../start-api.ts';

afterEach(() => void vi.useRealTimers());

/** Answers with the names in the client's certificate and in its first message, and the authorization header. */
const start = async (kind: (typeof apiKinds)[number] = 'h2', options = {}): Promise<Api> => {
  const api = await startApi(
    kind,
    ({socket, headers}, response) => {
      const subject = socket instanceof TLSSocket ? socket.getPeerCertificate().subject : undefined;
      const servername = socket instanceof TLSSocket && socket.servername ? socket.servername : undefined;
      response.end(JSON.stringify({user: subject?.CN, servername, authorization: headers.authorization}));
    },
    options,
  );
  return api;
};

const fault = (client: KubeClient): Promise<KubeError> =>
  client.get('/version').then(
    () => expect.unreachable('no error'),
    (error: KubeError) => error,
  );

/** An HTTP proxy that tunnels to the API server, whatever name is asked for, for whoever sends `login`. */
const startProxy = async (targetPort: number, login?: string) => {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', ({url, headers}, near: Socket) => {
    if (login && headers['proxy-authorization'] !== `Basic ${Buffer.from(login).toString('base64')}`) {
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    targets.push(url ?? '');
    const far = connectSocket(targetPort, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    far.on('error', () => near.destroy());
    near.on('error', () => far.destroy());
    sockets.add(far);
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  const reset = () => {
    for (const socket of sockets) {
      socket.resetAndDestroy();
    }
  };
  return {port: (server.address() as AddressInfo).port, targets, reset};
};

test.each(apiKinds)('goes through a proxy, with its password, to %s', async kind => {
  const api = await start(kind);
  const proxy = await startProxy(api.port, 'dev:p@ss');
  const client = connect(`${kind === 'plain' ? 'http' : 'https'}://api.cluster.example:6443`, {
    proxy: new URL(`http://dev:p%40ss@127.0.0.1:${proxy.port}`),
  });
  expect(await client.get('/version')).toMatchObject({authorization: 'Bearer good-token'});
  expect(proxy.targets).toEqual(['api.cluster.example:6443']);
});

test.each(apiKinds)('a stream to %s whose proxy breaks is cut', async kind => {
  const api = await startApi(kind, (_, response) => response.write('one'));
  const proxy = await startProxy(api.port);
  const client = connect(api.url, {proxy: new URL(`http://127.0.0.1:${proxy.port}`)});
  const ended = Promise.withResolvers<KubeError | undefined>();
  const came = Promise.withResolvers<void>();
  await client.open('/log', {onData: () => came.resolve(), onEnd: ended.resolve});
  await came.promise;
  proxy.reset();
  expect((await ended.promise)?.kind).toBe('connection');
});

test('says what a proxy does not allow, without its password', async () => {
  const api = await start();
  const proxy = await startProxy(api.port, 'dev:p@ss');
  const error = await fault(connect(api.url, {proxy: new URL(`http://dev:wrong@127.0.0.1:${proxy.port}`)}));
  expect([error.kind, error.message]).toEqual([
    'connection',
    `The proxy 127.0.0.1:${proxy.port} asks for a name and a password: write them into its address.`,
  ]);
  const {port} = await startProxy(1);
  const lost = await fault(connect(api.url, {proxy: new URL(`http://dev:wrong@127.0.0.1:${port}`)}));
  expect(lost.kind).toBe('connection');
  const gone = await fault(connect(api.url, {proxy: new URL('http://dev:wrong@127.0.0.1:1')}));
  expect(gone.message).toBe(
    'The proxy 127.0.0.1:1 cannot be reached (ECONNREFUSED): check proxy-url, HTTPS_PROXY or ALL_PROXY.',
  );
  expect(inspect([error, lost, gone], {depth: 20})).not.toContain('wrong');
});

test('checks the certificate for the name in tls-server-name, even through an address that it is not for', async () => {
  const api = await start();
  const url = api.url.replace('127.0.0.1', '127.0.0.2');
  // Only 127.0.0.1 is listened to; a proxy brings the other address there.
  const proxy = new URL(`http://127.0.0.1:${(await startProxy(api.port)).port}`);
  expect((await fault(connect(url, {proxy}))).message).toBe(
    `The certificate of ${url} is for another name: check the address, or name it in tls-server-name.`,
  );
  expect(await connect(url, {proxy, serverName: 'api.cluster.example'}).get('/version')).toMatchObject({
    servername: 'api.cluster.example',
  });
});

test.each(apiKinds)('acts as another user in every request, stream and PING over %s', async kind => {
  const seen: string[][] = [];
  const api = await startApi(kind, ({rawHeaders, url}, response) => {
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 && /^impersonate/i.test(name) ? [`${name.toLowerCase()}: ${rawHeaders[index + 1]}`] : [],
    );
    seen.push([url ?? '', ...lines]);
    if (url === '/log') {
      response.write('one');
    } else {
      response.end('{}');
    }
  });
  const impersonation = {
    user: 'jane',
    uid: '7',
    groups: ['admins', 'a, b'],
    extra: {'acme.com/Größe': ['x', 'y'], scopes: ['all']},
  };
  // Long enough for a busy machine to answer what was asked before: what is not answered until a PING is dead.
  const client = connect(api.url, {impersonation}, {pingMs: 1_000});
  await client.get('/get');
  await client.open('/log', {onData: () => undefined, onEnd: () => undefined});
  const lines = [
    'impersonate-user: jane',
    'impersonate-uid: 7',
    'impersonate-group: admins',
    'impersonate-group: a, b',
    'impersonate-extra-acme.com%2fgr%c3%b6%c3%9fe: x',
    'impersonate-extra-acme.com%2fgr%c3%b6%c3%9fe: y',
    'impersonate-extra-scopes: all',
  ];
  const paths = kind === 'h2' ? ['/get', '/log'] : ['/get', '/log', '/version'];
  // A PING may come first.
  await waitFor(() => paths.every(path => seen.some(([each]) => each === path)), {what: 'the PING'});
  expect(seen).toEqual(seen.map(([path]) => [path, ...lines]));
});

test.each(['h2', 'h1'] as const)('believes whoever answers where that is asked for, over %s', async kind => {
  const api = await start(kind);
  const access = fixedAccess({token: 'good-token'}, createTestAuthority().ca);
  const client = connect(api.url, {access, isUnverified: true, serverName: 'elsewhere.example'});
  expect(await client.get('/version')).toEqual({servername: 'elsewhere.example', authorization: 'Bearer good-token'});
});

test('does not trust a certificate of another authority, nor send the token there', async () => {
  const api = await start();
  const other = createTestAuthority();
  const error = await fault(connect(api.url, {access: fixedAccess({token: 'good-token'}, other.ca)}));
  expect([error.kind, error.message]).toEqual([
    'connection',
    `The certificate of ${api.url} is not signed by a known authority: check certificate-authority of the cluster.`,
  ]);
});

test('says that nothing listens, and that what listens does not speak TLS', async () => {
  const api = await start('plain');
  const secure = api.url.replace('http:', 'https:');
  expect((await fault(connect(secure))).message).toMatch(
    new RegExp(`^No secure connection to ${secure} \\(.+\\): check that the port speaks TLS\\.$`),
  );
  await api.close();
  expect((await fault(connect(api.url))).message).toBe(
    `${api.url} refused the connection: check the address, and that the API server runs.`,
  );
});

test.each(['h2', 'h1'] as const)('logs in with a client certificate over %s', async kind => {
  const api = await start(kind, {asksForCertificate: true});
  const {cert, key} = authority.issueClient('bob', ['developers']);
  const client = connect(api.url, {access: fixedAccess({certificate: cert, key})});
  expect(await client.get('/version')).toEqual({user: 'bob'});
});

test('an expired client certificate is named before anything is sent', async () => {
  const api = await start('h2', {asksForCertificate: true});
  vi.useFakeTimers({toFake: ['Date'], now: new Date('2024-03-01T00:00:00Z')});
  const {cert, key} = authority.issueClient('bob');
  vi.useRealTimers();
  const error = await fault(connect(api.url, {access: fixedAccess({certificate: cert, key})}));
  expect([error.kind, error.message]).toEqual([
    'auth',
    '"client-certificate-data": the certificate expired at 2024-03-31T00:00:00.000Z: renew it, or log in again.',
  ]);
  expect(api.sockets.length).toBe(0);
});

test.each([
  [
    'a certificate with the key of another',
    {...authority.issueClient('a'), key: authority.issueClient('b').key},
    'do not belong together',
  ],
  ['a certificate that is none', {...authority.issueClient('a'), cert: 'hello'}, 'must be a certificate in PEM'],
  ['a key that is none', {...authority.issueClient('a'), key: 'hello'}, 'must be a private key in PEM'],
])('refuses %s', async (_, {cert, key}, words) => {
  const error = await fault(connect('https://127.0.0.1:1', {access: fixedAccess({certificate: cert, key})}));
  expect(error.kind).toBe('auth');
  expect(error.message).toContain(words);
});

test.each([
  ['', 'is empty'],
  ['two words', 'has characters that a token cannot have'],
  ['a\r\nx: y', 'has characters'],
])('refuses the token %j, which no header may carry', async (token, words) => {
  const error = await fault(connect('https://127.0.0.1:1', {access: fixedAccess({token})}));
  expect(error.message).toContain(`"token": the token ${words}`);
});

test('new certificates take a new connection; what is open stays', async () => {
  const api = await start('h2', {asksForCertificate: true});
  const access = ['bob', 'eve'].map(user => {
    const {cert, key} = authority.issueClient(user);
    return fixedAccess({certificate: cert, key});
  });
  let turn = 0;
  const read = async (): Promise<Access> => await (access[turn] ?? fixedAccess()).read();
  const client = connect(api.url, {access: {name: 'bob, then eve', read, close: async () => undefined}});
  expect(await client.get('/version')).toEqual({user: 'bob'});
  turn = 1;
  expect(await client.get('/version')).toEqual({user: 'eve'});
  expect(api.sessions.length).toBe(2);
});

/** Credentials that are others each time they are read after a refusal. */
const renewingAccess = async (tokens: readonly string[]) => {
  const accesses = await Promise.all(tokens.map(token => fixedAccess({token}).read()));
  // One context for all: certificates have not changed.
  const [first] = accesses;
  let index = 0;
  let readings = 0;
  return {
    name: 'user "dev" of /config',
    readings: () => readings,
    read: async (refused?: Access): Promise<Access> => {
      if (refused) {
        readings += 1;
        index = Math.min(index + 1, accesses.length - 1);
      }
      return {...first, ...accesses[index]} as Access;
    },
    close: async () => undefined,
  };
};

test.each(apiKinds)('reads refused credentials again once and repeats the request over %s', async kind => {
  const seen: string[] = [];
  const api = await startApi(kind, ({headers}, response) => {
    seen.push(headers.authorization ?? '');
    response.statusCode = headers.authorization === 'Bearer new' ? 200 : 401;
    response.end('{}');
  });
  const access = await renewingAccess(['old', 'new']);
  expect(await connect(api.url, {access}).get('/version')).toEqual({});
  expect(seen).toEqual(['Bearer old', 'Bearer new']);

  const refused = await renewingAccess(['old', 'older', 'oldest']);
  const error = await fault(connect(api.url, {access: refused}));
  expect([error.status, error.message, refused.readings()]).toEqual([
    401,
    `${api.url} does not accept user "dev" of /config (401): log in again, or renew the credentials.`,
    1,
  ]);
});

test('a request that is given up does not wait for credentials', async () => {
  const access = {
    name: 'a slow plugin',
    read: () => new Promise<Access>(() => undefined),
    close: async () => undefined,
  };
  const client = connect('https://127.0.0.1:1', {access});
  const reason = new Error('no longer wanted');
  await expect(client.get('/version', {signal: AbortSignal.abort(reason)})).rejects.toBe(reason);
  const waiting = client.get('/version');
  void client.close();
  await expect(waiting).rejects.toThrow('The connection to https://127.0.0.1:1 was closed.');
});

test('does not repeat a request with the credentials that were refused', async () => {
  let requests = 0;
  const api = await startApi('h2', (_, response) => {
    requests += 1;
    response.statusCode = 401;
    response.end();
  });
  expect((await fault(connect(api.url))).status).toBe(401);
  expect(requests).toBe(1);
});
