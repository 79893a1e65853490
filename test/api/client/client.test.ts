import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {setImmediate} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';
import {afterEach, describe, expect, test} from 'vitest';
import type {Client} from '#api/client/client.ts';
import {connect, emptyLog, failureOf} from '../client-setup.ts';
import {type LoopbackServer, startServer} from '../loopback-server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) {
    await cleanup();
  }
});

const serve = async (...args: Parameters<typeof startServer>): Promise<LoopbackServer> => {
  const server = await startServer(...args);
  cleanups.push(server.close);
  return server;
};

const use = (client: Client): Client => {
  cleanups.push(() => client.close());
  return client;
};

describe('what the reader has', () => {
  const answer = (change: object): string =>
    JSON.stringify({
      data: [],
      events: [],
      branchlog: {series: 's', first: 8, runs: [], sources: [], losses: [], ...change},
    });

  test('is told to the service, so that it need send only what follows, and its pods only when they changed', async () => {
    const pods = [{name: 'web-1', resourceVersion: '1', metadata: {}}];
    const asked: unknown[] = [];
    const bodies = [
      answer({pods: 'p1'}).replace('{', `{"podNamesList":${JSON.stringify(pods)},`),
      answer({pods: 'p1'}),
      answer({pods: 'p2'}).replace('{', '{"podNamesList":[],'),
    ];
    const server = await serve(({headers}, response) => {
      asked.push([headers['branchlog-after'], headers['branchlog-pods']]);
      response.end(bodies[asked.length - 1]);
    });
    const client = use(connect(server.port));
    const names = async (after?: {series: string; last: number}): Promise<readonly string[]> => {
      const {value} = await client.fetchLog('shop', 'master', undefined, after);
      return value.pods.map(({name}) => name);
    };
    expect(await names()).toEqual(['web-1']);
    expect(await names({series: 's', last: 7})).toEqual(['web-1']);
    expect(await names({series: 's', last: 7})).toEqual([]);
    expect(asked).toEqual([
      [undefined, undefined],
      ['s:7', 'p1'],
      ['s:7', 'p1'],
    ]);
  });

  test('is not told if the series is no text for a header', async () => {
    const asked: unknown[] = [];
    const server = await serve(({headers}, response) => {
      asked.push(headers['branchlog-after']);
      response.end(emptyLog);
    });
    await use(connect(server.port)).fetchLog('shop', 'master', undefined, {series: 'a\r\nb', last: 7});
    expect(asked).toEqual([undefined]);
  });
});

describe('how windows are cut', () => {
  const serveHeader = async (header: string | undefined): Promise<LoopbackServer> =>
    serve((_, response) => {
      if (header !== undefined) {
        response.setHeader('branchlog-window', header);
      }
      response.end(emptyLog);
    });

  test("is told with each window, as the service's header says it", async () => {
    const server = await serveHeader('pod; series=a-1; last=12; dropped=3');
    const {value} = await use(connect(server.port)).fetchLog('shop', 'master');
    expect([value.cut, value.arrivals]).toEqual(['pod', {series: 'a-1', last: 12, dropped: 3}]);
  });

  test('is told as the user says it, who knows better; what the service counts still counts', async () => {
    const server = await serveHeader('pod; series=a-1; last=12; dropped=3');
    const {value} = await use(connect(server.port, {windowCut: 'source'})).fetchLog('shop', 'master');
    expect([value.cut, value.arrivals]).toEqual(['source', {series: 'a-1', last: 12, dropped: 3}]);
  });

  test.each([
    ['as the header says it', {}, 5],
    ['as the user says it, who knows better', {windowSources: 3}, 3],
  ])('comes with the sources of a pod, %s', async (_, options, sources) => {
    const server = await serveHeader('source; sources=5');
    const {value} = await use(connect(server.port, options)).fetchLog('shop', 'master');
    expect([value.cut, value.sources]).toEqual(['source', sources]);
  });

  test.each([[undefined], ['container'], ['pod; series=a'], ['source; sources=0']])(
    'is not told where the header is %j',
    async header => {
      const server = await serveHeader(header);
      const {value} = await use(connect(server.port)).fetchLog('shop', 'master');
      expect([value.cut, value.sources, value.arrivals]).toEqual([undefined, undefined, undefined]);
    },
  );
});

