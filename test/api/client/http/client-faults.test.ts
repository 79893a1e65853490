import type {RequestListener} from 'node:http';
import {gzipSync} from 'node:zlib';
import {afterEach, describe, expect, test, vi} from 'vitest';
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

/** Kind and words of the failure of one log request against a handler; `HOST` stands for the server's host and port. */
const fail = async (handle: RequestListener, options: Parameters<typeof connect>[1] = {}) => {
  const server = keep(await startServer(handle));
  const {kind, message, status, retryAfterMs} = await failureOf(use(connect(server.port, options)).fetchLog('s', 'b'));
  return {kind, message: message.replaceAll(`127.0.0.1:${server.port}`, 'HOST'), status, retryAfterMs, server};
};

describe('the network', () => {
  test('a name that does not exist is named', async () => {
    const failure = await failureOf(
      use(connect(1, {baseUrl: 'http://no-such-host.invalid/dev-v1'})).fetchLog('s', 'b'),
    );
    expect([failure.kind, failure.message]).toEqual(['network', 'cannot resolve no-such-host.invalid']);
  });

  test('a port where nobody listens refused the connection', async () => {
    const server = await startServer(() => {});
    await server.close();
    const failure = await failureOf(use(connect(server.port)).fetchLog('s', 'b'));
    expect(failure.kind).toBe('network');
    expect(failure.message).toBe(`127.0.0.1:${server.port} refused the connection`);
  });

  test('a connection that is closed without an answer', async () => {
    const server = keep(await startTcpServer(socket => socket.once('data', () => socket.destroy())));
    const failure = await failureOf(use(connect(server.port)).fetchLog('s', 'b'));
    expect([failure.kind, failure.message]).toEqual([
      'network',
      `127.0.0.1:${server.port} closed the connection (ECONNRESET)`,
    ]);
  });

  test('a body that is reset in the middle', async () => {
    const {kind, message} = await fail((request, response) => {
      response.write('{"podNamesList":[],"data":["secret-line"', () => request.socket.resetAndDestroy());
    });
    expect(kind).toBe('network');
    expect(message).toMatch(/^the response from HOST was cut short \(\w+\)$/);
  });

  test('a body that is shorter than its content-length, though it is whole JSON', async () => {
    const server = keep(
      await startTcpServer(socket =>
        socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n${emptyLog}`)),
      ),
    );
    const failure = await failureOf(use(connect(server.port)).fetchLog('s', 'b'));
    expect(failure.kind).toBe('network');
    expect(failure.message).toMatch(/was cut short/);
  });

  test('a gzip body that is cut off', async () => {
    const whole = gzipSync(emptyLog);
    const {kind, message} = await fail((_, response) =>
      response.writeHead(200, {'content-encoding': 'gzip'}).end(whole.subarray(0, 20)),
    );
    expect(kind).toBe('network');
    expect(message).toMatch(/^the response from HOST (is compressed and damaged|was cut short)/);
  });

  test('something that is not HTTP', async () => {
    const server = keep(await startTcpServer(socket => socket.end('SSH-2.0-OpenSSH_9.7\r\n')));
    const failure = await failureOf(use(connect(server.port)).fetchLog('s', 'b'));
    expect(failure.kind).toBe('network');
    expect(failure.message).toMatch(/answered with something that is not HTTP/);
  });
});

test('headers without end are named as such', async () => {
  const {kind, message} = await fail((_, response) =>
    response.writeHead(200, {'set-cookie': Array.from({length: 30}, () => 'a'.repeat(1000))}).end(emptyLog),
  );
  expect([kind, message]).toEqual([
    'network',
    'the response from HOST has more than 16 kB of headers: a proxy that sets cookies?',
  ]);
});

describe('time limits', () => {
  test('no headers', async () => {
    const {kind, message} = await fail(() => {}, {limits: {headersMs: 60}});
    expect([kind, message]).toEqual(['timeout', 'no answer from HOST within 0.06 s']);
  });

  test('a body that stalls', async () => {
    const {kind, message} = await fail((_, response) => void response.write('{"data":['), {limits: {idleMs: 80}});
    expect([kind, message]).toEqual(['timeout', 'the response from HOST stalled for 0.08 s']);
  });

  test('a body that drips stays within the idle limit and not within that of the whole', async () => {
    const {kind, message} = await fail(
      (_, response) => {
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
      {limits: {idleMs: 1000, requestMs: 250}},
    );
    expect([kind, message]).toEqual(['timeout', 'the response from HOST was not complete within 0.25 s']);
  });

  test('a TLS handshake that is never answered', async () => {
    const server = keep(await startTcpServer(() => {}));
    const client = connect(1, {baseUrl: `https://127.0.0.1:${server.port}/dev-v1`, limits: {connectMs: 80}});
    const failure = await failureOf(use(client).fetchLog('s', 'b'));
    expect([failure.kind, failure.message]).toEqual([
      'timeout',
      `no connection to 127.0.0.1:${server.port} within 0.08 s`,
    ]);
  });

  test('a proxy that never opens its tunnel', async () => {
    const proxy = keep(await startTcpServer(() => {}));
    const client = connect(1, {
      baseUrl: 'https://api.test/dev-v1',
      proxy: `http://127.0.0.1:${proxy.port}`,
      limits: {connectMs: 80},
    });
    const failure = await failureOf(use(client).fetchLog('s', 'b'));
    expect([failure.kind, failure.message]).toEqual([
      'timeout',
      `no connection to api.test (proxy 127.0.0.1:${proxy.port}) within 0.08 s`,
    ]);
  });
});

describe('bodies', () => {
  const answer = (body: string, contentType = 'application/json') =>
    fail((_, response) => response.writeHead(200, {'content-type': contentType}).end(body));

  test.each([
    ['{"data": [1, 2', 'the response from HOST is not JSON at byte 14 of 14'],
    ['{"data": secret-value}', 'the response from HOST is not JSON at byte 9 of 22'],
    ['\u{feff}{"ü": x}', 'the response from HOST is not JSON at byte 10 of 12'],
    ['', 'HOST answered with an empty body, not with JSON'],
    ['<!DOCTYPE html><title>secret</title>', 'HOST answered with an HTML page (a proxy or a login page?)'],
    ['\n <HTML>', 'HOST answered with an HTML page (a proxy or a login page?)'],
    ['[]', 'the answer is not a log: expected an object, got an array'],
    ['"secret"', 'the answer is not a log: expected an object, got a string'],
    ['{}', 'the answer is not a log: data: expected an array, got nothing'],
    ['{"data":null}', 'the answer is not a log: data: expected an array, got null'],
    ['{"data":"secret"}', 'the answer is not a log: data: expected an array, got a string'],
  ])('%j is not the interface', async (body, words) => {
    const {kind, message} = await answer(body);
    expect([kind, message]).toEqual(['notInterface', words]);
  });

  test('prototypes and depth do no harm', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const server = keep(
      await startServer((_, response) =>
        response.end(
          `{"__proto__":{"polluted":1},"data":["x",${deep}],"podNamesList":[{"name":"p","resourceVersion":"1","metadata":{"__proto__":{"polluted":1},"a":${deep}}}]}`,
        ),
      ),
    );
    const {value, skipped} = await use(connect(server.port)).fetchLog('s', 'b');
    expect([value.lines, value.notLines]).toEqual([['x'], [1]]);
    expect(JSON.stringify(value.pods[0]?.metadata)).toBe(`{"a":${'['.repeat(39)}null${']'.repeat(39)}}`);
    expect(skipped).toEqual([
      'podNamesList[0].metadata.__proto__: dropped',
      `podNamesList[0].metadata.a${'[0]'.repeat(39)}: nested deeper than 40, cut`,
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('that are all brackets are not parsed, which would take minutes and gigabytes', async () => {
    const {kind, message} = await fail((_, response) =>
      response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync(Buffer.alloc(32 * 1024 * 1024, '['))),
    );
    expect([kind, message]).toEqual(['tooLarge', 'answer too large: HOST sent JSON with too many brackets to be data']);
  });

  test('of more lines than timestamps leave room for are not taken', async () => {
    const {kind, message} = await fail((_, response) =>
      response
        .writeHead(200, {'content-encoding': 'gzip'})
        .end(gzipSync(`{"data":[${'"",'.repeat(2_000_000)}""],"podNamesList":[]}`)),
    );
    expect([kind, message]).toEqual(['tooLarge', 'answer too large: more than 2,000,000 lines']);
  });

  test('of another coding than they say are told to be damaged', async () => {
    const {message} = await fail((_, response) =>
      response.writeHead(200, {'content-encoding': 'br'}).end(gzipSync(emptyLog)),
    );
    expect(message).toMatch(/^the response from HOST is compressed and damaged \(ERR_/);
  });

  test('of a coding that nobody asked for are told by its name', async () => {
    const {kind, message} = await fail((_, response) =>
      response.writeHead(200, {'content-encoding': 'exi'}).end(emptyLog),
    );
    expect([kind, message]).toEqual([
      'notInterface',
      'the response from HOST is encoded as exi, which was not requested',
    ]);
  });

  test('of exactly the limit are read', async () => {
    const body = emptyLog.padEnd(4096);
    const server = keep(await startServer((_, response) => response.end(body)));
    const exact = await use(connect(server.port, {limits: {bodyBytesMax: 4096}})).fetchLog('s', 'b');
    const over = await failureOf(use(connect(server.port, {limits: {bodyBytesMax: 4095}})).fetchLog('s', 'b'));
    expect([exact.bodyBytes, over.kind]).toEqual([4096, 'tooLarge']);
  });

  test('over the limit are cut off, and no more of them is taken', async () => {
    let sent = 0;
    const {kind, message} = await fail(
      (_, response) => {
        const chunk = 'x'.repeat(64 * 1024);
        const push = () => {
          while (!response.destroyed && sent < 1024 * 1024 * 1024) {
            sent += chunk.length;
            if (!response.write(chunk)) {
              response.once('drain', push);
              return;
            }
          }
        };
        push();
      },
      {limits: {bodyBytesMax: 1024 * 1024}},
    );
    expect([kind, message]).toEqual(['tooLarge', 'answer too large: HOST sent more than 1 MB']);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('a gzip bomb costs no more memory than the limit allows', async () => {
    // Of many members, so that making it takes no memory that the measured one could hide in.
    const member = gzipSync(Buffer.alloc(1024 * 1024, 0x20));
    const bomb = Buffer.concat(Array.from({length: 400}, () => member));
    const rssBefore = process.memoryUsage.rss();
    let rssMax = rssBefore;
    const watch = setInterval(() => {
      rssMax = Math.max(rssMax, process.memoryUsage.rss());
    }, 5);
    const {kind, message} = await fail((_, response) =>
      response.writeHead(200, {'content-encoding': 'gzip'}).end(bomb),
    );
    clearInterval(watch);
    expect([kind, message]).toEqual(['tooLarge', 'answer too large: HOST sent more than 64 MB']);
    expect(Math.max(rssMax, process.memoryUsage.rss()) - rssBefore).toBeLessThan(150 * 1024 * 1024);
  });
});

describe('refusals', () => {
  const refuse = (status: number, headers: Record<string, string> = {}) =>
    fail((_, response) => response.writeHead(status, headers).end('secret body'), {
      nowMs: () => Date.parse('2026-01-01T00:00:00Z'),
    });

  test.each([
    [
      403,
      {},
      'forbidden',
      'not permitted for tenant acme (403 by HOST): check the tenant, the auth mode and your rights',
      undefined,
    ],
    [
      403,
      {'branchlog-reason': 'The header auth-mode does not have the value that this service expects.'},
      'forbidden',
      'The header auth-mode does not have the value that this service expects (403 by HOST): check the tenant and the auth mode',
      undefined,
    ],
    [404, {}, 'notFound', 'HOST knows no such branch (404): is it gone?', undefined],
    [
      407,
      {},
      'network',
      'the proxy in between asks for a name and password (407): put them into its address',
      undefined,
    ],
    [206, {}, 'notInterface', 'HOST answered 206 (Partial Content), which the interface does not have', undefined],
    [418, {}, 'notInterface', "HOST answered 418 (I'm a Teapot), which the interface does not have", undefined],
    [429, {}, 'tooManyRequests', 'HOST received too many requests (429)', undefined],
    [
      429,
      {'retry-after': '7'},
      'tooManyRequests',
      'HOST received too many requests (429), and asks to wait 7 s',
      7_000,
    ],
    [
      429,
      {'retry-after': '0'},
      'tooManyRequests',
      'HOST received too many requests (429), and asks to wait 1 s',
      1_000,
    ],
    [
      503,
      {'retry-after': '99999'},
      'server',
      'HOST answered 503 (Service Unavailable), and asks to wait 600 s',
      600_000,
    ],
    [
      503,
      {date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT'},
      'server',
      'HOST answered 503 (Service Unavailable), and asks to wait 30 s',
      30_000,
    ],
    [500, {'retry-after': 'soon'}, 'server', 'HOST answered 500 (Internal Server Error)', undefined],
    [
      503,
      {'branchlog-reason': 'No%20pod%20of%20b%C3%BCro%1B[2J%20can%20be%20read.'},
      'server',
      'No pod of büro␛ can be read (503 by HOST)',
      undefined,
    ],
    [503, {'branchlog-reason': '%zz'}, 'server', 'HOST answered 503 (Service Unavailable)', undefined],
    [
      302,
      {location: 'https://user:pw@login.example/sso?ticket=secret'},
      'redirect',
      'HOST answered 302 (Found) to login.example, which is not followed: check base_url',
      undefined,
    ],
    [
      308,
      {location: '/elsewhere'},
      'redirect',
      'HOST answered 308 (Permanent Redirect) to HOST, which is not followed: check base_url',
      undefined,
    ],
    [
      301,
      {location: 'file:///etc/passwd'},
      'redirect',
      'HOST answered 301 (Moved Permanently) to an address of file:, which is not followed: check base_url',
      undefined,
    ],
  ])('%i %j', async (status, headers, kind, message, retryAfterMs) => {
    const failure = await refuse(status, headers as Record<string, string>);
    expect([failure.kind, failure.message, failure.status, failure.retryAfterMs]).toEqual([
      kind,
      message,
      status,
      retryAfterMs,
    ]);
    expect(failure.server.requests).toHaveLength(1);
  });

  test('a switch to another protocol is a refusal, not the end of the program', async () => {
    const server = keep(
      await startServer(request => {
        request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
      }),
    );
    const failure = await failureOf(use(connect(server.port)).listBranches('s'));
    expect([failure.kind, failure.message.replace(/^\S+/, 'HOST')]).toEqual([
      'notInterface',
      'HOST answered 101 (Switching Protocols), which the interface does not have',
    ]);
  });

  test('a redirect is not followed, so tenant and auth mode do not travel', async () => {
    const elsewhere = keep(await startServer((_, response) => response.end(emptyLog)));
    const {kind} = await refuse(307, {location: `http://127.0.0.1:${elsewhere.port}/`});
    expect(kind).toBe('redirect');
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('a listing that is not found speaks of the site', async () => {
    const server = keep(await startServer((_, response) => response.writeHead(404).end()));
    const failure = await failureOf(use(connect(server.port)).listBranches('s'));
    expect(failure.message).toBe(`127.0.0.1:${server.port} knows no such site (404): is it gone?`);
  });
});

describe('TLS', () => {
  /** `caFile`: a fixture, or an absolute path. */
  const secure = async (certificate: string, caFile?: string) => {
    const server = keep(await startTlsServer(certificate, (_, response) => response.end(emptyLog)));
    return use(
      connect(1, {
        baseUrl: `https://127.0.0.1:${server.port}/dev-v1`,
        caFile: caFile?.startsWith('/') === false ? copyFixture(caFile) : caFile,
      }),
    );
  };
  const hint = 'if its authority is your own, name its certificate in the setting ca_file';

  test.each([
    ['localhost', undefined, `the certificate of 127.0.0.1 is from an unknown authority: ${hint}`],
    ['self-signed', undefined, `the certificate of 127.0.0.1 is self-signed: ${hint}`],
    ['expired', 'ca.pem', `the certificate of 127.0.0.1 has expired: it must be renewed there; ${hint}`],
    ['other-host', 'ca.pem', `the certificate of 127.0.0.1 is for another host: check base_url; ${hint}`],
  ])('%s with ca_file %s', async (certificate, caFile, words) => {
    const failure = await failureOf((await secure(certificate, caFile)).fetchLog('s', 'b'));
    expect([failure.kind, failure.message]).toEqual(['tls', words]);
  });

  test('NODE_TLS_REJECT_UNAUTHORIZED does not switch the check off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    cleanups.push(() => vi.unstubAllEnvs());
    expect((await failureOf((await secure('self-signed')).fetchLog('s', 'b'))).kind).toBe('tls');
  });

  test('ca_file adds an authority', async () => {
    expect((await (await secure('localhost', 'ca.pem')).fetchLog('s', 'b')).status).toBe(200);
  });

  test('a ca_file that is missing or holds no certificate is named', async () => {
    const missing = await failureOf((await secure('localhost', '/nowhere/ca.pem')).fetchLog('s', 'b'));
    expect([missing.kind, missing.message]).toEqual(['setting', 'cannot read ca_file /nowhere/ca.pem (ENOENT)']);
    const device = await failureOf((await secure('localhost', '/dev/null')).fetchLog('s', 'b'));
    expect(device.message).toBe('ca_file /dev/null is a device, not a file');
    const wrong = await failureOf((await secure('localhost', 'localhost.key')).fetchLog('s', 'b'));
    expect(wrong.message).toMatch(/holds no certificate in PEM/);
  });

  test('an http port behind an https address', async () => {
    const server = keep(await startServer((_, response) => response.end(emptyLog)));
    const client = use(connect(1, {baseUrl: `https://127.0.0.1:${server.port}/dev-v1`}));
    const failure = await failureOf(client.fetchLog('s', 'b'));
    expect([failure.kind, failure.message]).toEqual([
      'tls',
      '127.0.0.1 does not speak TLS there: is base_url an http address?',
    ]);
  });
});
