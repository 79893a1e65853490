import type {ServerResponse} from 'node:http';
import {setImmediate as turn} from 'node:timers/promises';
import {inspect} from 'node:util';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {waitFor} from '../../support/wait-for.ts';
import {answerJson, fault, follow} from './answers.ts';
import {apiKinds, connectTo as connect, startApi as start} from './start-api.ts';

describe.each(apiKinds)('over %s', kind => {
  test('gets JSON, with the token, the query encoded and the path of the address before its own', async () => {
    const seen: unknown[] = [];
    const api = await start(kind, (request, response) => {
      seen.push(request.method, request.url, request.headers.authorization);
      answerJson(response, 200, {items: [1]});
    });
    const client = connect(`${api.url}/k8s/clusters/c-1/`);
    const query = {labelSelector: 'app in (a,b)', limit: 500, watch: undefined};
    expect(await client.get('/api/v1/pods', {query})).toEqual({items: [1]});
    expect(seen).toEqual([
      'GET',
      '/k8s/clusters/c-1/api/v1/pods?labelSelector=app+in+%28a%2Cb%29&limit=500',
      'Bearer good-token',
    ]);
    expect(client.address).toBe(`${api.url}/k8s/clusters/c-1`);
  });

  test('uses one connection for one get after the other', async () => {
    const api = await start(kind, (_, response) => answerJson(response, 200, {}));
    const client = connect(api.url);
    for (let count = 0; count < 5; count += 1) {
      await client.get('/version');
    }
    expect(api.sockets.length).toBe(1);
  });

  test('reads a packed answer', async () => {
    const items = Array.from({length: 2_000}, (_, index) => `pod-${index}`);
    const api = await start(kind, (request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'});
      response.end(gzipSync(JSON.stringify({items})));
    });
    expect(await connect(api.url).get('/api/v1/pods')).toEqual({items});
  });

  test('refuses an answer that is too large, packed or not', async () => {
    const text = JSON.stringify({text: 'x'.repeat(300_000)});
    const api = await start(kind, ({url}, response) => {
      const isPacked = url === '/packed';
      response.writeHead(200, isPacked ? {'content-encoding': 'gzip'} : {});
      response.end(isPacked ? gzipSync(text) : text);
    });
    const client = connect(api.url, {}, {jsonBytesMax: 200_000, textBytesMax: 100_000});
    for (const path of ['/plain', '/packed']) {
      const error = await fault(client.get(path));
      expect([error.kind, error.message]).toEqual([
        'body',
        `The response from ${api.url} to GET ${path} has more than 200000 bytes.`,
      ]);
    }
    expect((await fault(client.get('/plain', {as: 'text'}))).message).toContain('more than 100000 bytes');
  });

  test('follows a stream as it comes; its orderly end is no error', async () => {
    const responses: ServerResponse[] = [];
    const api = await start(kind, (_, response) => {
      response.write('one\n');
      responses.push(response);
    });
    const stream = await follow(connect(api.url), '/log');
    await waitFor(() => stream.text() === 'one\n', {what: 'the first line'});
    responses[0]?.end('two\n');
    expect(await stream.ended).toBeUndefined();
    expect(stream.text()).toBe('one\ntwo\n');
  });

  test('tells a stream whose connection broke from one that ended', async () => {
    const api = await start(kind, (_, response) => response.write('one\n'));
    const stream = await follow(connect(api.url), '/log');
    await waitFor(() => stream.text() !== '', {what: 'the first line'});
    for (const socket of api.sockets) {
      socket.destroy();
    }
    const error = await stream.ended;
    expect([error?.kind, error?.message]).toEqual([
      'connection',
      `The response from ${api.url} to GET /log broke off.`,
    ]);
  });

  test('tells a get whose answer was cut in the middle', async () => {
    const api = await start(kind, (_, response) => {
      response.writeHead(200, {'content-type': 'application/json'});
      response.write('{"items": [');
      // The bytes are on their way before the connection goes.
      setImmediate(() => response.destroy(new Error('broken')));
    });
    const error = await fault(connect(api.url).get('/pods'));
    expect(error.kind).toBe('connection');
  });

  test('ends a stream without a word when it is closed, and the server notices', async () => {
    const gone = Promise.withResolvers<void>();
    const api = await start(kind, (_, response) => {
      response.on('close', gone.resolve);
      response.write('one\n');
    });
    const client = connect(api.url);
    let ends = 0;
    const stream = await client.open('/log', {onData: () => undefined, onEnd: () => (ends += 1)});
    stream.close();
    await gone.promise;
    // Nor does one that the client takes along.
    await client.open('/log', {onData: () => undefined, onEnd: () => (ends += 1)});
    await client.close();
    await waitFor(() => api.sockets.every(({destroyed}) => destroyed), {what: 'the end of the connections'});
    expect(ends).toBe(0);
  });

  test('gives up a get and a stream that nobody answers: in time, by signal, and when the client is closed', async () => {
    const api = await start(kind, () => undefined);
    const quick = connect(api.url, {}, {answerMs: 30});
    const late = await fault(quick.get('/pods'));
    expect([late.kind, late.message]).toEqual(['timeout', `${api.url} did not answer GET /pods within 0.03 s.`]);
    const handlers = {onData: () => undefined, onEnd: () => undefined};
    expect((await fault(quick.open('/log', handlers))).kind).toBe('timeout');

    const client = connect(api.url);
    const abort = new AbortController();
    const aborted = fault(client.get('/pods', {signal: abort.signal}));
    abort.abort(new Error('no longer wanted'));
    expect((await aborted).message).toBe('no longer wanted');

    const waiting = fault(client.open('/log', handlers));
    await turn();
    await client.close();
    expect((await waiting).message).toBe(`The connection to ${api.url} was closed.`);
  });

  test('says what the API server says: reason, words and when to come again', async () => {
    const api = await start(kind, (_, response) =>
      answerJson(response, 429, {kind: 'Status', message: 'too many', reason: 'TooManyRequests'}, {'retry-after': '7'}),
    );
    const error = await fault(connect(api.url).open('/log', {onData: () => undefined, onEnd: () => undefined}));
    expect({...error, message: error.message}).toEqual({
      name: 'KubeError',
      kind: 'status',
      status: 429,
      reason: 'TooManyRequests',
      serverMessage: 'too many',
      retryAfterMs: 7_000,
      message: `too many (429 TooManyRequests by ${api.url}, GET /log).`,
    });
  });

  test('names a web page for what it is', async () => {
    const api = await start(kind, (_, response) => {
      response.writeHead(200, {'content-type': 'text/html; charset=utf-8'});
      response.end('<html>Log in</html>');
    });
    const error = await fault(connect(api.url).get('/pods'));
    expect([error.kind, error.message]).toEqual([
      'body',
      `${api.url} answered with a web page: something else listens there, such as a proxy or a login page.`,
    ]);
  });

  test('shows no token in what it throws or is', async () => {
    const api = await start(kind, (_, response) => answerJson(response, 403, {message: 'pods is forbidden'}));
    const client = connect(api.url);
    const error = await fault(client.get('/pods'));
    expect(error.message).toBe(`${api.url} does not allow GET /pods (403): pods is forbidden.`);
    await api.close();
    const refused = await fault(connect(api.url).get('/pods'));
    for (const shown of [error, refused, client]) {
      expect(inspect(shown, {depth: 20, showHidden: true})).not.toContain('good-token');
    }
  });
});