describe('requests', () => {
  test('carry exactly the headers of the interface and what HTTP needs, on every operation', async () => {
    const server = await serve((request, response) => response.end(request.url?.endsWith('/logs') ? emptyLog : '[]'));
    const client = use(connect(server.port, {userAgent: 'branchlog/9.8.7'}));
    await client.listBranches('shop');
    await client.listDeployedBranches('shop');
    await client.fetchLog('shop', 'master');
    const expected = {
      authorization: 'Bearer plain-token',
      tenant: 'acme',
      'auth-mode': 'local',
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      'accept-encoding': 'gzip',
      'user-agent': 'branchlog/9.8.7',
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
    };
    expect(server.requests.map(({headers}) => headers)).toEqual([expected, expected, expected]);
    expect(server.requests.map(({method, url}) => `${method} ${url}`)).toEqual([
      'GET /dev-v1/sites/shop/branches',
      'GET /dev-v1/sites/shop/deployed-branches',
      'GET /dev-v1/sites/shop/branches/master/logs',
    ]);
  });

  test('escape ids, so that none of them leaves its place in the path', async () => {
    const server = await serve((_, response) => response.end(emptyLog));
    const client = use(connect(server.port));
    await client.fetchLog('a/b?c#d', '../%2e%2e/ü x');
    expect(server.requests[0]?.url).toBe('/dev-v1/sites/a%2Fb%3Fc%23d/branches/..%2F%252e%252e%2F%C3%BC%20x/logs');
  });

  test.each(['', '.', '..', '\ud800'])('are not sent for the id %j', async id => {
    const server = await serve((_, response) => response.end('[]'));
    const client = use(connect(server.port));
    expect((await failureOf(client.listBranches(id))).kind).toBe('badId');
    expect((await failureOf(client.fetchLog('shop', id))).kind).toBe('badId');
    expect(server.requests).toHaveLength(0);
  });

  test('share one connection, also after a refusal', async () => {
    let count = 0;
    const server = await serve((_, response) => {
      count += 1;
      response.statusCode = count === 2 ? 500 : 200;
      response.end(emptyLog);
    });
    const client = use(connect(server.port));
    await client.fetchLog('s', 'b');
    expect((await failureOf(client.fetchLog('s', 'b'))).kind).toBe('server');
    await client.fetchLog('s', 'b');
    expect(server.connections()).toBe(1);
  });

  test.each([429, 500, 502, 503, 504, 408, 413])('are not repeated after %i', async status => {
    const server = await serve((_, response) => response.writeHead(status).end());
    const client = use(connect(server.port));
    await failureOf(client.fetchLog('s', 'b'));
    expect(server.requests).toHaveLength(1);
  });
});