test.each([
  [
    'a date by the server’s clock',
    {'retry-after': 'Wed, 21 Oct 2015 07:28:09 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT'},
    9_000,
  ],
  [
    'a date that has passed',
    {'retry-after': 'Wed, 21 Oct 2015 07:27:00 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT'},
    1_000,
  ],
  ['no time at all', {'retry-after': '0'}, 1_000],
  ['years', {'retry-after': '99999999'}, 600_000],
  ['nonsense', {'retry-after': 'soon'}, 3_000],
  ['nothing but the Status object', {}, 3_000],
])('waits as asked by %s, though never less than a second or more than ten minutes', async (_, headers, waitMs) => {
  const api = await start('h1', (__, response) =>
    answerJson(response, 503, {details: {retryAfterSeconds: 3}}, headers),
  );
  expect((await fault(connect(api.url).get('/pods'))).retryAfterMs).toBe(waitMs);
});

test.each([
  ['in the namespace "shop"', 'in namespace shop'],
  ['at the cluster scope', 'of the cluster'],
])('begins with the right that is missing %s', async (scope, words) => {
  const message = `pods is forbidden: User "dev" cannot list resource "pods" in API group "" ${scope}`;
  const api = await start('h1', (_, response) => answerJson(response, 403, {message}));
  expect((await fault(connect(api.url).get('/pods'))).message).toBe(
    `No right to list pods ${words}, as dev (403 by ${api.url}): a Role must grant it.`,
  );
});

/** The words of a real API server. */
const refusals: Readonly<Record<string, string>> = {
  '/readyz': 'forbidden: User "limited" cannot get path "/readyz"',
  '/secrets':
    'secrets is forbidden: User "limited" cannot list resource "secrets" in API group "" in the namespace "shop"',
};

test('a server that refuses even to say whether it is ready has just started, and is asked again', async () => {
  const api = await start('h2', ({url = ''}, response) => answerJson(response, 403, {message: refusals[url]}));
  expect(await fault(connect(api.url).get('/secrets'))).toMatchObject({
    message: `${api.url} has just started and refuses everything (403) until it has loaded its Roles: it is asked again.`,
    status: 503,
    retryAfterMs: 1_000,
  });
});

test('a right is missing where the server allows something else, though not to ask whether it is ready', async () => {
  const api = await start('h2', ({url = ''}, response) =>
    answerJson(response, url in refusals ? 403 : 200, {message: refusals[url]}),
  );
  const client = connect(api.url);
  await client.get('/pods');
  expect(await fault(client.get('/secrets'))).toMatchObject({
    message: `No right to list secrets in namespace shop, as limited (403 by ${api.url}): a Role must grant it.`,
    status: 403,
  });
});

test('a right is missing where the server says that it is ready', async () => {
  const api = await start('h2', ({url = ''}, response) =>
    answerJson(response, url === '/readyz' ? 200 : 403, {message: refusals[url]}),
  );
  expect(await fault(connect(api.url).get('/secrets'))).toMatchObject({status: 403});
});

test('a 204, such as for a pod without a node, is no log', async () => {
  const api = await start('h2', (_, response) => {
    response.writeHead(204);
    response.end();
  });
  const error = await fault(connect(api.url).get('/log', {as: 'text'}));
  expect([error.kind, error.status]).toEqual(['status', 204]);
});

test('an answer that is not JSON is not quoted', async () => {
  const api = await start('h1', (_, response) => response.end('secret'));
  const error = await fault(connect(api.url).get('/pods'));
  expect([error.kind, error.message]).toEqual(['body', `The response from ${api.url} to GET /pods is not JSON.`]);
});