describe('answers', () => {
  test('tell status, bytes, time and the service clock', async () => {
    const server = await serve((_, response) => {
      response.setHeader('date', 'Sun, 06 Nov 1994 08:49:37 GMT');
      response.end(emptyLog);
    });
    const answer = await use(connect(server.port)).fetchLog('s', 'b');
    expect(answer).toEqual({
      value: {pods: [], lines: [], sessionId: 's'},
      status: 200,
      durationMs: expect.any(Number),
      bodyBytes: 57,
      serviceTimeMs: 784_111_777_000,
      skipped: [],
    });
    expect(answer.durationMs).toBeGreaterThan(0);
  });

  test('of megabytes are whole, compressed or not, in pieces of any size, one after the other and at the same time', async () => {
    const line = (index: number) => `2026-11-21T14:02:11.${String(index).padStart(9, '0')}Z ${index * index} "é" \\ \t`;
    const windowOf = (from: number) => Array.from({length: 20_000}, (_, index) => line(from + index));
    const bodies = [0, 500, 30_000].map(from => {
      const data = windowOf(from);
      return Buffer.from(
        JSON.stringify({podNamesList: [], data, events: data.map(message => ({message})), sessionId: 's'}),
      );
    });
    let asked = 0;
    const server = await serve((_, response) => {
      const body = bodies[Math.floor(asked / 2) % bodies.length] ?? Buffer.alloc(0);
      const isCompressed = asked % 2 === 1;
      asked += 1;
      response.writeHead(200, isCompressed ? {'content-encoding': 'gzip'} : {});
      const sent = isCompressed ? gzipSync(body) : body;
      for (let at = 0, length = 1; at < sent.length; at += length, length = (length * 7) % 99_991) {
        response.write(sent.subarray(at, at + length));
      }
      response.end();
    });
    const client = use(connect(server.port));
    for (const from of [0, 0, 500, 500, 30_000, 30_000]) {
      expect([...(await client.fetchLog('s', 'a')).value.lines]).toEqual(windowOf(from));
    }
    const both = await Promise.all([client.fetchLog('s', 'a'), client.fetchLog('s', 'b')]);
    expect(both.map(({value}) => [...value.lines])).toEqual([windowOf(0), windowOf(0)]);
  });

  test('are read with a byte order mark, and with what is not UTF-8 replaced and counted', async () => {
    const server = await serve((_, response) => {
      response.write(Buffer.from([0xef, 0xbb, 0xbf]));
      response.write('{"podNamesList":[],"data":["a ');
      response.write(Buffer.from([0xff, 0xfe]));
      response.end(' \u{fffd}"],"events":[]}');
    });
    const answer = await use(connect(server.port)).fetchLog('s', 'b');
    expect([...answer.value.lines]).toEqual(['a \u{fffd}\u{fffd} \u{fffd}']);
    expect(answer.skipped).toEqual(['body: 2 sequences were not UTF-8 and were replaced']);
  });

  test('keep good lines and pods, and count bad ones with their path', async () => {
    const server = await serve((_, response) =>
      response.end(
        JSON.stringify({
          podNamesList: [
            {
              name: 'web-0',
              resourceVersion: '7',
              metadata: {creationTimestamp: '2026-01-02T03:04:05Z', labels: {a: 'b'}},
            },
            'web-1',
            {resourceVersion: '8'},
            {name: 'web-2'},
          ],
          data: ['one', null, 'two', 3],
          extra: true,
        }),
      ),
    );
    const {value, skipped} = await use(connect(server.port)).fetchLog('s', 'b');
    expect(value).toEqual({
      lines: ['one', 'two'],
      notLines: [1, 2],
      pods: [
        {
          name: 'web-0',
          resourceVersion: '7',
          metadata: {creationTimestamp: '2026-01-02T03:04:05Z', labels: {a: 'b'}},
          createdAt: '2026-01-02T03:04:05Z',
        },
        {name: 'web-2', resourceVersion: '', metadata: {}, createdAt: undefined},
      ],
      sessionId: undefined,
    });
    expect(skipped).toEqual([
      'podNamesList[1]: expected an object, got a string',
      'podNamesList[2].name: expected a string that is not empty, got nothing',
      'podNamesList[3].resourceVersion: expected a string, got nothing',
    ]);
  });

  test('have items that are no lines in a window that overlaps the one before, too', async () => {
    const stamp = (second: number): string => `2026-11-21T14:00:0${second}.000000000Z line`;
    const windows = [
      [stamp(1), stamp(2), stamp(3)],
      [stamp(2), stamp(3), 7, stamp(4), null],
      [stamp(3), {}, {}, stamp(4), null, stamp(5)],
      [stamp(4), stamp(5), stamp(6)],
    ];
    let count = 0;
    const server = await serve((_, response) => {
      response.end(JSON.stringify({data: windows[count], podNamesList: []}));
      count += 1;
    });
    const client = use(connect(server.port));
    const values = [];
    for (const _ of windows) {
      values.push((await client.fetchLog('s', 'b')).value);
    }
    expect(values.map(({lines, notLines}) => [Array.from(lines, line => line[18]), notLines])).toEqual([
      [['1', '2', '3'], undefined],
      [
        ['2', '3', '4'],
        [2, 3],
      ],
      [
        ['3', '4', '5'],
        [1, 1, 2],
      ],
      [['4', '5', '6'], undefined],
    ]);
  });

  test('without a pod list are a log of unknown pods, and say so', async () => {
    const server = await serve((_, response) => response.end('{"data":["x"]}'));
    const {value, skipped} = await use(connect(server.port)).fetchLog('s', 'b');
    expect([[...value.lines], value.pods, skipped]).toEqual([
      ['x'],
      [],
      ['podNamesList: expected an array, got nothing'],
    ]);
  });
});

describe('cancelling', () => {
  test('ends a request that waits for its answer', async () => {
    const {promise: arrived, resolve} = Promise.withResolvers<void>();
    const server = await serve(() => resolve());
    const controller = new AbortController();
    const failure = failureOf(use(connect(server.port)).fetchLog('s', 'b', controller.signal));
    await arrived;
    controller.abort();
    expect((await failure).kind).toBe('cancelled');
  });

  test('ends a request of which a refusal has begun to arrive', async () => {
    const channel = 'http.client.response.finish';
    const {promise: arrived, resolve} = Promise.withResolvers<void>();
    const notice = (): void => resolve();
    const server = await serve((_, response) => response.writeHead(503).write('so far'));
    subscribe(channel, notice);
    const controller = new AbortController();
    const failure = failureOf(use(connect(server.port)).fetchLog('s', 'b', controller.signal));
    await arrived;
    unsubscribe(channel, notice);
    // The answer passes a few turns of the event loop on its way to whoever reads it.
    for (let turn = 0; turn < 20; turn += 1) {
      await setImmediate();
    }
    controller.abort();
    expect((await failure).kind).toBe('cancelled');
  });

  test('before the start sends nothing', async () => {
    const server = await serve((_, response) => response.end(emptyLog));
    const failure = await failureOf(use(connect(server.port)).fetchLog('s', 'b', AbortSignal.abort()));
    expect(failure.kind).toBe('cancelled');
    expect(server.requests).toHaveLength(0);
  });

  test('by close() ends what is under way and refuses what follows', async () => {
    const {promise: arrived, resolve} = Promise.withResolvers<void>();
    const server = await serve(() => resolve());
    const client = connect(server.port);
    const failure = failureOf(client.listBranches('s'));
    await arrived;
    client.close();
    expect((await failure).kind).toBe('cancelled');
    expect((await failureOf(client.listBranches('s'))).kind).toBe('cancelled');
  });
});
